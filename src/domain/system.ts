import type { BrowserType } from './browser-options.ts';
import type { RemoteBrowserState } from './remote-browsers.ts';

/**
 * The phases of a scrape in a browser, in order: waiting for a slot and a browser, opening a context and a page, navigating
 * until a document is loaded, waits and actions, reading the page, and closing the context. After a failure, the next phase
 * is `read`.
 */
export const BROWSER_PHASES = ['queue', 'context', 'navigate', 'wait', 'read', 'close'] as const;
export type BrowserPhase = (typeof BROWSER_PHASES)[number];

/** A browser that was found on this machine. */
export interface InstalledBrowser {
  readonly type: BrowserType;
  /** null: unknown. */
  readonly version: string | null;
  /** Age of the build; null: unknown. */
  readonly ageDays: number | null;
  /**
   * Where it was found: named by the configuration (`configured`), installed on the system, downloaded by Playwright, or
   * bundled with Sluice (`package`).
   */
  readonly source: 'configured' | 'installed' | 'playwright' | 'package';
  readonly headless: boolean;
  readonly headed: boolean;
  /** It is used for scrapes with this `browser_type` and `headless: true`. */
  readonly used: boolean;
  /** Why it is not used, or only headless; null: there is no such limit. */
  readonly reason: string | null;
}

/** Whether scrapes in browsers are possible at the moment. */
export interface BrowserReadiness {
  /** `unknown`: not checked yet. `unavailable`: no usable browser is installed. `down`: one is installed, but does not start. */
  readonly state: 'ready' | 'unknown' | 'unavailable' | 'down';
  readonly sandbox: 'on' | 'off';
  /** A running browser uses files instead of shared memory, because `/dev/shm` is too small. */
  readonly smallShm: boolean;
  /** Age in days of the oldest running headless browser, if over 90; else null. */
  readonly outdatedDays: number | null;
}

/** `down`: it does not answer. */
export const READ_REPLICA_STATES = ['ready', 'down'] as const;

export type ReadReplicaState = (typeof READ_REPLICA_STATES)[number];

/** A running browser with all its processes. */
interface RunningBrowserState {
  readonly version: string | null;
  readonly pid: number;
  /** Milliseconds since it was started. */
  readonly ageMs: number;
  /** Pages that are open now (`pages`), and pages opened since its start (`served`). */
  readonly pages: number;
  readonly served: number;
  /** It gets no new pages, and is closed after its last page. */
  readonly draining: boolean;
  /** Private memory of its main process, in bytes; 0: unknown. */
  readonly memory: number;
}

/** Slots and browsers, for operators. */
export interface BrowserActivity {
  readonly slots: { readonly total: number; readonly busy: number; readonly waiting: number };
  /** Pages opened for scrapes, and scrapes refused because too many were waiting for a slot, since the start of the service. */
  readonly pagesServed: number;
  readonly refused: number;
  /** The kinds of browsers that scrapes have used since the start of the service. */
  readonly kinds: readonly {
    readonly type: BrowserType;
    readonly headless: boolean;
    readonly driver: 'playwright' | 'cdp';
    /** The separate browser for pages that disturbed others; its processes have a lower priority. */
    readonly quarantined: boolean;
    readonly starting: boolean;
    /** Why it cannot run; null: it can. */
    readonly trouble: string | null;
    readonly launches: number;
    readonly crashes: number;
    /** Browsers replaced because they reached a limit (`recycles`), and because they hung or may be damaged (`replaced`). */
    readonly recycles: number;
    readonly replaced: number;
    readonly browsers: readonly RunningBrowserState[];
  }[];
  /** The browsers on other machines, in the order of their file. */
  readonly remote: readonly RemoteBrowserState[];
}

/** The process of the service, as it is now. Bytes and milliseconds. */
export interface ProcessFacts {
  readonly node: string;
  readonly pid: number;
  readonly uptimeMs: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  /** Memory outside the JavaScript heap, mainly buffers. */
  readonly external: number;
  /** Delay of the event loop since the previous call; null: this is the first call. */
  readonly loopDelay: { readonly p50: number; readonly p99: number; readonly max: number } | null;
}

/** Memory or a disk of the machine, in bytes. */
export interface Space {
  readonly total: number;
  readonly free: number;
}

/** Share of it that is in use, 0 to 1. */
export const usedShare = ({ total, free }: Space): number => (total === 0 ? 0 : 1 - free / total);

/** State of the running service, for operators. */
export interface SystemFacts {
  readonly version: string;
  readonly process: ProcessFacts;
  /** `memory`: of the machine or its control group. `disk`: that of the data folder. */
  readonly machine: { readonly memory: Space; readonly disk: Space };
  readonly memory: { readonly limit: number; readonly inUse: number; readonly waiting: number };
  /** `trouble`: why records cannot be stored; null: they can. `limitBytes`: null: the storage is on other machines. */
  readonly storage: {
    readonly trouble: string | null;
    readonly usedBytes: number;
    readonly limitBytes: number | null;
  };
  readonly browsers: BrowserReadiness & BrowserActivity;
}
