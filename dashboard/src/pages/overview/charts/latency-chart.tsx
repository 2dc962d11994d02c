import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { area, line } from 'd3-shape';
import type { Stats, StatsStep } from '../../../api/stats.ts';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import classes from './charts.module.css';
import type { PlotLayout } from './plot.tsx';
import { StepsTable, type StepsTableProps } from './step-details.tsx';

interface LatencyLinesProps {
  readonly steps: readonly StatsStep[];
  readonly layout: PlotLayout;
  /** Beginning of the active step. */
  readonly activeAt: string | null;
}

interface MeasuredStep extends StatsStep {
  readonly p50_ms: number;
  readonly p95_ms: number;
}

const isMeasured = (step: StatsStep | undefined): step is MeasuredStep =>
  step !== undefined && step.p50_ms !== null && step.p95_ms !== null;

/** Median and p95 of each step, and the band between them. Interrupted where nothing was scraped. */
export function LatencyLines({ steps, layout: { x, y }, activeAt }: LatencyLinesProps) {
  const middle = (step: StatsStep) => x(step.at)! + x.bandwidth() / 2;
  const p50 = (step: StatsStep) => y(step.p50_ms ?? 0);
  const p95 = (step: StatsStep) => y(step.p95_ms ?? 0);
  const band = area<StatsStep>(middle, p50, p95).defined(isMeasured);
  const curve = line<StatsStep>(middle).defined(isMeasured);
  const dots = steps.filter(
    (step, index): step is MeasuredStep =>
      isMeasured(step) &&
      // A step between two without scrapes does not make a line, so it needs a dot.
      (step.at === activeAt || !(isMeasured(steps[index - 1]) || isMeasured(steps[index + 1]))),
  );
  return (
    <g className={classes.latency}>
      <path data-line="band" d={band(steps) ?? undefined} />
      <path data-line="p95" d={curve.y(p95)(steps) ?? undefined} />
      <path data-line="p50" d={curve.y(p50)(steps) ?? undefined} />
      {dots.map((step) => (
        <g key={step.at}>
          <rect data-dot="p95" x={middle(step) - 3} y={p95(step) - 3} width="6" height="6" />
          <circle data-dot="p50" cx={middle(step)} cy={p50(step)} r="3.5" />
        </g>
      ))}
    </g>
  );
}

const LINES = [
  { name: 'p50', label: t`Median`, title: t`Half of the scrapes were faster.` },
  { name: 'p95', label: 'p95', title: t`95 of 100 scrapes were faster.` },
] as const;

export function LatencyLegend({ latency }: { readonly latency: Stats['latency_ms'] }) {
  return (
    <ul className={classes.legend} aria-label={t({ message: 'Lines', context: 'chart' })}>
      {LINES.map(({ name, label, title }) => (
        <li key={name}>
          <span className={classes.legendItem} title={title}>
            <svg className={classes.latency} width="18" height="12" aria-hidden="true" focusable="false">
              <path data-line={name} d="M1 6H17" />
            </svg>
            {label} <b>{formatDuration(latency[name])}</b>
          </span>
        </li>
      ))}
      <li className={classes.scaleNote}>
        <Trans>log scale</Trans>
      </li>
    </ul>
  );
}

/** The latency chart as a table. */
export function LatencyTable(props: StepsTableProps) {
  return (
    <StepsTable
      {...props}
      caption={t`Latency over time, step by step`}
      columns={[
        { label: t`Median`, cell: ({ p50_ms }) => formatDuration(p50_ms) },
        { label: 'p95', cell: ({ p95_ms }) => formatDuration(p95_ms) },
        { label: t`Scrapes`, cell: ({ scrapes }) => formatCount(scrapes) },
      ]}
    />
  );
}
