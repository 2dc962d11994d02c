import { Link } from '@tanstack/react-router';
import type { Stats, StatsStep } from '../../../api/stats.ts';
import { formatCount, formatShare } from '../../../ui/format.ts';
import { OUTCOMES } from '../../../ui/outcome.tsx';
import classes from './charts.module.css';
import { patternFill, SCRAPE_OUTCOMES, Swatch } from './outcome-marks.tsx';
import type { PlotLayout } from './plot.tsx';
import { type HistoryFilter, StepsTable, type StepsTableProps } from './step-details.tsx';

/** Minimum height of a count that is not 0: one failure among a thousand must be visible. */
const MIN_HEIGHT = 2;

/** Stacked bars of outcomes, one for each step. */
export function OutcomeBars({
  steps,
  layout,
}: {
  readonly steps: readonly StatsStep[];
  readonly layout: PlotLayout;
}) {
  const { bottom, x } = layout;
  const stepWidth = x.bandwidth();
  const gap = stepWidth > 8 ? 2 : stepWidth > 3 ? 1 : 0.4;
  const width = Math.min(Math.max(0.8, stepWidth - gap), 28);
  return steps.map((step) => {
    if (step.scrapes === 0) return null;
    const left = x(step.at)! + (stepWidth - width) / 2;
    let top = bottom;
    return (
      <g key={step.at}>
        {stackHeights(step, layout).map(([outcome, height]) => {
          top -= height;
          return (
            <rect key={outcome} x={left} y={top} width={width} height={height} fill={patternFill(outcome)} />
          );
        })}
      </g>
    );
  });
}

/** Heights from the bottom up. What small parts gain by the minimum height is taken from the largest. */
function stackHeights(
  { outcomes, scrapes }: StatsStep,
  { bottom, y }: PlotLayout,
): [(typeof SCRAPE_OUTCOMES)[number], number][] {
  const whole = bottom - y(scrapes);
  const parts: [(typeof SCRAPE_OUTCOMES)[number], number][] = [];
  for (const outcome of SCRAPE_OUTCOMES) {
    const count = outcomes[outcome] ?? 0;
    if (count > 0) parts.push([outcome, Math.max(MIN_HEIGHT, (count / scrapes) * whole)]);
  }
  const over = parts.reduce((sum, [, height]) => sum + height, 0) - whole;
  const largest = parts.reduce((max, part) => (part[1] > max[1] ? part : max), parts[0]!);
  largest[1] = Math.max(MIN_HEIGHT, largest[1] - over);
  return parts;
}

interface OutcomeLegendProps {
  readonly totals: Stats['totals'];
  readonly filter: HistoryFilter;
}

/** The legend: each mark with its count and a link to its scrapes. */
export function OutcomeLegend({ totals, filter }: OutcomeLegendProps) {
  const present = SCRAPE_OUTCOMES.filter(
    (outcome) => outcome === 'ok' || (totals.outcomes[outcome] ?? 0) > 0,
  );
  return (
    <ul className={classes.legend} aria-label="Outcomes">
      {present.map((outcome) => {
        const count = totals.outcomes[outcome] ?? 0;
        return (
          <li key={outcome}>
            <Link
              to="/history"
              search={{ ...filter, outcome }}
              className={classes.legendItem}
              title={OUTCOMES[outcome].meaning}
            >
              <Swatch fill={patternFill(outcome)} />
              <span>{OUTCOMES[outcome].label}</span> <b>{formatCount(count)}</b>{' '}
              <small>{formatShare(count, totals.scrapes)}</small>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The outcomes chart as a table. */
export function OutcomesTable(props: StepsTableProps) {
  const present = SCRAPE_OUTCOMES.filter((outcome) =>
    props.steps.some(({ outcomes }) => (outcomes[outcome] ?? 0) > 0),
  );
  return (
    <StepsTable
      {...props}
      caption="Outcomes over time, step by step"
      columns={[
        { name: 'Scrapes', of: ({ scrapes }) => formatCount(scrapes) },
        ...present.map((outcome) => ({
          name: OUTCOMES[outcome].label,
          of: ({ outcomes }: StepsTableProps['steps'][number]) => formatCount(outcomes[outcome] ?? 0),
        })),
      ]}
    />
  );
}
