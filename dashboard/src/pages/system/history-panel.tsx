import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type SystemHistory, systemHistoryQuery } from '../../api/system.ts';
import { formatBytes, formatDuration, formatShare, formatShortCount } from '../../ui/format.ts';
import { ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import chartClasses from '../overview/charts/figures-chart.module.css';
import { FiguresChart, type Series } from '../overview/charts/figures-chart.tsx';
import type { ActiveStep } from '../overview/charts/plot.tsx';
import { amountAxis, countAxis, type ValueAxis } from '../overview/charts/scales.ts';
import { windowText } from '../overview/stats-scope.ts';
import classes from './system.module.css';

const systemRoute = getRouteApi('/signed-in/system');

export type Point = SystemHistory['points'][number];

/** As `machine.*.short` of the service has it. */
export const SHORT_SHARE = 0.9;

interface Chart {
  readonly title: string;
  readonly series: readonly Series<Point>[];
  readonly axis: (max: number) => ValueAxis;
  readonly format: (value: number) => string;
  readonly tickText?: (value: number) => string;
}

const counts = { axis: countAxis, format: formatShortCount };
const bytes = { axis: amountAxis, format: formatBytes };

const CHARTS: readonly Chart[] = [
  {
    title: t`Machine: share in use`,
    series: [
      { label: t`Memory`, value: ({ machine_memory_share }) => machine_memory_share },
      { label: t`Disk`, value: ({ disk_share }) => disk_share },
      { label: t`Short from here`, value: () => SHORT_SHARE },
    ],
    axis: amountAxis,
    format: (share) => formatShare(share, 1),
    tickText: (share) => `${Math.round(share * 100)} %`,
  },
  {
    title: t`Free disk space`,
    series: [{ label: t`Free`, value: ({ disk_free_bytes }) => disk_free_bytes }],
    ...bytes,
  },
  {
    title: t`Browser slots`,
    series: [
      { label: t`In use`, value: ({ slots_used }) => slots_used },
      { label: t`Scrapes waiting`, value: ({ slots_waiting }) => slots_waiting },
      { label: t`All slots`, value: ({ slots_total }) => slots_total },
    ],
    ...counts,
  },
  {
    title: t`Running scrapes`,
    series: [{ label: t`Running`, value: ({ requests }) => requests }],
    ...counts,
  },
  {
    title: t`Jobs: items waiting`,
    series: [{ label: t`Waiting`, value: ({ jobs_queued }) => jobs_queued }],
    ...counts,
  },
  {
    title: t`Memory of the service`,
    series: [
      { label: t`Processes`, value: ({ rss_bytes }) => rss_bytes },
      { label: t`Contents`, value: ({ memory_bytes }) => memory_bytes },
      { label: t`Limit for contents`, value: ({ memory_limit_bytes }) => memory_limit_bytes },
    ],
    ...bytes,
  },
  {
    title: t`Storage`,
    series: [
      { label: t`Used`, value: ({ storage_bytes }) => storage_bytes },
      { label: t`Limit`, value: ({ storage_limit_bytes }) => storage_limit_bytes },
    ],
    ...bytes,
  },
  {
    title: t`Event loop delay`,
    series: [{ label: t`Delay (p99)`, value: ({ event_loop_delay_ms }) => event_loop_delay_ms }],
    axis: amountAxis,
    format: formatDuration,
  },
  {
    title: t`Replicas`,
    series: [{ label: t`Running`, value: ({ replicas }) => replicas }],
    ...counts,
  },
];

/** The resources of all replicas over time. */
export function HistoryPanel() {
  const { window = '24h' } = systemRoute.useSearch();
  const { data, error, refetch } = useQuery(systemHistoryQuery(window));
  const [active, setActive] = useState<ActiveStep | null>(null);
  return (
    <Panel
      title={t`Over time`}
      description={t`All replicas together, in ${windowText(window)}. Each step shows its highest value, and the lowest of the free disk space.`}
    >
      {data !== undefined ? (
        <div className={chartClasses.figures}>
          {CHARTS.map((chart) => (
            <FiguresChart
              key={chart.title}
              {...chart}
              as="lines"
              points={data.points}
              stepSeconds={data.step_seconds}
              to={data.to}
              active={active}
              onActive={setActive}
            />
          ))}
        </div>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.loading} role="status" aria-label={t`Loading`} />
      )}
    </Panel>
  );
}
