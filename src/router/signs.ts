import type { FailureCode } from '../domain/failure.ts';
import type { CapabilityAsked, VerdictKind } from '../domain/verdict.ts';

/** What an attempt tells of the target that asks for something. */
export const SIGNS = ['ok', 'shell', 'challenge', 'captcha', 'block', 'banned', 'net', 'wall'] as const;
export const [OK, SHELL, CHALLENGE, CAPTCHA, BLOCK, BANNED, NET, WALL] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** What an attempt that ended shows of itself. */
interface Shown {
  /** null: it gave a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  readonly failed: CapabilityAsked | null;
  readonly satisfied: boolean;
  /** The page is not what `accept` asks for. */
  readonly unmet: boolean;
}

const OF_KIND: Readonly<Record<VerdictKind, number | null>> = {
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
const OF_TARGET: ReadonlySet<FailureCode> = new Set([
  'connect.reset',
  'http.protocol',
  'redirect.too_many',
  'redirect.invalid',
  'timeout.attempt',
]);

/** The sign of an attempt for the further course of its own scrape; null: it tells nothing. */
export function signOf({ code, verdict, failed, satisfied, unmet }: Shown): number | null {
  if (code !== null) return OF_TARGET.has(code) ? NET : null;
  if (satisfied) return OK;
  if (unmet && verdict === 'ok') return SHELL;
  if (failed === 'ip' && verdict !== 'wall') return BANNED;
  return OF_KIND[verdict];
}

/**
 * What is remembered of it for other scrapes; null: nothing. A share of time that was used up is our own doing, and
 * what a caller accepts is a matter of the caller.
 */
export function lessonOf(shown: Shown): number | null {
  if (shown.code === 'timeout.attempt' || (shown.unmet && shown.verdict === 'ok')) return null;
  return signOf(shown);
}
