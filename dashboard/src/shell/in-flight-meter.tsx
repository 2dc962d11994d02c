import { useLiveUser } from '../api/session.ts';
import { formatCount } from '../ui/format.ts';
import classes from './in-flight-meter.module.css';

/** How many requests of the user run now, of how many may. */
export function InFlightMeter() {
  const { in_flight: now, concurrency } = useLiveUser();
  const share = concurrency === 0 ? 0 : Math.min(1, now / concurrency);
  const state = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'fine';
  return (
    <div className={classes.meter}>
      <div className={classes.words}>
        <span id="in-flight">In flight</span>
        <span className={classes.count}>
          <b>{formatCount(now)}</b> of {formatCount(concurrency)}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a meter as they like */}
      <div
        className={classes.track}
        role="meter"
        aria-labelledby="in-flight"
        aria-valuenow={now}
        aria-valuemin={0}
        aria-valuemax={concurrency}
        aria-valuetext={`${now} of ${concurrency}`}
      >
        <div className={classes.fill} data-state={state} style={{ transform: `scaleX(${share})` }} />
      </div>
    </div>
  );
}
