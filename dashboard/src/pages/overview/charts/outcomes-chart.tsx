import { t } from '@lingui/core/macro';
import { Link } from '@tanstack/react-router';
import type { Stats, StatsStep } from '../../../api/stats.ts';
import { formatCount, formatShare } from '../../../ui/format.ts';
import { OUTCOMES } from '../../../ui/outcome.tsx';
import classes from './charts.module.css';
import { patternFill, SCRAPE_OUTCOMES, Swatch } from './outcome-marks.tsx';
import type { PlotLayout } from './plot.tsx';
import { type HistoryFilter, StepsTable, type StepsTableProps } from './step-details.tsx';

/** Minimum height in px of a count that is not 0: one failure among a thousand must be visible. */
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

/** Heights in px, from the bottom up. Pixels that the minimum height adds are taken from the largest segment. */
function stackHeights(
  { outcomes, scrapes }: StatsStep,
  { bottom, y }: PlotLayout,
): [(typeof SCRAPE_OUTCOMES)[number], number][] {
  const whole = bottom - y(scrapes);
  const segments: [(typeof SCRAPE_OUTCOMES)[number], number][] = [];
  for (const outcome of SCRAPE_OUTCOMES) {
    const count = outcomes[outcome] ?? 0;
    if (count > 0) segments.push([outcome, Math.max(MIN_HEIGHT, (count / scrapes) * whole)]);
  }
  const over = segments.reduce((sum, [, height]) => sum + height, 0) - whole;
  const largest = segments.reduce((max, segment) => (segment[1] > max[1] ? segment : max), segments[0]!);
  largest[1] = Math.max(MIN_HEIGHT, largest[1] - over);
  return segments;
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
    <ul className={classes.legend} aria-label={t`Outcomes`}>
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
      caption={t`Outcomes over time, step by step`}
      columns={[
        { label: t`Scrapes`, cell: ({ scrapes }) => formatCount(scrapes) },
        ...present.map((outcome) => ({
          label: OUTCOMES[outcome].label,
          cell: ({ outcomes }: StepsTableProps['steps'][number]) => formatCount(outcomes[outcome] ?? 0),
        })),
      ]}
    />
  );
}
