import type { Schema } from '../../api/client.ts';
import { RouteName } from '../../ui/route-name.tsx';
import { ATTEMPT_TONES } from './attempt-tone.ts';
import { Estimate } from './estimate.tsx';
import { keyOf, type Lane, lanesOf, stopsOf } from './lanes.ts';
import classes from './route.module.css';

interface LaneMapProps {
  readonly candidates: readonly Schema<'Candidate'>[];
  readonly attempts: readonly Schema<'Attempt'>[];
  readonly delivered: number | null;
  readonly unit: string | undefined;
}

/**
 * The picture: a lane for each way that was open, and the line that the attempts draw through them, from left to right.
 * The line is an ornament; lanes and attempts are lists, which say the same.
 */
export function LaneMap({ candidates, attempts, delivered, unit }: LaneMapProps) {
  const lanes = lanesOf(candidates, attempts);
  if (lanes.length === 0) return null;
  const stops = stopsOf(lanes, attempts);
  const line = stops.map(({ x, y }) => `${x * 1000},${y * 1000}`).join(' ');
  return (
    <div className={classes.map}>
      <ol className={classes.lanes} aria-label="Candidates">
        {lanes.map((lane) => (
          <li key={keyOf({ scraper: lane.scraper, proxy_type: lane.proxyType })} data-gone={gone(lane)}>
            <RouteName scraper={lane.scraper} proxyType={lane.proxyType} className={classes.way} />
            <span className={classes.fate}>{fateOf(lane, delivered)}</span>
            {lane.candidate !== null && <Estimate candidate={lane.candidate} unit={unit} />}
          </li>
        ))}
      </ol>
      <div className={classes.track} aria-hidden="true">
        <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <polyline points={line} vectorEffect="non-scaling-stroke" />
        </svg>
        {stops.map(({ attempt, x, y }) => (
          <span
            key={attempt.n}
            className={classes.stop}
            data-tone={ATTEMPT_TONES[attempt.outcome]}
            data-delivered={attempt.n === delivered || undefined}
            style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
          >
            {attempt.n}
          </span>
        ))}
      </div>
    </div>
  );
}

const gone = ({ attempts, candidate }: Lane): true | undefined =>
  attempts.length > 0 || candidate?.selected === true || undefined;

function fateOf({ attempts, candidate }: Lane, delivered: number | null): string {
  if (attempts.some(({ n }) => n === delivered)) return 'delivered';
  if (attempts.length > 1) return `tried ${attempts.length} times`;
  if (attempts.length === 1) return 'tried';
  return candidate?.selected === true ? 'would be first' : 'not tried';
}
