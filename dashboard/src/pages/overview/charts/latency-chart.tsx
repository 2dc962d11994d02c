import type { Stats, StatsStep } from '../../../api/stats.ts';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import classes from './charts.module.css';
import type { PlotLayout } from './plot.tsx';
import { StepsTable, type StepsTableProps } from './step-details.tsx';

interface LatencyLinesProps {
  readonly steps: readonly StatsStep[];
  readonly geometry: PlotLayout;
  /** The step that is looked at. */
  readonly at: string | null;
}

interface LatencyPoint {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
}

/** The median and p95 of each step, and the band between; broken where nothing was scraped. */
export function LatencyLines({ steps, geometry, at }: LatencyLinesProps) {
  const { x, y, stepWidth } = geometry;
  const middle = ({ n }: LatencyPoint) => round(x(n) + stepWidth / 2);
  const line = (run: readonly LatencyPoint[], of: (point: LatencyPoint) => number): string =>
    run.map((point) => `${middle(point)} ${round(y(of(point)))}`).join('L');
  return runsOf(steps).map((run) => {
    const first = run[0]!;
    const shown = run.find(({ n }) => steps[n]!.at === at);
    return (
      <g key={steps[first.n]!.at} className={classes.latency}>
        <path
          data-line="band"
          d={`M${line(run, ({ p95 }) => p95)}L${line(run.toReversed(), ({ p50 }) => p50)}Z`}
        />
        <path data-line="p95" d={`M${line(run, ({ p95 }) => p95)}`} />
        <path data-line="p50" d={`M${line(run, ({ p50 }) => p50)}`} />
        {/* One step alone makes no line. */}
        {(run.length === 1 ? [first] : shown === undefined ? [] : [shown]).map((point) => (
          <g key={point.n}>
            <rect data-dot="p95" x={middle(point) - 3} y={y(point.p95) - 3} width="6" height="6" />
            <circle data-dot="p50" cx={middle(point)} cy={y(point.p50)} r="3.5" />
          </g>
        ))}
      </g>
    );
  });
}

function runsOf(steps: readonly StatsStep[]): LatencyPoint[][] {
  const runs: LatencyPoint[][] = [];
  let run: LatencyPoint[] = [];
  for (const [n, { p50_ms: p50, p95_ms: p95 }] of steps.entries()) {
    if (p50 === null || p95 === null) {
      run = [];
      continue;
    }
    if (run.length === 0) runs.push(run);
    run.push({ n, p50, p95 });
  }
  return runs;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const LINES = [
  { name: 'p50', words: 'Median', title: 'Half of the scrapes were faster.' },
  { name: 'p95', words: 'p95', title: '95 of 100 scrapes were faster.' },
] as const;

export function LatencyLegend({ latency }: { readonly latency: Stats['latency_ms'] }) {
  return (
    <ul className={classes.legend} aria-label="Lines">
      {LINES.map(({ name, words, title }) => (
        <li key={name}>
          <span className={classes.legendItem} title={title}>
            <svg className={classes.latency} width="18" height="12" aria-hidden="true" focusable="false">
              <path data-line={name} d="M1 6H17" />
            </svg>
            {words} <b>{formatDuration(latency[name])}</b>
          </span>
        </li>
      ))}
      <li className={classes.aside}>log scale</li>
    </ul>
  );
}

/** The chart of latency, to be read. */
export function LatencyTable(props: StepsTableProps) {
  return (
    <StepsTable
      {...props}
      caption="Latency over time, step by step"
      columns={[
        { name: 'Median', of: ({ p50_ms }) => formatDuration(p50_ms) },
        { name: 'p95', of: ({ p95_ms }) => formatDuration(p95_ms) },
        { name: 'Scrapes', of: ({ scrapes }) => formatCount(scrapes) },
      ]}
    />
  );
}
