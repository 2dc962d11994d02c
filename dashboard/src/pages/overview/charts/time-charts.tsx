import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Stats, StatsStep, StatsWindow } from '../../../api/stats.ts';
import { formatShortCount } from '../../../ui/format.ts';
import { IconOverview, IconTable } from '../../../ui/icons.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { TextLink } from '../../../ui/text.tsx';
import classes from '../overview.module.css';
import { windowText } from '../stats-scope.ts';
import { LatencyLegend, LatencyLines, LatencyTable } from './latency-chart.tsx';
import { OutcomeBars, OutcomeLegend, OutcomesTable } from './outcomes-chart.tsx';
import { type ActiveStep, LATENCY_HEIGHT, OUTCOMES_HEIGHT, Plot } from './plot.tsx';
import { axisDuration, countAxis, durationAxis, stepTime } from './scales.ts';
import { type HistoryFilter, StepTooltip, stepSentence } from './step-details.tsx';

const overviewRoute = getRouteApi('/signed-in/');

interface TimeChartsProps {
  readonly stats: Stats;
  readonly filter: HistoryFilter;
}

/** Outcomes and latency, one below the other, on the same time axis. */
export function TimeCharts({ stats, filter }: TimeChartsProps) {
  const [active, setActive] = useState<ActiveStep | null>(null);
  const navigate = overviewRoute.useNavigate();
  const { series: steps, step_seconds: stepSeconds, totals } = stats;
  const timeOf = (step: StatsStep) => stepTime(step, stepSeconds, stats.to);
  const filterOf = ({ at: from }: StatsStep): HistoryFilter => ({
    ...filter,
    from,
    to: new Date(new Date(from).getTime() + stepSeconds * 1000).toISOString(),
  });
  const counts = steps.map(({ scrapes }) => scrapes);
  const latencies = steps.flatMap(({ p50_ms, p95_ms }) =>
    p50_ms === null || p95_ms === null ? [] : [p50_ms, p95_ms],
  );
  // Without scrapes, the axis has a usual range.
  const durations = latencies.length === 0 ? [10, 1000] : latencies;
  const common = {
    steps,
    stepSeconds,
    active,
    onActive: setActive,
    sentence: (step: StatsStep) => stepSentence({ step, time: timeOf(step) }),
    tooltip: (step: StatsStep) => <StepTooltip step={step} time={timeOf(step)} />,
    onOpen: (step: StatsStep) => {
      if (step.scrapes > 0) void navigate({ to: '/history', search: filterOf(step) });
    },
  };
  const table = { steps, timeOf, filterOf };
  const empty = totals.scrapes === 0 && <NoScrapesInWindow window={stats.window} />;
  return (
    <>
      <ChartPanel
        name="outcomes"
        title={t`Outcomes over time`}
        legend={<OutcomeLegend totals={totals} filter={filter} />}
        table={<OutcomesTable {...table} />}
      >
        <Plot
          {...common}
          label={t`Outcomes over time`}
          height={OUTCOMES_HEIGHT}
          axis={countAxis(Math.max(...counts))}
          tickText={formatShortCount}
        >
          {(layout) => <OutcomeBars steps={steps} layout={layout} />}
        </Plot>
        {empty}
      </ChartPanel>
      <ChartPanel
        name="latency"
        title={t`Latency over time`}
        legend={<LatencyLegend latency={stats.latency_ms} />}
        table={<LatencyTable {...table} />}
      >
        <Plot
          {...common}
          label={t`Latency over time`}
          height={LATENCY_HEIGHT}
          axis={durationAxis(Math.min(...durations), Math.max(...durations))}
          tickText={axisDuration}
        >
          {(layout) => <LatencyLines steps={steps} layout={layout} activeAt={active?.at ?? null} />}
        </Plot>
        {empty}
      </ChartPanel>
    </>
  );
}

interface ChartPanelProps {
  /** Name of the chart in the URL. */
  readonly name: string;
  readonly title: string;
  readonly legend: ReactNode;
  /** The same figures as a table. */
  readonly table: ReactNode;
  readonly children: ReactNode;
}

/** A chart that can also be shown as a table. */
function ChartPanel({ name, title, legend, table, children }: ChartPanelProps) {
  const { table: tables = [] } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  const asTable = tables.includes(name);
  const toggle = () => {
    const others = tables.filter((other) => other !== name);
    const next = asTable ? others : [...others, name];
    void navigate({
      search: (old) => ({ ...old, table: next.length === 0 ? undefined : next }),
      replace: true,
    });
  };
  const buttonLabel = asTable ? t`${title}: show as a chart` : t`${title}: show as a table`;
  const ToggleIcon = asTable ? IconOverview : IconTable;
  return (
    <Panel
      title={title}
      flush={asTable}
      actions={
        <ActionIcon
          size={26}
          onClick={toggle}
          aria-label={buttonLabel}
          title={asTable ? t`Show as a chart` : t`Show as a table`}
        >
          <ToggleIcon size={16} />
        </ActionIcon>
      }
    >
      {asTable ? (
        <div className={classes.table}>{table}</div>
      ) : (
        <>
          {legend}
          <div className={classes.chart}>{children}</div>
        </>
      )}
    </Panel>
  );
}

/** Shown over an empty chart. */
function NoScrapesInWindow({ window }: { readonly window: StatsWindow }) {
  return (
    <div className={classes.noScrapes}>
      <span>
        <Trans>No scrapes in {windowText(window)}.</Trans>
      </span>
      {window === '90d' ? (
        <TextLink to="/history">
          <Trans>Open the history</Trans>
        </TextLink>
      ) : (
        <TextLink to="/" search={(old) => ({ ...old, window: '90d' as const })}>
          <Trans>Show the last 90 days</Trans>
        </TextLink>
      )}
    </div>
  );
}
