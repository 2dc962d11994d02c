import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import classes from './figure.module.css';

interface FigureProps {
  readonly label: string;
  /** Absent: the notes say all. */
  readonly value?: string;
  readonly unit?: string | undefined;
  /** Short details below the figure. null and false are left out. */
  readonly notes?: readonly ReactNode[];
  /** Above the notes: a meter or a bar. */
  readonly children?: ReactNode;
}

/** A single figure with a label. */
export function Figure({ label, value, unit, notes, children }: FigureProps) {
  return (
    <section className={classes.card} aria-label={label}>
      <h2 className={classes.label}>{label}</h2>
      {value !== undefined && (
        <p className={classes.value}>
          {value}
          {unit !== undefined && <span className={classes.unit}> {unit}</span>}
        </p>
      )}
      <div className={classes.foot}>
        {children}
        {notes !== undefined && (
          <p className={classes.more}>
            {notes.map(
              (note, index) =>
                note !== null &&
                note !== false && (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a figure do not move
                  <span key={index}>{note}</span>
                ),
            )}
          </p>
        )}
      </div>
    </section>
  );
}

interface LimitMeterProps {
  readonly label: string;
  readonly now: number;
  readonly limit: number;
  readonly thick?: boolean;
}

/** From this share of the limit, the color warns. */
const HIGH_SHARE = 0.8;

/** How much of a limit is in use. The color changes when little is left, and when nothing is left. */
export function LimitMeter({ label, now, limit, thick = false }: LimitMeterProps) {
  const share = limit === 0 ? 0 : Math.min(1, now / limit);
  const state = share >= 1 ? 'full' : share >= HIGH_SHARE ? 'high' : 'fine';
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled reliably
    <div
      className={classes.track}
      data-thick={thick || undefined}
      role="meter"
      aria-label={label}
      aria-valuenow={Math.min(now, limit)}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuetext={t`${now} of ${limit}`}
    >
      <div className={classes.fill} data-state={state} style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}
