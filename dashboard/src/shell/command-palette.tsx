import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal, TextInput } from '@mantine/core';
import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import type { User } from '../api/client.ts';
import { canChange, useUser } from '../api/session.ts';
import { hostText, urlText } from '../ui/host-text.ts';
import {
  type Icon,
  IconBell,
  IconClock,
  IconFile,
  IconGlobe,
  IconHistory,
  IconJobs,
  IconMonitor,
  IconSearch,
  IconTerminal,
  IconUser,
  IconUsers,
} from '../ui/icons.tsx';
import { VERBATIM } from '../ui/input-props.ts';
import classes from './command-palette.module.css';
import type { EarlyKeys } from './early-keys.ts';
import type { NavItem } from './nav-list.tsx';

interface CommandPaletteProps {
  /** The pages of the sidebar. */
  readonly items: readonly NavItem[];
  readonly opened: boolean;
  readonly onClose: () => void;
  /** What was typed before the field had the focus. */
  readonly takeEarlyKeys: () => EarlyKeys;
}

/**
 * Navigation by keyboard: to a page or an action by its name, to a record by its ID, to the scrapes or the site page of a
 * host, and to the playground with a URL.
 */
export function CommandPalette({ items, opened, onClose, takeEarlyKeys }: CommandPaletteProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Go to`} centered={false} yOffset="12vh">
      <Search items={items} onDone={onClose} takeEarlyKeys={takeEarlyKeys} />
    </Modal>
  );
}

interface SearchProps extends Pick<CommandPaletteProps, 'items' | 'takeEarlyKeys'> {
  readonly onDone: () => void;
}

function Search({ items, onDone, takeEarlyKeys }: SearchProps) {
  const [text, setText] = useState('');
  // Index of the selected destination.
  const [active, setActive] = useState(0);
  const user = useUser();
  const router = useRouter();
  const listId = useId();
  const destinations = destinationsFor(text, items, user);
  const optionId = (index: number) => `${listId}-${index}`;
  const goTo = (destination: Destination | undefined) => {
    if (destination === undefined) return;
    onDone();
    void router.navigate(destination.link);
  };
  const onFocus = () => {
    const early = takeEarlyKeys();
    if (early.text !== '') setText(text + early.text);
    if (early.entered) goTo(destinationsFor(early.text, items, user)[0]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      setActive((active + step + destinations.length) % Math.max(1, destinations.length));
    else if (event.key === 'Enter') goTo(destinations[active]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        role="combobox"
        aria-label={t`Page, host or record ID`}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={destinations.length === 0 ? undefined : optionId(active)}
        aria-autocomplete="list"
        placeholder={t`Page, host or record ID`}
        leftSection={<IconSearch size={16} />}
        data-autofocus
        {...VERBATIM}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      />
      <div id={listId} role="listbox" aria-label={t`Destinations`} className={classes.list}>
        {destinations.map(({ label, icon: Icon }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
          <div
            key={label}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            onMouseMove={() => setActive(index)}
            onClick={() => goTo(destinations[index])}
          >
            <Icon size={16} />
            <span>{label}</span>
          </div>
        ))}
      </div>
      {text === '' && (
        <p className={`${classes.none} ${classes.keys}`}>
          <Trans>
            On any page, <kbd>?</kbd> shows the keyboard shortcuts.
          </Trans>
        </p>
      )}
      {destinations.length === 0 && (
        <p className={classes.none} role="status">
          <Trans>
            Nothing found. Type the name of a page, a host such as example.com, or the ID of a record.
          </Trans>
        </p>
      )}
    </>
  );
}

/** For all but viewers, who change nothing. */
const ACTIONS: readonly Destination[] = [
  { label: t`New batch`, icon: IconJobs, link: { to: '/jobs/new-batch' } },
  { label: t`New crawl`, icon: IconJobs, link: { to: '/jobs/new-crawl' } },
  { label: t`New monitor`, icon: IconMonitor, link: { to: '/monitors/new' } },
  { label: t`New schedule`, icon: IconClock, link: { to: '/schedules/new' } },
  {
    label: t`New alert`,
    icon: IconBell,
    link: { to: '/alerts', state: { form: 'new' } },
    keywords: t`create notify email webhook slack rule`,
  },
];

/** For administrators. */
const INVITE: Destination = {
  label: t`Invite a user`,
  icon: IconUsers,
  link: { to: '/users', state: { form: 'invite' } },
  keywords: t`add new user account viewer administrator`,
};

/** Further words by which a page is found, besides its name. */
const KEYWORDS: Readonly<Record<string, string>> = {
  '/': t`home dashboard statistics latency errors`,
  '/history': t`records scrapes requests results compare blocked failed`,
  '/playground': t`try send request markdown html json screenshot extract`,
  '/jobs': t`batches crawls queue`,
  '/monitors': t`changes watch schedule difference`,
  '/schedules': t`cron nightly export runs`,
  '/datasets': t`table rows columns excel csv`,
  '/alerts': t`notifications rules firing email`,
  '/webhooks': t`deliveries endpoints signatures`,
  '/sites': t`hosts domains protection methods`,
  '/usage': t`cost spend budget forecast traffic`,
  '/keys': t`tokens scopes revoked revoke expired rotate budget`,
  '/users': t`accounts roles invite viewers administrators`,
  '/proxies': t`pools gateways addresses residential mobile datacenter dead`,
  '/vendors': t`unlockers services credentials prices`,
  '/prices': t`cost currency money settings euro dollar`,
  '/system': t`disk memory storage browsers version settings`,
  '/audit': t`log who changes`,
  '/account': t`password two-factor language theme templates`,
  '/jobs/new-batch': t`upload list urls csv`,
  '/jobs/new-crawl': t`site sitemap links spider`,
  '/monitors/new': t`watch changes schedule`,
  '/schedules/new': t`cron nightly repeat`,
};

interface Destination {
  readonly label: string;
  readonly icon: Icon;
  readonly link: NavigateOptions;
  /** Default: those of the page in `KEYWORDS`. */
  readonly keywords?: string;
}

/** The destinations for the typed text; all pages if it is empty. */
function destinationsFor(typed: string, items: readonly NavItem[], user: User): readonly Destination[] {
  const text = typed.trim();
  const lowerCase = text.toLowerCase();
  const pages: readonly Destination[] = [
    ...items.map(({ to, label, icon }) => ({ label, icon, link: { to } as NavigateOptions })),
    { label: t`Account and sessions`, icon: IconUser, link: { to: '/account' } },
    ...(canChange(user) ? ACTIONS : []),
    ...(user.role === 'admin' ? [INVITE] : []),
  ];
  const isNamed = ({ label }: Destination) => label.toLowerCase().includes(lowerCase);
  const isMeant = ({ link, keywords = KEYWORDS[link.to ?? ''] }: Destination) =>
    lowerCase.length > 1 && keywords?.includes(lowerCase);
  const matchingPages = [
    ...pages.filter(isNamed),
    ...pages.filter((page) => !isNamed(page) && isMeant(page)),
  ];
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(lowerCase))
    return [
      {
        label: t`Record ${lowerCase}`,
        icon: IconFile,
        link: { to: '/history/$id', params: { id: lowerCase } },
      },
    ];
  const url = urlInText(text);
  if (url === null) return matchingPages;
  const { host } = url;
  const shownUrl = urlText(text);
  const scrape: Destination = {
    label: t`Scrape ${shownUrl}`,
    icon: IconTerminal,
    link: { to: '/playground', state: { url: text } },
  };
  return [
    ...matchingPages,
    { label: t`Scrapes of ${hostText(host)}`, icon: IconHistory, link: { to: '/history', search: { host } } },
    { label: t`Site ${hostText(host)}`, icon: IconGlobe, link: { to: '/sites', search: { host } } },
    ...(canChange(user) ? [scrape] : []),
  ];
}

/** The text as a URL if it is one, or a host with a dot or a port, or `localhost`, with or without a path; otherwise null. */
function urlInText(text: string): URL | null {
  if (!/[.:]|^localhost(\/|$)/i.test(text)) return null;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url === null || url.host === '' ? null : url;
}
