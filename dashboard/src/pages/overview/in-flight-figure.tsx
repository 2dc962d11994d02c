import classes from '../../ui/figure.module.css';
import { Figure, LimitMeter } from '../../ui/figure.tsx';
import { formatCount } from '../../ui/format.ts';

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
        <p className={classes.more}>all users together</p>
      </Figure>
    );
  }
  return (
    <Figure label="In flight" value={formatCount(now)} unit={`of ${formatCount(limit)}`}>
      <LimitMeter label="In flight against the limit" now={now} limit={limit} thick />
      <p className={classes.more}>
        {now >= limit ? 'At the limit: further requests are refused' : `${formatCount(limit - now)} free`}
      </p>
    </Figure>
  );
}
