import { usePolledUser } from '../api/session.ts';
import { LimitMeter } from '../ui/figure.tsx';
import { formatCount } from '../ui/format.ts';
import classes from './in-flight-meter.module.css';

/** How many requests of the user run now, of how many may. */
export function InFlightMeter() {
  const { in_flight: now, concurrency } = usePolledUser();
  return (
    <div className={classes.meter}>
      <div className={classes.words}>
        <span>In flight</span>
        <span className={classes.count}>
          <b>{formatCount(now)}</b> of {formatCount(concurrency)}
        </span>
      </div>
      <LimitMeter label="In flight" now={now} limit={concurrency} />
    </div>
  );
}
