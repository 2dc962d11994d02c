import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { anyRecordQuery, statsQuery } from '../../api/stats.ts';
import { ErrorNotice, ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BrowserNotice } from './browser-notice.tsx';
import { FirstRun } from './first-run.tsx';
import { OverviewControls } from './overview-controls.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { overviewRoute } from './route.ts';
import { useScope } from './use-scope.ts';
import { DEFAULT_WINDOW, wordsOfWindow } from './windows.ts';

export function OverviewPage() {
  const { window = DEFAULT_WINDOW } = overviewRoute.useSearch();
  const scope = useScope();
  const { data: stats, error, refetch, isPlaceholderData } = useQuery(statsQuery(window, scope.userId));
  const nothing = stats !== undefined && stats.totals.scrapes === 0;
  const known = useQuery({ ...anyRecordQuery(scope.userId), enabled: nothing });
  const firstRun = nothing && known.data === false && scope.other === null;
  if (firstRun && stats.in_flight.now === 0) return <FirstRun notice={<BrowserNotice />} />;

  const header = (
    <PageHeader
      title="Overview"
      description={`What ${scope.other === null ? 'was' : `${scope.other} has`} scraped in ${wordsOfWindow(window)}, as it happens.`}
      actions={<OverviewControls scope={scope} />}
    />
  );
  if (stats === undefined) {
    return (
      <>
        {header}
        {error === null ? (
          <OverviewSkeleton />
        ) : (
          <Panel>
            <ErrorState error={error} onRetry={() => void refetch()} />
          </Panel>
        )}
      </>
    );
  }
  if (nothing && known.isPending) {
    return (
      <>
        {header}
        <OverviewSkeleton />
      </>
    );
  }
  return (
    <>
      {header}
      {error !== null && (
        <Box mb="md">
          <ErrorNotice error={error} />
        </Box>
      )}
      <BrowserNotice />
      <OverviewFigures stats={stats} scope={scope} busy={isPlaceholderData} />
    </>
  );
}
