import type { MissingCapability, VerdictKind, Wall } from '../domain/verdict.ts';

/** All of it must hold. Patterns have no unbounded repetition before a fixed part: pages may be hostile. */
export interface RuleConditions {
  /** Default: all at which walls are served (`BLOCKING_STATUSES`). */
  readonly status?: readonly number[];
  readonly header?: readonly [name: string, value: RegExp];
  /** The URL where redirects ended fits, and the URL of the request does not. */
  readonly finalUrl?: RegExp;
  /** The URL where redirects ended carries the URL of the request, to lead back to it. */
  readonly returnsToRequestUrl?: true;
  /** The URL of the request does not fit. */
  readonly requestUrlNot?: RegExp;
  readonly title?: RegExp;
  /** In the source of the page. */
  readonly html?: RegExp;
  /** In its visible text. */
  readonly text?: RegExp;
  /** Not in its visible text. */
  readonly textNot?: RegExp;
  /** In what it shows when scripts do not run. */
  readonly noscript?: RegExp;
  /** At most so many characters of visible text (default 800): a page with more is content, whatever its source holds. */
  readonly maxTextLength?: number;
  /** At most so many links. */
  readonly maxLinks?: number;
  /** At most so many fields to fill in. */
  readonly maxFields?: number;
  /** It asks for a password. */
  readonly password?: true;
}

/** Tells by what it fits that a response is not the page. The tests have an example for and one against each rule. */
export interface Rule {
  /** `vendor/what`: stands in `signals`. */
  readonly id: string;
  readonly kind: Extract<VerdictKind, 'challenge' | 'captcha' | 'block' | 'wall' | 'rate' | 'error_page'>;
  /** What the site demands and the attempt lacked, as in `Verdict`. */
  readonly failed: MissingCapability | null;
  readonly wall?: Wall;
  /** Estimate of how often it is right. */
  readonly confidence: number;
  readonly when: RuleConditions;
}

const DEFAULT_MAX_TEXT_LENGTH = 800;

/**
 * Statuses with which walls are served. 404 and 410 are answers of the site itself; other 5xx are its failures.
 */
export const BLOCKING_STATUSES: ReadonlySet<number> = new Set([
  200, 202, 400, 401, 403, 405, 406, 418, 428, 429, 444, 451, 503, 999,
]);

export const visibleTextLimit = (conditions: RuleConditions): number =>
  conditions.maxTextLength ?? DEFAULT_MAX_TEXT_LENGTH;
