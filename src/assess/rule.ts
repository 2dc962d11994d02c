import type { MissingCapability, VerdictKind, Wall } from '../domain/verdict.ts';

/** What has to be seen, all of it. Patterns hold no unbounded repetition before a fixed part: pages may be hostile. */
export interface RuleConditions {
  /** Statuses; without it all at which walls are served (`BLOCKING_STATUSES`). */
  readonly status?: readonly number[];
  readonly header?: readonly [name: string, value: RegExp];
  /** The URL that redirects ended at, while the URL that was asked for is not like that. */
  readonly finalUrl?: RegExp;
  /** The URL that redirects ended at carries the one that was asked for: to come back to it. */
  readonly returnsToRequestUrl?: true;
  /** The URL that was asked for is not like that. */
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
  /** At most so many characters of visible text (800): a page that says more is content, whatever stands in its source. */
  readonly maxTextLength?: number;
  /** At most so many links. */
  readonly maxLinks?: number;
  /** At most so many fields to fill in. */
  readonly maxFields?: number;
  /** It asks for a password. */
  readonly password?: true;
}

/** A sign that this is not the page. Each has an example for and one against it among the tests. */
export interface Rule {
  /** `whose/what`: stands in `signals`. */
  readonly id: string;
  readonly kind: Extract<VerdictKind, 'challenge' | 'captcha' | 'block' | 'wall' | 'rate' | 'error_page'>;
  readonly failed: MissingCapability | null;
  readonly wall?: Wall;
  /** How often it is right, estimated. */
  readonly confidence: number;
  readonly when: RuleConditions;
}

const DEFAULT_MAX_TEXT_LENGTH = 800;

/**
 * Statuses at which somebody who stands before a page lets himself be seen. 404 and 410 are answers of the site itself;
 * other 5xx are its failures.
 */
export const BLOCKING_STATUSES: ReadonlySet<number> = new Set([
  200, 202, 400, 401, 403, 405, 406, 418, 428, 429, 444, 451, 503, 999,
]);

export const visibleTextLimit = (marks: RuleConditions): number =>
  marks.maxTextLength ?? DEFAULT_MAX_TEXT_LENGTH;
