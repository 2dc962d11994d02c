import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Stats, StatsStep } from '../../api/stats.ts';
import { formatShortCount } from '../../ui/format.ts';
import { ChartPanel } from './chart-panel.tsx';
import { LATENCY_HEIGHT, OUTCOMES_HEIGHT } from './charts/heights.ts';
import { LatencyLegend } from './charts/latency-legend.tsx';
import { LatencyLines } from './charts/latency-lines.tsx';
import { LatencyTable } from './charts/latency-table.tsx';
import { OutcomeBars } from './charts/outcome-bars.tsx';
import { OutcomeLegend } from './charts/outcome-legend.tsx';
import { OutcomesTable } from './charts/outcomes-table.tsx';
import { type Look, Plot } from './charts/plot.tsx';
import { countScale, durationScale } from './charts/scale.ts';
import { StepTooltip, stepSentence } from './charts/step-tooltip.tsx';
import { axisDuration, stepTime } from './charts/time-text.ts';
import type { HistoryFilter } from './history-filter.ts';
import { Quiet } from './quiet.tsx';

const overviewRoute = getRouteApi('/signed-in/');

interface OverTimeProps {
  readonly stats: Stats;
  readonly filter: HistoryFilter;
}

/** What happened when: outcomes and latency under each other on the same axis of time. */
export function OverTime({ stats, filter }: OverTimeProps) {
  const [look, setLook] = useState<Look | null>(null);
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
  const durations = latencies.length === 0 ? [10, 1000] : latencies;
  const common = {
    steps,
    stepSeconds,
    look,
    onLook: setLook,
    sentence: (step: StatsStep) => stepSentence({ step, time: timeOf(step) }),
    tooltip: (step: StatsStep) => <StepTooltip step={step} time={timeOf(step)} />,
    onOpen: (step: StatsStep) => {
      if (step.scrapes > 0) void navigate({ to: '/history', search: filterOf(step) });
    },
  };
  const table = { steps, timeOf, filterOf };
  const quiet = totals.scrapes === 0 && <Quiet window={stats.window} />;
  return (
    <>
      <ChartPanel
        name="outcomes"
        title="Outcomes over time"
        legend={<OutcomeLegend totals={totals} filter={filter} />}
        table={<OutcomesTable {...table} />}
      >
        <Plot
          {...common}
          label="Outcomes over time"
          height={OUTCOMES_HEIGHT}
          {...countScale(Math.max(...counts))}
          tickText={formatShortCount}
        >
          {(geometry) => <OutcomeBars steps={steps} geometry={geometry} />}
        </Plot>
        {quiet}
      </ChartPanel>
      <ChartPanel
        name="latency"
        title="Latency over time"
        legend={<LatencyLegend latency={stats.latency_ms} />}
        table={<LatencyTable {...table} />}
      >
        <Plot
          {...common}
          label="Latency over time"
          height={LATENCY_HEIGHT}
          {...durationScale(Math.min(...durations), Math.max(...durations))}
          tickText={axisDuration}
        >
          {(geometry) => <LatencyLines steps={steps} geometry={geometry} at={look?.at ?? null} />}
        </Plot>
        {quiet}
      </ChartPanel>
    </>
  );
}
