import type { StatsStep } from '../../../api/stats.ts';
import classes from './charts.module.css';
import type { Geometry } from './plot.tsx';

interface LatencyLinesProps {
  readonly steps: readonly StatsStep[];
  readonly geometry: Geometry;
  /** The step that is looked at. */
  readonly at: string | null;
}

interface Point {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
}

/** The median and p95 of each step, and the band between; broken where nothing was scraped. */
export function LatencyLines({ steps, geometry, at }: LatencyLinesProps) {
  const { x, y, stepWidth } = geometry;
  const middle = ({ n }: Point) => round(x(n) + stepWidth / 2);
  const line = (run: readonly Point[], of: (point: Point) => number): string =>
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

function runsOf(steps: readonly StatsStep[]): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
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
