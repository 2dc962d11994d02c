import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { useCanChange, useIsAdmin } from '../../api/session.ts';
import { type Site, siteQuery } from '../../api/sites.ts';
import { proxyChoicesQuery } from '../../api/system.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { hostText } from '../../ui/host-text.ts';
import { IconGlobe, IconSearch } from '../../ui/icons.tsx';
import { OrderSelect } from '../../ui/order-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DirectContext } from '../../ui/route-name.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { CostPanel } from './cost-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { PageKind } from './page-kind.tsx';
import { PinPanel } from './pin-panel.tsx';
import { isProtectedPage } from './protection-text.ts';
import { SITE_ORDERS, SiteTable } from './site-table.tsx';
import classes from './sites.module.css';

const sitesRoute = getRouteApi('/signed-in/sites');

/** How long to wait for the next letter before the list is filtered. */
const FILTER_DELAY_MS = 200;

/** The sites with their figures; or one site: what it cost, what `auto` has learned about it, and would do there next. */
export function SitesPage() {
  const { host, sort } = sitesRoute.useSearch();
  const { data: proxies } = useQuery(proxyChoicesQuery);
  // Without a pool, the method that the service calls `datacenter` uses the server's own address.
  const isDirect = proxies !== undefined && !proxies.pools.some(({ type }) => type === 'datacenter');
  return (
    <DirectContext value={isDirect}>
      {/* Another site begins with its own text. */}
      <SitesOrSite key={host ?? ''} host={host} sort={sort} />
    </DirectContext>
  );
}

function SitesOrSite({ host, sort }: ReturnType<typeof sitesRoute.useSearch>) {
  const navigate = sitesRoute.useNavigate();
  const [text, setText] = useState(host ?? '');
  const [shown] = useDebouncedValue(siteOf(text) ?? '', FILTER_DELAY_MS);
  return (
    <>
      <PageHeader
        title={host === undefined ? t`Sites` : hostText(host)}
        back={
          host === undefined ? undefined : (
            <TextLink to="/sites" size="sm">
              <Trans>Sites</Trans>
            </TextLink>
          )
        }
        description={
          host === undefined
            ? t`How scrapes of each site go, what they cost, and which method works.`
            : undefined
        }
        actions={
          host === undefined ? undefined : (
            <ChangersOnly>
              <ButtonLink to="/alerts" search={{ site: host }} variant="default">
                <Trans>Alert me</Trans>
              </ButtonLink>
            </ChangersOnly>
          )
        }
      />
      <Stack gap="md">
        <Group gap="xs">
          <SiteSearch
            text={text}
            onType={setText}
            onSubmit={(nextHost) => void navigate({ search: { host: nextHost } })}
          />
          {host === undefined && (
            <OrderSelect
              first={t`Most scraped first`}
              orders={SITE_ORDERS}
              value={sort}
              onChange={(next) => void navigate({ search: { sort: next }, replace: true })}
            />
          )}
        </Group>
        {host === undefined ? <SiteTable text={shown} sort={sort} /> : <SiteView key={host} host={host} />}
      </Stack>
    </>
  );
}

interface SiteSearchProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onSubmit: (host: string | undefined) => void;
}

/** Also accepts a whole URL, of which only the host with its port counts. */
function SiteSearch({ text, onType, onSubmit }: SiteSearchProps) {
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(siteOf(text));
      }}
    >
      <TextInput
        type="search"
        aria-label={t`Host or URL`}
        placeholder={t`Host or URL, such as example.com`}
        leftSection={<IconSearch size={16} />}
        className={classes.host}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        <Trans>Show</Trans>
      </Button>
    </form>
  );
}

/** The host with its port in a typed URL or host. */
function siteOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const url = URL.parse(trimmed.includes('://') ? trimmed : `http://${trimmed}`);
  return url === null || url.host === '' ? trimmed : url.host;
}

const bestSuccess = ({ ways }: Site['pages'][number]): number =>
  Math.max(0, ...ways.map(({ est_success }) => est_success));

/** A site with its pin and the kinds of its pages. */
function SiteView({ host }: { readonly host: string }) {
  const { data, error, refetch } = useQuery(siteQuery(host));
  const isAdmin = useIsAdmin();
  const canChange = useCanChange();
  const compare = useRef<HTMLDivElement>(null);
  const unknown = error instanceof ApiError && error.status === 404;
  // If the site was just forgotten, `data` is still that from before.
  const site = unknown ? undefined : data;
  if (error !== null && !unknown) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (site === undefined && !unknown) return <PageSkeleton />;
  const pinned = site?.pinned ?? null;
  // The worst first: what demands something, and of these where the best method hopes for least.
  const pages = (site?.pages ?? []).toSorted(
    (a, b) => Number(isProtectedPage(b)) - Number(isProtectedPage(a)) || bestSuccess(a) - bestSuccess(b),
  );
  return (
    <>
      {(isAdmin || pinned !== null) && (
        <PinPanel host={site?.host ?? host} pinned={pinned} hasLearned={pages.length > 0} />
      )}
      {unknown && (
        <Panel>
          <EmptyState icon={IconGlobe} title={t`Nothing is known about this site`}>
            {isAdmin
              ? t`There are no recent scrapes of it, or it was forgotten.`
              : t`You have no recent scrapes of it.`}{' '}
            <Trans>Enter the host as in the URL, with its port if it has one.</Trans>
          </EmptyState>
        </Panel>
      )}
      {site !== undefined && site.host !== host && (
        <p className={classes.port}>
          <Trans>
            What was learned is shown for {site.host}, the port with the most attempts. History and cost are
            of all ports of {host}.
          </Trans>
        </p>
      )}
      <LimitsPanel host={host} />
      <HistoryPanel host={host} pages={pages} />
      <CostPanel
        host={host}
        site={site?.host ?? host}
        pinned={pinned}
        onCompare={
          canChange
            ? () => {
                compare.current?.scrollIntoView();
                compare.current?.querySelector('input')?.focus({ preventScroll: true });
              }
            : null
        }
      />
      <div ref={compare}>
        <ComparePanel host={host} />
      </div>
      {pages.map((page, index) => (
        <PageKind key={page.pattern} page={page} host={host} isOpen={index === 0} />
      ))}
    </>
  );
}
