import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Schema } from '../../api/client.ts';
import { formatNumber } from '../../ui/format.ts';
import { type Tone, toneStyle } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import classes from './route.module.css';

export const ATTEMPT_TONES: Readonly<Record<Schema<'Attempt'>['outcome'], Tone>> = {
  ok: 'green',
  rejected: 'amber',
  failed: 'red',
  cancelled: 'slate',
};

interface RouteMapProps {
  readonly candidates: readonly Schema<'Candidate'>[];
  readonly attempts: readonly Schema<'Attempt'>[];
  /** Number of the attempt whose page was delivered. */
  readonly delivered: number | null;
  /** Unit of the estimated costs. */
  readonly unit: string | undefined;
}

/**
 * A diagram with a track for each available route, and a line through the attempts from left to right. The line is decorative:
 * tracks and attempts are lists with the same information.
 */
export function RouteMap({ candidates, attempts, delivered, unit }: RouteMapProps) {
  const tracks = tracksOf(candidates, attempts);
  if (tracks.length === 0) return null;
  const marks = marksOf(tracks, attempts);
  const line = marks.map(({ x, y }) => `${x * 1000},${y * 1000}`).join(' ');
  return (
    <div className={classes.map}>
      <ol className={classes.tracks} aria-label={t`Candidates`}>
        {tracks.map((track) => (
          <li
            key={routeKey({ scraper: track.scraper, proxy_type: track.proxyType })}
            data-taken={isTaken(track)}
          >
            <RouteName scraper={track.scraper} proxyType={track.proxyType} className={classes.routeName} />
            <span className={classes.status}>{trackStatus(track, delivered)}</span>
            {track.candidate !== null && <Estimate candidate={track.candidate} unit={unit} />}
          </li>
        ))}
      </ol>
      <div className={classes.diagram} aria-hidden="true">
        <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <polyline points={line} vectorEffect="non-scaling-stroke" />
        </svg>
        {marks.map(({ attempt, x, y }) => (
          <span
            key={attempt.n}
            className={classes.mark}
            data-tone={ATTEMPT_TONES[attempt.outcome]}
            data-delivered={attempt.n === delivered || undefined}
            style={{ ...toneStyle(ATTEMPT_TONES[attempt.outcome]), left: `${x * 100}%`, top: `${y * 100}%` }}
          >
            {attempt.n}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Whether an attempt used the route, or would be the first to use it. undefined leaves the attribute out. */
const isTaken = ({ attempts, candidate }: RouteTrack): true | undefined =>
  attempts.length > 0 || candidate?.selected === true || undefined;

function trackStatus({ attempts, candidate }: RouteTrack, delivered: number | null): string {
  const returned = attempts.find(({ n }) => n === delivered);
  if (returned !== undefined) return returned.outcome === 'ok' ? t`delivered` : t`returned`;
  if (attempts.length > 1) return t`tried ${attempts.length} times`;
  if (attempts.length === 1) return t`tried`;
  return candidate?.selected === true ? t`would be first` : t`not tried`;
}

type Attempt = Schema<'Attempt'>;
type Candidate = Schema<'Candidate'>;

/** A route that was available or used. */
interface RouteTrack {
  readonly scraper: Candidate['scraper'];
  readonly proxyType: Candidate['proxy_type'];
  /** null: an attempt used it although it is no candidate. */
  readonly candidate: Candidate | null;
  readonly attempts: readonly Attempt[];
}

/** The available routes, in the order of the response. */
function tracksOf(candidates: readonly Candidate[], attempts: readonly Attempt[]): readonly RouteTrack[] {
  const tracks = new Map<string, RouteTrack>();
  const addTrack = (route: Candidate | Attempt, candidate: Candidate | null) => {
    const key = routeKey(route);
    const attemptsByRoute = attempts.filter((attempt) => routeKey(attempt) === key);
    if (tracks.has(key) || (candidate?.excluded_by != null && attemptsByRoute.length === 0)) return;
    const { scraper, proxy_type: proxyType } = route;
    tracks.set(key, { scraper, proxyType, candidate, attempts: attemptsByRoute });
  };
  for (const candidate of candidates) addTrack(candidate, candidate);
  for (const attempt of attempts) addTrack(attempt, null);
  return [...tracks.values()];
}

interface AttemptMark {
  readonly attempt: Attempt;
  /** Position from 0 to 1 in the width and height of the diagram. */
  readonly x: number;
  readonly y: number;
}

/** The position of each attempt: from left to right in their order, vertically at its track. */
function marksOf(tracks: readonly RouteTrack[], attempts: readonly Attempt[]): readonly AttemptMark[] {
  return attempts.map((attempt, index) => ({
    attempt,
    x: (index + 0.5) / attempts.length,
    y: (tracks.findIndex((track) => track.attempts.includes(attempt)) + 0.5) / tracks.length,
  }));
}

export const routeKey = (route: { readonly scraper: string; readonly proxy_type: string }): string =>
  `${route.scraper}/${route.proxy_type}`;

interface EstimateProps {
  readonly candidate: Schema<'Candidate'>;
  /** Unit of the cost; undefined if the response does not contain it. */
  readonly unit: string | undefined;
}

/** The estimates for a route before it was used: probability of success, and cost. */
function Estimate({ candidate: { est_success, est_cost }, unit }: EstimateProps) {
  if (est_success === null && est_cost === null) return null;
  return (
    <span className={classes.estimate}>
      {est_success !== null && (
        <span title={t`Estimated chance of success`}>
          <i className={classes.probability} aria-hidden="true">
            <i style={{ width: `${Math.round(est_success * 100)}%` }} />
          </i>
          {Math.round(est_success * 100)} %
          <span className="visually-hidden">
            {' '}
            <Trans>likely</Trans>
          </span>
        </span>
      )}
      {est_cost !== null && (
        <span title={t`Estimated cost of an attempt`}>
          {unit === 'effort' ? t`relative cost ${estimateText(est_cost)}` : `≈ ${estimateText(est_cost)}`}
        </span>
      )}
    </span>
  );
}

/** Estimates have at most three significant digits. */
const estimateText = (cost: number): string => formatNumber(Number(cost.toPrecision(3)));
