import { Stack } from '@mantine/core';
import { PageHeader } from '../../ui/page-header.tsx';
import { KnownHosts } from './known-hosts.tsx';
import { sitesRoute } from './route.ts';
import { SiteSearch } from './site-search.tsx';
import { SiteView } from './site-view.tsx';

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
