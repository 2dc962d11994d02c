import { formatCount } from '../../ui/format.ts';
import { Figure } from './figure.tsx';
import classes from './key-figures.module.css';

interface InFlightFigureProps {
  readonly now: number;
  /** null: of several users, each with a limit of their own. */
  readonly limit: number | null;
}

/** How much of the limit is in use at this moment. */
export function InFlightFigure({ now, limit }: InFlightFigureProps) {
  if (limit === null) {
    return (
      <Figure label="In flight" value={formatCount(now)}>
        <p className={classes.more}>of all users together</p>
      </Figure>
    );
  }
  const share = limit === 0 ? 0 : Math.min(1, now / limit);
  const state = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'fine';
  return (
    <Figure label="In flight" value={formatCount(now)} unit={`of ${formatCount(limit)}`}>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a meter as they like */}
      <div
        className={classes.track}
        role="meter"
        aria-label="In flight against the limit"
        aria-valuenow={Math.min(now, limit)}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuetext={`${now} of ${limit}`}
      >
        <div className={classes.fill} data-state={state} style={{ transform: `scaleX(${share})` }} />
      </div>
      <p className={classes.more}>
        {state === 'full' ? 'At the limit: more are refused' : `${formatCount(limit - now)} free`}
      </p>
    </Figure>
  );
}
