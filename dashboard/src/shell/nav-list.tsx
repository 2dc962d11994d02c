import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, responseBody, type User } from '../api/client.ts';
import { canChange, seesAllUsers, useUser } from '../api/session.ts';
import { BASE_PATH } from '../app/page-config.ts';
import {
  type Icon,
  IconBell,
  IconBook,
  IconChannels,
  IconClipboard,
  IconClock,
  IconCoin,
  IconExternal,
  IconGlobe,
  IconHistory,
  IconJobs,
  IconKey,
  IconMonitor,
  IconOverview,
  IconProxies,
  IconServer,
  IconTable,
  IconTerminal,
  IconUsage,
  IconUser,
  IconUsers,
  IconVendors,
  IconWebhook,
} from '../ui/icons.tsx';
import classes from './nav-list.module.css';

export interface NavItem {
  readonly to: LinkProps['to'];
  readonly label: string;
  readonly icon: Icon;
  /** The page only serves changes, which viewers may not make. */
  readonly changes?: true;
}

const USER_ITEMS: readonly NavItem[] = [
  { to: '/', label: t`Overview`, icon: IconOverview },
  { to: '/history', label: t`History`, icon: IconHistory },
  { to: '/playground', label: t`Playground`, icon: IconTerminal, changes: true },
  { to: '/jobs', label: t`Jobs`, icon: IconJobs },
  { to: '/monitors', label: t`Monitors`, icon: IconMonitor },
  { to: '/schedules', label: t`Schedules`, icon: IconClock },
  { to: '/datasets', label: t`Datasets`, icon: IconTable },
  { to: '/alerts', label: t`Alerts`, icon: IconBell },
  { to: '/channels', label: t`Channels`, icon: IconChannels, changes: true },
  { to: '/webhooks', label: t`Webhooks`, icon: IconWebhook },
  { to: '/sites', label: t`Sites`, icon: IconGlobe },
  { to: '/profiles', label: t`Profiles`, icon: IconUser },
  { to: '/usage', label: t`Usage`, icon: IconUsage },
  { to: '/keys', label: t`API keys`, icon: IconKey, changes: true },
];

const ADMIN_ITEMS: readonly NavItem[] = [
  { to: '/users', label: t`Users`, icon: IconUsers },
  { to: '/proxies', label: t`Proxies`, icon: IconProxies },
  { to: '/vendors', label: t`Vendors`, icon: IconVendors },
  { to: '/prices', label: t`Prices`, icon: IconCoin },
  { to: '/system', label: t`System`, icon: IconServer },
  { to: '/audit', label: t`Audit`, icon: IconClipboard },
];

/** The items of the sidebar for this user. */
export function navItems(user: User): readonly NavItem[] {
  const own = canChange(user) ? USER_ITEMS : USER_ITEMS.filter(({ changes }) => changes !== true);
  return seesAllUsers(user) ? [...own, ...ADMIN_ITEMS] : own;
}

/** @param onFollow called when a link is followed, to close the drawer */
export function NavList({ onFollow }: { readonly onFollow?: () => void }) {
  const user = useUser();
  return (
    <nav aria-label={t`Main`} className={classes.nav}>
      <ul className={classes.list}>
        {navItems(user).map(({ to, label, icon: Icon }) => (
          <li key={label}>
            <Link
              to={to}
              className={classes.item}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              onClick={onFollow}
            >
              <Icon />
              {label}
              {to === '/alerts' && <FiringCount />}
            </Link>
          </li>
        ))}
      </ul>
      <a className={classes.item} href={`${BASE_PATH}/docs`} target="_blank" rel="noopener">
        <IconBook />
        <Trans>Documentation</Trans>
        <IconExternal size={13} className={classes.external} />
      </a>
    </nav>
  );
}

/** The first page does not wait for it. */
const FIRST_COUNT_MS = 3_000;
const COUNT_MS = 60_000;

/** How many alerts fire now; nothing if none does. */
function FiringCount() {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), FIRST_COUNT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    queryKey: ['alerts', 'firing'],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/alerts/', { params: { query: { limit: 200 } }, signal })),
    enabled,
    refetchInterval: COUNT_MS,
  });
  const count = data?.items.filter(({ state }) => state === 'firing').length ?? 0;
  return count === 0 ? null : <span className={classes.firing}>{t`${count} firing`}</span>;
}
