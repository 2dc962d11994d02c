import type { FailureCode } from '../domain/failure.ts';
import type { MissingCapability, VerdictKind } from '../domain/verdict.ts';

/** What an attempt can show about the defense of a site. */
export const OBSERVATIONS = [
  'ok',
  'shell',
  'challenge',
  'captcha',
  'block',
  'banned',
  'net',
  'wall',
] as const;
export const [OK, SHELL, CHALLENGE, CAPTCHA, BLOCK, BANNED, NET, WALL] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The properties of an attempt that the observation depends on. */
interface ObservedAttempt {
  /** null: it returned a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  readonly missing: MissingCapability | null;
  readonly satisfied: boolean;
  /** The page does not meet `accept`. */
  readonly unmet: boolean;
}

const OBSERVATION_BY_VERDICT: Readonly<Record<VerdictKind, number | null>> = {
  ok: NET,
  js_shell: SHELL,
  empty: SHELL,
  challenge: CHALLENGE,
  captcha: CAPTCHA,
  block: BLOCK,
  wall: WALL,
  error_page: NET,
  net: NET,
  // A rate limit shows nothing about the route.
  rate: null,
};

/** Failures by which sites refuse visitors: they close the connection, or redirect endlessly. Others have other causes. */
const TARGET_FAILURES: ReadonlySet<FailureCode> = new Set([
  'connect.reset',
  'http.protocol',
  'redirect.too_many',
  'redirect.invalid',
  'timeout.attempt',
]);

/** The observation of an attempt, for further attempts of the same scrape; null if it shows nothing. */
export function observationOf({ code, verdict, missing, satisfied, unmet }: ObservedAttempt): number | null {
  if (code !== null) return TARGET_FAILURES.has(code) ? NET : null;
  if (satisfied) return OK;
  if (unmet && verdict === 'ok') return SHELL;
  if (missing === 'ip' && verdict !== 'wall') return BANNED;
  return OBSERVATION_BY_VERDICT[verdict];
}

/**
 * The observation of an attempt, to be remembered for other scrapes; null if it shows nothing. The time limit of an attempt is
 * set by us, and the conditions of a caller say nothing about the site.
 */
export function lastingObservation(attempt: ObservedAttempt): number | null {
  if (attempt.code === 'timeout.attempt' || (attempt.unmet && attempt.verdict === 'ok')) return null;
  return observationOf(attempt);
}
