import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { useIsAdmin } from '../../api/session.ts';
import { siteQuery } from '../../api/sites.ts';
import { OTHER_HOSTS, statsQuery } from '../../api/stats.ts';
import { formatCount } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { IconGlobe, IconSearch } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { PageKind } from './page-kind.tsx';
import { PinPanel } from './pin-panel.tsx';
import classes from './sites.module.css';

const sitesRoute = getRouteApi('/signed-in/sites');

/** What `auto` has learned about a site, and what it would do there next. */
export function SitesPage() {
  const { host } = sitesRoute.useSearch();
  const navigate = sitesRoute.useNavigate();
  return (
    <>
      <PageHeader
        title="Sites"
        description="What Sluice knows about each site and which method it tries first."
      />
      <Stack gap="md">
        <SiteSearch
          key={host ?? ''}
          host={host}
          onChange={(nextHost) => void navigate({ search: { host: nextHost } })}
        />
        {host === undefined ? <KnownHosts /> : <SiteView key={host} host={host} />}
      </Stack>
    </>
  );
}

interface SiteSearchProps {
  readonly host: string | undefined;
  readonly onChange: (host: string | undefined) => void;
}

/** Also accepts a whole URL, of which only the host with its port counts. */
function SiteSearch({ host, onChange }: SiteSearchProps) {
  const [text, setText] = useState(host ?? '');
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(siteOf(text));
      }}
    >
      <TextInput
        type="search"
        aria-label="Host or URL"
        placeholder="Host or URL, such as example.com"
        leftSection={<IconSearch size={16} />}
        className={classes.host}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Show
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

/** The hosts with the most scrapes of the week, as a starting point. */
function KnownHosts() {
  const { data, error, refetch } = useQuery(statsQuery('7d', undefined));
  const hosts = data?.hosts.filter(({ host }) => host !== OTHER_HOSTS);
  if (error !== null && hosts === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (hosts === undefined) return null;
  if (hosts.length === 0) {
    return (
      <Panel>
        <EmptyState icon={IconGlobe} title="No sites yet">
          The router learns from every scrape which protection a site has and which method works. Look it up
          here.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel title="Most scraped in the last 7 days">
      <ul className={classes.hosts}>
        {hosts.map(({ host, scrapes }) => (
          <li key={host}>
            <TextLink to="/sites" search={{ host }} title={host}>
              {hostText(host)}
            </TextLink>
            <small>
              {formatCount(scrapes)} {scrapes === 1 ? 'scrape' : 'scrapes'}
            </small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A site with its pin and the kinds of its pages. */
function SiteView({ host }: { readonly host: string }) {
  const { data, error, refetch } = useQuery(siteQuery(host));
  const isAdmin = useIsAdmin();
  const unknown = error instanceof ApiError && error.status === 404;
  // If the site was just forgotten, `data` is still that from before.
  const site = unknown ? undefined : data;
  if (error !== null && !unknown) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (site === undefined && !unknown) return <PageSkeleton />;
  const pinned = site?.pinned ?? null;
  return (
    <>
      {(isAdmin || pinned !== null) && (
        <PinPanel host={site?.host ?? host} pinned={pinned} hasLearned={(site?.pages.length ?? 0) > 0} />
      )}
      {unknown && (
        <Panel>
          <EmptyState icon={IconGlobe} title="Nothing is known about this site">
            {isAdmin ? 'There are no recent scrapes of it.' : 'You have no recent scrapes of it.'} Enter the
            host as in the URL, with its port if it has one.
          </EmptyState>
        </Panel>
      )}
      {site?.pages.map((page) => (
        <PageKind key={page.pattern} page={page} />
      ))}
    </>
  );
}
