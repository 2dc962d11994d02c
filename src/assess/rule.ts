import type { MissingCapability, VerdictKind, Wall } from '../domain/verdict.ts';

/**
 * The conditions of a rule, all of which must hold. Patterns must not have an unbounded repetition before a fixed part:
 * a hostile page could make them take very long.
 */
export interface RuleConditions {
  /** Default: `BLOCKING_STATUSES`. */
  readonly status?: readonly number[];
  readonly header?: readonly [name: string, value: RegExp];
  /** Matches the final URL (after redirects), but not the URL of the request. */
  readonly finalUrl?: RegExp;
  /** The final URL contains the URL of the request as a parameter, to which the site will return. */
  readonly finalUrlNamesRequestUrl?: true;
  /** Must not match the URL of the request. */
  readonly requestUrlNot?: RegExp;
  readonly title?: RegExp;
  /** Matches the source of the page. */
  readonly html?: RegExp;
  /** Matches the visible text. */
  readonly text?: RegExp;
  /** Must not match the visible text. */
  readonly textNot?: RegExp;
  /** Matches the text in `noscript` elements. */
  readonly noscript?: RegExp;
  /** Maximum length of the visible text (default 800 characters): a page with more is content, whatever its source contains. */
  readonly maxTextLength?: number;
  /** Maximum number of links. */
  readonly maxLinks?: number;
  /** Maximum number of fields to fill in. */
  readonly maxFields?: number;
  /** The page has a password field. */
  readonly password?: true;
}

/** Recognizes a response that is not the requested page. The tests have an example for and one against each rule. */
export interface Rule {
  /** `vendor/what`; shown in `Verdict.signals`. */
  readonly id: string;
  readonly kind: Extract<VerdictKind, 'challenge' | 'captcha' | 'block' | 'wall' | 'rate' | 'error_page'>;
  /** What the site demands and the attempt lacked, as in `Verdict`. `wall`: a visitor needs more than a capability. */
  readonly missing: MissingCapability | null;
  readonly wall?: Wall;
  /** Estimated share of matches that are right. */
  readonly confidence: number;
  readonly when: RuleConditions;
}

/** What a match of a rule means. */
export const verdict = (
  kind: Rule['kind'],
  missing: Rule['missing'],
  confidence: number,
): Pick<Rule, 'kind' | 'missing' | 'confidence'> => ({ kind, missing, confidence });

/** A match means that the site shows this wall to every visitor. */
export const wall = (shown: Wall, confidence: number) => ({
  ...verdict('wall', 'wall', confidence),
  wall: shown,
});

const DEFAULT_MAX_TEXT_LENGTH = 800;

/**
 * Statuses of block pages. Not 404 and 410 (the page does not exist), and not other 5xx (the site has an error).
 */
export const BLOCKING_STATUSES: ReadonlySet<number> = new Set([
  200, 202, 400, 401, 403, 405, 406, 418, 428, 429, 444, 451, 503, 999,
]);

export const visibleTextLimit = (conditions: RuleConditions): number =>
  conditions.maxTextLength ?? DEFAULT_MAX_TEXT_LENGTH;
