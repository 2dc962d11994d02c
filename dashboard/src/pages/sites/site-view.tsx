import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/client.ts';
import { useIsAdmin } from '../../api/session.ts';
import { siteQuery } from '../../api/sites.ts';
import { IconGlobe } from '../../ui/icons.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PageKind } from './page-kind.tsx';
import { PinPanel } from './pin-panel.tsx';

/** One site: what is pinned there, and each kind of its pages. */
export function SiteView({ host }: { readonly host: string }) {
  const { data, error, refetch } = useQuery(siteQuery(host));
  const isAdmin = useIsAdmin();
  const unknown = error instanceof ApiError && error.status === 404;
  // What was known before it was forgotten is no more.
  const site = unknown ? undefined : data;
  if (error !== null && !unknown) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (site === undefined && !unknown) return <PageSkeleton />;
  const pinned = site?.pinned ?? null;
  return (
    <>
      {(isAdmin || pinned !== null) && (
        <PinPanel host={site?.host ?? host} pinned={pinned} known={(site?.pages.length ?? 0) > 0} />
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
