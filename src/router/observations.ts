import type { FailureCode } from '../domain/failure.ts';
import type { MissingCapability, VerdictKind } from '../domain/verdict.ts';

/** What an attempt tells of the target that asks for something. */
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

/** What an attempt that ended shows of itself. */
interface ObservedAttempt {
  /** null: it gave a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  readonly failed: MissingCapability | null;
  readonly satisfied: boolean;
  /** The page is not what `accept` asks for. */
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
  // Too often is no question of how.
  rate: null,
};

/**
 * Targets end connections that way, or redirect for ever, which do not like who calls. What is our own trouble tells
 * nothing of a target.
 */
const TARGET_FAILURES: ReadonlySet<FailureCode> = new Set([
  'connect.reset',
  'http.protocol',
  'redirect.too_many',
  'redirect.invalid',
  'timeout.attempt',
]);

/** The sign of an attempt for the further course of its own scrape; null: it tells nothing. */
export function observationOf({ code, verdict, failed, satisfied, unmet }: ObservedAttempt): number | null {
  if (code !== null) return TARGET_FAILURES.has(code) ? NET : null;
  if (satisfied) return OK;
  if (unmet && verdict === 'ok') return SHELL;
  if (failed === 'ip' && verdict !== 'wall') return BANNED;
  return OBSERVATION_BY_VERDICT[verdict];
}

/**
 * What is remembered of it for other scrapes; null: nothing. A share of time that was used up is our own doing, and
 * what a caller accepts is a matter of the caller.
 */
export function lastingObservation(shown: ObservedAttempt): number | null {
  if (shown.code === 'timeout.attempt' || (shown.unmet && shown.verdict === 'ok')) return null;
  return observationOf(shown);
}
