import type { Schema } from '../../api/client.ts';
import classes from './route.module.css';

interface EstimateProps {
  readonly candidate: Schema<'Candidate'>;
  /** Of what was paid; undefined where the answer does not tell it. */
  readonly unit: string | undefined;
}

/** What was thought of a way before it was gone: how likely it gives the page, and for how much. */
export function Estimate({ candidate: { est_success, est_cost }, unit }: EstimateProps) {
  if (est_success === null && est_cost === null) return null;
  return (
    <span className={classes.estimate}>
      {est_success !== null && (
        <span title="Estimated chance of success">
          <i className={classes.chance} aria-hidden="true">
            <i style={{ width: `${Math.round(est_success * 100)}%` }} />
          </i>
          {Math.round(est_success * 100)} %<span className={classes.hidden}> likely</span>
        </span>
      )}
      {est_cost !== null && (
        <span title="Estimated cost of an attempt">
          {unit === 'effort' ? `relative cost ${costText(est_cost)}` : `≈ ${costText(est_cost)}`}
        </span>
      )}
    </span>
  );
}

/** Estimates have no more than three digits that mean something. */
const costText = (cost: number): string => String(Number(cost.toPrecision(3)));
