import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { StatsStep } from '../../../api/stats.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { OUTCOMES } from '../../../ui/outcome.tsx';
import { TextLink } from '../../../ui/text.tsx';
import classes from './charts.module.css';
import { patternFill, SCRAPE_OUTCOMES, Swatch } from './outcome-marks.tsx';

/** The search parameters of all links to the history: the same time and user. */
export interface HistoryFilter {
  readonly from: string;
  readonly to: string;
  readonly user_id: string | undefined;
}

interface StepTooltipProps {
  readonly step: StatsStep;
  readonly time: string;
}

/** Shows all figures of a step. */
export function StepTooltip({ step, time }: StepTooltipProps) {
  const present = SCRAPE_OUTCOMES.filter((outcome) => (step.outcomes[outcome] ?? 0) > 0);
  return (
    <>
      <div className={classes.tooltipTime}>{time}</div>
      {step.scrapes === 0 ? (
        <div className={classes.tooltipRow}>
          <Trans>No scrapes</Trans>
        </div>
      ) : (
        <>
          {present.map((outcome) => (
            <div key={outcome} className={classes.tooltipRow}>
              <Swatch fill={patternFill(outcome)} />
              {OUTCOMES[outcome].label}
              <b>{formatCount(step.outcomes[outcome] ?? 0)}</b>
            </div>
          ))}
          <div className={classes.tooltipRow} data-sum>
            <Trans>
              Scrapes
              <b>{formatCount(step.scrapes)}</b>
            </Trans>
          </div>
          <div className={classes.tooltipRow}>
            <Trans>
              Median · p95
              <b>
                {formatDuration(step.p50_ms)} · {formatDuration(step.p95_ms)}
              </b>
            </Trans>
          </div>
        </>
      )}
    </>
  );
}

/** All figures of a step in one sentence. */
export function stepSentence({ step, time }: StepTooltipProps): string {
  if (step.scrapes === 0) return t`${time}: no scrapes`;
  const counts = SCRAPE_OUTCOMES.flatMap((outcome) => {
    const count = step.outcomes[outcome] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${OUTCOMES[outcome].label}`];
  });
  const latency = t`median ${formatDuration(step.p50_ms)}, p95 ${formatDuration(step.p95_ms)}`;
  return t`${time}: ${formatCount(step.scrapes)} scrapes, ${counts.join(', ')}; latency ${latency}`;
}

/** The common props of tables of steps. */
export interface StepsTableProps {
  readonly steps: readonly StatsStep[];
  readonly timeOf: (step: StatsStep) => string;
  readonly filterOf: (step: StatsStep) => HistoryFilter;
}

interface Columns {
  readonly caption: string;
  /** The columns after the time. */
  readonly columns: readonly { readonly label: string; readonly cell: (step: StatsStep) => ReactNode }[];
}

/** The steps with scrapes, the newest first. Each links to its scrapes. */
export function StepsTable({ steps, timeOf, filterOf, caption, columns }: StepsTableProps & Columns) {
  const rows = steps.filter(({ scrapes }) => scrapes > 0).toReversed();
  return (
    <DataTable
      caption={caption}
      columns={[
        {
          label: t`Time`,
          nowrap: true,
          cell: (step) => (
            <TextLink to="/history" search={filterOf(step)} size="sm">
              {timeOf(step)}
            </TextLink>
          ),
        },
        ...columns.map((column) => ({ ...column, numeric: true })),
      ]}
      rows={rows}
      rowKey={({ at }) => at}
    >
      {rows.length === 0 && (
        <tr>
          <td colSpan={columns.length + 1}>
            <Trans>No scrapes in this time.</Trans>
          </td>
        </tr>
      )}
    </DataTable>
  );
}
