import type { StatsStep } from '../../../api/stats.ts';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { OUTCOMES } from '../../../ui/outcome.tsx';
import classes from './charts.module.css';
import { fillOf, OUTCOME_NAMES, Swatch } from './outcome-patterns.tsx';

interface StepTooltipProps {
  readonly step: StatsStep;
  readonly time: string;
}

/** All figures of one step. */
export function StepTooltip({ step, time }: StepTooltipProps) {
  const present = OUTCOME_NAMES.filter((outcome) => (step.outcomes[outcome] ?? 0) > 0);
  return (
    <>
      <div className={classes.tooltipTime}>{time}</div>
      {step.scrapes === 0 ? (
        <div className={classes.tooltipRow}>No scrapes</div>
      ) : (
        <>
          {present.map((outcome) => (
            <div key={outcome} className={classes.tooltipRow}>
              <Swatch fill={fillOf(outcome)} />
              {OUTCOMES[outcome].label}
              <b>{formatCount(step.outcomes[outcome] ?? 0)}</b>
            </div>
          ))}
          <div className={classes.tooltipRow} data-sum>
            Scrapes
            <b>{formatCount(step.scrapes)}</b>
          </div>
          <div className={classes.tooltipRow}>
            Median · p95
            <b>
              {formatDuration(step.p50_ms)} · {formatDuration(step.p95_ms)}
            </b>
          </div>
        </>
      )}
    </>
  );
}

/** The same in one sentence. */
export function stepSentence({ step, time }: StepTooltipProps): string {
  if (step.scrapes === 0) return `${time}: no scrapes`;
  const parts = OUTCOME_NAMES.flatMap((outcome) => {
    const count = step.outcomes[outcome] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${OUTCOMES[outcome].label}`];
  });
  const latency = `median ${formatDuration(step.p50_ms)}, p95 ${formatDuration(step.p95_ms)}`;
  return `${time}: ${formatCount(step.scrapes)} scrapes, ${parts.join(', ')}; latency ${latency}`;
}
