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
    /** For pages that disturbed others: it gives way to all other browsers. */
    readonly apart: boolean;
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
