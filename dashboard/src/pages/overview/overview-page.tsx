import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { defaultWindowQuery, hasRecordsQuery, statsQuery } from '../../api/stats.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BrowserNotice } from './browser-notice.tsx';
import { FirstRun } from './first-run.tsx';
import { NextSteps } from './next-steps.tsx';
import { OverviewControls } from './overview-controls.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { useScope } from './use-scope.ts';
import { wordsOfWindow } from './windows.ts';

const overviewRoute = getRouteApi('/signed-in/');

export function OverviewPage() {
  const { window: chosen } = overviewRoute.useSearch();
  const scope = useScope();
  const fitting = useQuery(defaultWindowQuery(scope.userId));
  const window = chosen ?? fitting.data ?? '24h';
  const waits = chosen === undefined && fitting.isPending;
  const answer = useQuery({ ...statsQuery(window, scope.userId), enabled: !waits });
  const { data: stats, refetch, isPlaceholderData } = answer;
  const error = answer.error ?? (waits ? fitting.error : null);
  const nothing = stats !== undefined && stats.totals.scrapes === 0;
  const known = useQuery({ ...hasRecordsQuery(scope.userId), enabled: nothing });
  const firstRun = nothing && known.data === false && scope.other === null;
  if (firstRun && stats.in_flight.now === 0) return <FirstRun notice={<BrowserNotice />} />;

  const header = (
    <PageHeader
      title="Overview"
      description={`Scrapes ${scope.other === null ? '' : `of ${scope.other} `}in ${wordsOfWindow(window)}, updated live.`}
      actions={<OverviewControls scope={scope} window={window} />}
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
      {fitting.data === '1h' && <NextSteps />}
      <OverviewFigures stats={stats} scope={scope} busy={isPlaceholderData} />
    </>
  );
}
