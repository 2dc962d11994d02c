import type { BrowsersAtWork } from './browsers-at-work.ts';
import type { BrowsersState } from './browsers-here.ts';

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
  readonly browsers: BrowsersState & BrowsersAtWork;
}
