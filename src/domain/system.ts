import type { BrowserType } from './browser-options.ts';

/**
 * The phases of a scrape in a browser, in order: waiting for a slot and a browser, opening a context and a page, navigating until a
 * document is shown, waits and actions, reading the page, and closing the context. A scrape that fails continues with `read`.
 */
export const BROWSER_PHASES = ['queue', 'context', 'navigate', 'wait', 'read', 'close'] as const;
export type BrowserPhase = (typeof BROWSER_PHASES)[number];

/** A browser that was found on this machine. */
export interface InstalledBrowser {
  readonly type: BrowserType;
  /** null: unknown. */
  readonly version: string | null;
  /** Since it was built; null: unknown. */
  readonly ageDays: number | null;
  /** `package`: it is bundled with Sluice. */
  readonly source: 'configured' | 'installed' | 'playwright' | 'package';
  readonly headless: boolean;
  readonly headed: boolean;
  /** It is used for scrapes of its type with `headless: true`. */
  readonly used: boolean;
  /** Why it is not used, or not with windows. */
  readonly reason: string | null;
}

/** Whether scrapes in browsers are possible at the moment. */
export interface BrowserReadiness {
  /** `unknown`: not checked yet. `down`: a browser should start but does not. */
  readonly state: 'ready' | 'unknown' | 'unavailable' | 'down';
  readonly sandbox: 'on' | 'off';
  /** A running browser uses files in place of shared memory, because there was too little of that. */
  readonly smallShm: boolean;
  /** Days since the oldest running headless browser was built, if those are more than 90; else null. */
  readonly outdatedDays: number | null;
}

/** A running browser with all its processes. */
interface RunningBrowserState {
  readonly version: string | null;
  readonly pid: number;
  /** Milliseconds since it was started. */
  readonly ageMs: number;
  /** Pages that are open, and all that ever were. */
  readonly pages: number;
  readonly served: number;
  /** It gets no new pages, and ends after its last one. */
  readonly draining: boolean;
  /** Private memory of its main process, in bytes; 0: unknown. */
  readonly memory: number;
}

/** What operators see of the browsers. */
export interface BrowserActivity {
  readonly slots: { readonly total: number; readonly busy: number; readonly waiting: number };
  /** Leases given, and scrapes refused because too many were waiting, since the start of the service. */
  readonly leases: number;
  readonly refused: number;
  /** Kinds of browsers that were needed so far. */
  readonly kinds: readonly {
    readonly type: BrowserType;
    readonly headless: boolean;
    readonly driver: 'playwright' | 'cdp';
    /** For pages that disturbed others. It has a lower priority. */
    readonly quarantined: boolean;
    readonly starting: boolean;
    /** Why it cannot run; null: it can. */
    readonly trouble: string | null;
    readonly launches: number;
    readonly crashes: number;
    /** Browsers replaced because they reached a limit, and because they hung or may have been damaged. */
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
