import type { FailureCode } from '../domain/failure.ts';
import type { MissingCapability, VerdictKind } from '../domain/verdict.ts';

/** What an attempt shows of the defense of a site. */
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

/** What the observation depends on. */
interface ObservedAttempt {
  /** null: it gave a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  readonly failed: MissingCapability | null;
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
  // A limit of the rate says nothing of the route.
  rate: null,
};

/** Failures by which sites refuse visitors: they end the connection, or redirect for ever. Other failures are our own. */
const TARGET_FAILURES: ReadonlySet<FailureCode> = new Set([
  'connect.reset',
  'http.protocol',
  'redirect.too_many',
  'redirect.invalid',
  'timeout.attempt',
]);

/** The observation of an attempt, for the next attempts of the same scrape; null: it shows nothing. */
export function observationOf({ code, verdict, failed, satisfied, unmet }: ObservedAttempt): number | null {
  if (code !== null) return TARGET_FAILURES.has(code) ? NET : null;
  if (satisfied) return OK;
  if (unmet && verdict === 'ok') return SHELL;
  if (failed === 'ip' && verdict !== 'wall') return BANNED;
  return OBSERVATION_BY_VERDICT[verdict];
}

/**
 * What is remembered of an attempt for other scrapes; null: nothing. That its share of the time was used up is our own doing,
 * and what a caller accepts tells nothing of the site.
 */
export function lastingObservation(attempt: ObservedAttempt): number | null {
  if (attempt.code === 'timeout.attempt' || (attempt.unmet && attempt.verdict === 'ok')) return null;
  return observationOf(attempt);
}
