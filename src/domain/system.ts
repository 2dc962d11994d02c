import type { BrowserType } from './browser-options.ts';

/**
 * What a scrape in a browser goes through, in this order: the wait for a place, a context with its page and our session
 * with it, the navigation until a document is shown, the waits and actions that were asked for, reading what is there now,
 * and closing the context with its connections. One that fails goes from where it is to `read`.
 */
export const BROWSER_PHASES = ['queue', 'context', 'navigate', 'wait', 'read', 'close'] as const;
export type BrowserPhase = (typeof BROWSER_PHASES)[number];

/** One browser that was found on this machine. */
export interface InstalledBrowser {
  readonly type: BrowserType;
  /** null when it did not tell. */
  readonly version: string | null;
  /** Since it was built; null when its files do not tell. */
  readonly ageDays: number | null;
  /** `package`: it came along with Sluice. */
  readonly source: 'configured' | 'installed' | 'playwright' | 'package';
  readonly headless: boolean;
  readonly headed: boolean;
  /** What scrapes get that ask for its type with `headless: true`. */
  readonly used: boolean;
  /** Why it is not used, or not with windows. */
  readonly reason: string | null;
}

/** How it stands with browsers at the moment. */
export interface BrowserReadiness {
  /** `unknown`: nobody has looked yet. `down`: it should start, and does not. */
  readonly state: 'ready' | 'unknown' | 'unavailable' | 'down';
  readonly sandbox: 'on' | 'off';
  /** There was too little shared memory when one that runs was started: it uses files instead. */
  readonly smallShm: boolean;
  /** Days since the headless browser in use was built, when it is older than 90 days; else null. */
  readonly outdatedDays: number | null;
}

/** One browser process, with all that belong to it. */
interface RunningBrowserState {
  readonly version: string | null;
  readonly pid: number;
  /** Milliseconds since it was started. */
  readonly ageMs: number;
  /** Pages open now, and ever. */
  readonly pages: number;
  readonly served: number;
  /** Takes nobody new: it ends with its last page. */
  readonly draining: boolean;
  /** Of its first process, in bytes, without what it shares; 0 where that cannot be told. */
  readonly memory: number;
}

/** What operators see of the browsers. */
export interface BrowserActivity {
  readonly slots: { readonly total: number; readonly busy: number; readonly waiting: number };
  /** Slots given, and scrapes refused because too many waited, since the start. */
  readonly leases: number;
  readonly refused: number;
  /** Each kind that was needed so far. */
  readonly kinds: readonly {
    readonly type: BrowserType;
    readonly headless: boolean;
    readonly driver: 'playwright' | 'cdp';
    /** For pages that disturbed others: it gives way to all other browsers. */
    readonly quarantined: boolean;
    readonly starting: boolean;
    /** Why it does not run though it was needed. */
    readonly trouble: string | null;
    readonly launches: number;
    readonly crashes: number;
    /** Those that gave way to another one: because they had done enough; because they were suspect. */
    readonly recycles: number;
    readonly replaced: number;
    readonly browsers: readonly RunningBrowserState[];
  }[];
}

/** The process of the service, as it is now. Bytes and milliseconds. */
export interface ProcessFacts {
  readonly node: string;
  readonly pid: number;
  readonly uptimeMs: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  /** Beside the heap: buffers. */
  readonly external: number;
  /** How late the event loop was since this was asked last; null: it was never asked before. */
  readonly loopDelay: { readonly p50: number; readonly p99: number; readonly max: number } | null;
}

/** What an operator wants to know of a running service. */
export interface SystemFacts {
  readonly version: string;
  readonly process: ProcessFacts;
  readonly memory: { readonly limit: number; readonly inUse: number; readonly waiting: number };
  /** `trouble`: why nothing can be stored; null: it can. */
  readonly storage: {
    readonly trouble: string | null;
    readonly usedBytes: number;
    readonly limitBytes: number;
  };
  readonly browsers: BrowserReadiness & BrowserActivity;
}
