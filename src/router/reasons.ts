import type { FailureCode } from '../domain/failure.ts';
import type { MissingCapability, VerdictKind } from '../domain/verdict.ts';
import { DEFENSES } from './defenses.ts';

// Why a step is taken, as callers read it. The dashboard has a translation of each text; `npm run check` compares them.

const LOWEST = 'this method has the lowest expected cost';

export const REASONS = {
  named: 'named by the request',
  ordered: 'next in the order of the request',
  pinned: 'pinned for this site by an administrator',
  clearance: 'the session has cookies of a passed bot check',
  only: 'the only method that fits the request',
  onlyLeft: 'the only method left that fits the request',
  newPage: `this kind of page is not known yet; ${LOWEST}`,
  littleKnown: `little is known about this kind of page; ${LOWEST}`,
  loggedIn: 'again, now logged in',
  logIn: 'to log in again, after a login page',
} as const;

/** By defense: what the site is believed to do. */
export const DEFENSE_REASONS: readonly string[] = DEFENSES.map(({ words }) => `the site ${words}; ${LOWEST}`);

/** How an attempt ended, as words after "after". */
export interface AttemptEnding {
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  /** The page does not meet the accept conditions. */
  readonly unmet: boolean;
  readonly missing: MissingCapability | null;
}

/** The failures after which other attempts usually follow. For all others, the code. */
const FAILURE_WORDS: Readonly<Partial<Record<FailureCode, string>>> = {
  'dns.failed': 'a DNS failure',
  'connect.refused': 'a refused connection',
  'connect.reset': 'a closed connection',
  'connect.timeout': 'a connection that timed out',
  'connect.unreachable': 'an unreachable address',
  'proxy.failed': 'a proxy failure',
  'vendor.failed': 'a failure of the vendor',
  'browser.crashed': 'a crash of the browser',
  'timeout.attempt': 'a timeout',
};
const VERDICT_WORDS: Readonly<Record<Exclude<VerdictKind, 'ok'>, string>> = {
  js_shell: 'a page without its content',
  empty: 'an empty page',
  challenge: 'a bot challenge',
  captcha: 'a captcha',
  block: 'an access-denied page',
  rate: 'a rate-limit page',
  wall: 'a login, consent or location page',
  error_page: 'an error page',
  net: 'a failure',
};
const MISSING_WORDS: Readonly<Partial<Record<MissingCapability, string>>> = {
  js: 'it needs JavaScript',
  fingerprint: 'the client was recognized',
  ip: 'the address was refused',
};
const UNMET = 'a page that does not meet the accept conditions';
const INCOMPLETE = 'an incomplete page';

/** All that `endingWords` is made of. */
export const ENDING_WORDS: readonly string[] = [
  ...[FAILURE_WORDS, VERDICT_WORDS, MISSING_WORDS].flatMap((words) => Object.values(words)),
  UNMET,
  INCOMPLETE,
];

const errorWords = (code: string): string => `an error (${code})`;
const again = (ending: string): string => `again after ${ending}`;
const next = (ending: string, reason: string): string => `after ${ending}: ${reason}`;

/** The texts with values: `{0}` stands for the first. */
export const REASON_TEMPLATES: readonly string[] = [errorWords('{0}'), again('{0}'), next('{0}', '{1}')];

function endingWords({ code, verdict, unmet, missing }: AttemptEnding): string {
  if (code !== null) return FAILURE_WORDS[code] ?? errorWords(code);
  if (verdict === 'ok') return unmet ? UNMET : INCOMPLETE;
  const lack = missing === null ? undefined : MISSING_WORDS[missing];
  return lack === undefined ? VERDICT_WORDS[verdict] : `${VERDICT_WORDS[verdict]} (${lack})`;
}

export const againAfter = (last: AttemptEnding): string => again(endingWords(last));
export const nextAfter = (last: AttemptEnding, reason: string): string => next(endingWords(last), reason);
