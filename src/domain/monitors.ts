/** A monitor runs a request on a schedule, and tells what changed on the page (contract §14). */

export const COMPARED_FORMATS = [
  'markdown',
  'text',
  'main_html',
  'extract',
  'json',
  'structured',
  'screenshot',
  'bytes',
] as const;
export type ComparedFormat = (typeof COMPARED_FORMATS)[number];

/** Parts of a text that change without meaning; `order`: only the order of lines. */
export const IGNORED_PARTS = ['dates', 'relative_times', 'counters', 'order'] as const;
export type IgnoredPart = (typeof IGNORED_PARTS)[number];

/** Whether an entry of `ignore` is a CSS selector. */
export const isIgnoredSelector = (entry: string): boolean =>
  !/^\/.*\/$/s.test(entry) && !(IGNORED_PARTS as readonly string[]).includes(entry);

export interface CompareOptions {
  readonly format: ComparedFormat;
  /** Only what these CSS selectors match; null: the main content. */
  readonly selector: string | null;
  /** CSS selectors, `/regular expressions/` and names of `IGNORED_PARTS`. */
  readonly ignore: readonly string[];
  /** Share of lines that must differ, 0 to 1. */
  readonly minChange: number;
}

/** `router.compare_to`: the record that the page of a scrape is compared with. */
export interface CompareTo extends CompareOptions {
  /** `last`, or the id of a record. */
  readonly record: string;
  /** Only a record with this tag; null: any. */
  readonly tag: { readonly name: string; readonly value: string } | null;
}

export type Schedule = { readonly cron: string; readonly timezone: string } | { readonly everyS: number };

export const CHANGE_STATES = ['first', 'same', 'changed', 'gone', 'back', 'error'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

/** A value of a data format that differs. */
export interface ChangedField {
  /** JSON pointer. */
  readonly path: string;
  /** JSON values; undefined: it was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface ChangedPicture {
  /** Share of pixels that differ; 1 if the sizes differ. */
  readonly share: number;
  readonly width: number;
  readonly height: number;
}

/** What a run found, compared with the last run that got the page. */
export interface Change {
  readonly state: ChangeState;
  /** Why the run is an error, such as `signed_out`; null: it is none. */
  readonly reason: string | null;
  /** Id of the scrape that was compared with; null: there is none. */
  readonly previousId: string | null;
  /** Lines that are new, and that are no longer there. */
  readonly added: number;
  readonly removed: number;
  /** Share of lines that are the same, 0 to 1. */
  readonly similarity: number;
  /** Unified diff; null: nothing to show as text. */
  readonly diff: string | null;
  readonly fields: readonly ChangedField[];
  readonly picture: ChangedPicture | null;
}

/** A page that is back is new. */
export const PAGE_STATES = ['new', 'changed', 'gone', 'error'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** A page of a run of several pages that is not the same as before. */
export interface ChangedPage extends Omit<Change, 'state'> {
  readonly url: string;
  readonly state: PageState;
  readonly scrapeId: string | null;
}

export interface RunResult extends Change {
  /** Of a crawl or a batch: pages that are not the same. Not all are listed. */
  readonly pages: readonly ChangedPage[];
  /** All of them; null: the run is of one request, or could not begin. */
  readonly counts: Readonly<Record<PageState | 'same', number>> | null;
  /** Why pages may be there that the run did not find; null: it would have found them. */
  readonly incomplete: string | null;
}

export const MONITOR_KINDS = ['request', 'crawl', 'batch'] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** Times are ms since the epoch. */
export interface MonitorRow {
  /** UUID version 7. */
  readonly id: string;
  readonly userId: string;
  /** The key whose rights hold for the runs; null: the user's session. */
  readonly keyId: string | null;
  readonly name: string;
  readonly kind: MonitorKind;
  readonly state: 'active' | 'paused';
  /** null: not paused. */
  readonly pauseReason: 'asked' | 'key' | 'user' | null;
  /** The request as JSON text, secrets masked. */
  readonly request: string;
  /** The sealed request. */
  readonly spec: Uint8Array;
  readonly schedule: Schedule;
  readonly jitterS: number;
  readonly compare: CompareOptions;
  /** Runs that are kept. */
  readonly keep: number;
  /** When the next run is due; null: never. */
  readonly nextAt: number | null;
  readonly createdAt: number;
  /** Number of the latest run. */
  readonly lastN: number;
  /** Runs in a row that were errors. */
  readonly errors: number;
  /** The page was gone in the latest run that told. */
  readonly isGone: boolean;
  readonly changedAt: number | null;
}

/** `skipped`: the run before it had not ended. */
export interface MonitorRunRow {
  readonly monitorId: string;
  readonly n: number;
  readonly state: 'running' | 'ended' | 'skipped';
  readonly dueAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly jobId: string | null;
  /** Of a run of one request. */
  readonly scrapeId: string | null;
  readonly result: RunResult | null;
}

/** What a page is compared with later. */
export interface PageSnapshot {
  readonly url: string;
  readonly scrapeId: string;
  /** Text, JSON text or a picture. */
  readonly bytes: Uint8Array;
}
