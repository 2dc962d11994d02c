import type { ReactNode } from 'react';
import classes from './figure.module.css';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly unit?: string | undefined;
  /** What belongs to the figure, in small. */
  readonly children: ReactNode;
}

/** One figure that stands alone. */
export function Figure({ label, value, unit, children }: FigureProps) {
  return (
    <section className={classes.card} aria-label={label}>
      <h2 className={classes.label}>{label}</h2>
      <p className={classes.value}>
        {value}
        {unit !== undefined && <span className={classes.unit}> {unit}</span>}
      </p>
      <div className={classes.foot}>{children}</div>
    </section>
  );
}
