import type { BrowserAsk } from './browser-ask.ts';

/** One browser process, with all that belong to it. */
export interface BrowserAtWork {
  readonly version: string | null;
  readonly pid: number;
  /** Milliseconds since it was started. */
  readonly ageMs: number;
  /** Pages open now, and ever. */
  readonly pages: number;
  readonly served: number;
  /** Takes nobody new: it ends with its last page. */
  readonly retired: boolean;
  /** Of its first process, in bytes, without what it shares; 0 where that cannot be told. */
  readonly memory: number;
}

/**
 * Whose pages a browser is for: `first` those of all; `further` those that a user has beyond the first, while others have
 * any; `apart` those that disturbed others lately. The last two give way to the first.
 */
export type BrowserRank = 'first' | 'further' | 'apart';

/** What operators see of the browsers. */
export interface BrowsersAtWork {
  readonly slots: { readonly total: number; readonly busy: number; readonly waiting: number };
  /** Slots given, and scrapes refused because too many waited, since the start. */
  readonly leases: number;
  readonly refused: number;
  /** Each kind that was needed so far. */
  readonly kinds: readonly {
    readonly type: BrowserAsk['type'];
    readonly headless: boolean;
    readonly lane: 'full' | 'fast';
    readonly rank: BrowserRank;
    readonly starting: boolean;
    /** Why it does not run though it was needed. */
    readonly trouble: string | null;
    readonly launches: number;
    readonly crashes: number;
    /** Those that gave way to another one: because they had done enough; because they were suspect. */
    readonly recycles: number;
    readonly replaced: number;
    readonly browsers: readonly BrowserAtWork[];
  }[];
}
