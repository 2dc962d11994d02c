import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PageHeader } from '../../ui/page-header.tsx';
import { KnownHosts } from './known-hosts.tsx';
import { SiteSearch } from './site-search.tsx';
import { SiteView } from './site-view.tsx';

const sitesRoute = getRouteApi('/signed-in/sites');

/** What `auto` has learned of a site, and what it would do there next. */
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
          onChange={(wanted) => void navigate({ search: { host: wanted } })}
        />
        {host === undefined ? <KnownHosts /> : <SiteView key={host} host={host} />}
      </Stack>
    </>
  );
}
