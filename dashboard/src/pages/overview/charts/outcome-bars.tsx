import type { StatsStep } from '../../../api/stats.ts';
import { fillOf, OUTCOME_NAMES } from './outcome-patterns.tsx';
import type { Geometry } from './plot.tsx';

/** So high at least is what is not nothing: one failure among a thousand must be seen. */
const LEAST = 2;

/** A stack of outcomes for each step. */
export function OutcomeBars({
  steps,
  geometry,
}: {
  readonly steps: readonly StatsStep[];
  readonly geometry: Geometry;
}) {
  const { stepWidth, bottom, x } = geometry;
  const gap = stepWidth > 8 ? 2 : stepWidth > 3 ? 1 : 0.4;
  const width = Math.min(Math.max(0.8, stepWidth - gap), 28);
  return steps.map((step, n) => {
    if (step.scrapes === 0) return null;
    const left = x(n) + (stepWidth - width) / 2;
    let top = bottom;
    return (
      <g key={step.at}>
        {heights(step, geometry).map(([outcome, height]) => {
          top -= height;
          return <rect key={outcome} x={left} y={top} width={width} height={height} fill={fillOf(outcome)} />;
        })}
      </g>
    );
  });
}

/** From the bottom up; what the small ones are raised by is taken from the largest. */
function heights(
  { outcomes, scrapes }: StatsStep,
  { bottom, y }: Geometry,
): [(typeof OUTCOME_NAMES)[number], number][] {
  const whole = bottom - y(scrapes);
  const parts: [(typeof OUTCOME_NAMES)[number], number][] = [];
  for (const outcome of OUTCOME_NAMES) {
    const count = outcomes[outcome] ?? 0;
    if (count > 0) parts.push([outcome, Math.max(LEAST, (count / scrapes) * whole)]);
  }
  const over = parts.reduce((sum, [, height]) => sum + height, 0) - whole;
  const largest = parts.reduce((most, part) => (part[1] > most[1] ? part : most), parts[0]!);
  largest[1] = Math.max(LEAST, largest[1] - over);
  return parts;
}
