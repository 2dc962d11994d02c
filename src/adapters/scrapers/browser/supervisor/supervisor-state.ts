import type { BrowserType } from '../binary/found-browser.ts';
import type { Lane } from '../launch/lane.ts';
import type { KeptBrowser } from './kept-browser.ts';
import type { Slots } from './slots.ts';
import { ownBytes } from './wear.ts';

/** One browser process. */
export interface BrowserState {
  readonly version: string | null;
  readonly path: string;
  readonly pid: number;
  /** Milliseconds since it was started. */
  readonly ageMs: number;
  /** Pages open now, and ever. */
  readonly pages: number;
  readonly served: number;
  /** Takes nobody new. */
  readonly retired: boolean;
  /** Of its first process, in bytes. */
  readonly memory: number;
}

/** What operators see of the browsers. */
export interface SupervisorState {
  readonly sandbox: boolean;
  readonly slots: { readonly total: number; readonly busy: number; readonly waiting: number };
  /** Leases given, and scrapes refused because too many waited, since the start. */
  readonly leases: number;
  readonly refused: number;
  /** Each kind that was needed so far. */
  readonly kinds: readonly {
    readonly type: BrowserType;
    readonly headless: boolean;
    readonly lane: Lane;
    readonly starting: boolean;
    /** Why it does not run though it was needed. */
    readonly trouble: string | null;
    readonly launches: number;
    readonly crashes: number;
    /** Those that gave way to another one: because they had done enough; because they were suspect. */
    readonly recycles: number;
    readonly replaced: number;
    readonly browsers: readonly BrowserState[];
  }[];
}

export interface StateParts {
  readonly slots: Slots;
  readonly kept: readonly KeptBrowser[];
  readonly sandbox: boolean;
  readonly leases: number;
  readonly refused: number;
}

export function stateOf({ slots, kept, sandbox, leases, refused }: StateParts): SupervisorState {
  const now = performance.now();
  return {
    sandbox,
    slots: { total: slots.total, busy: slots.busy, waiting: slots.waiting },
    leases,
    refused,
    kinds: kept.map((kind) => ({
      type: kind.type,
      headless: kind.headless,
      lane: kind.lane,
      starting: kind.starting,
      trouble: kind.trouble?.message ?? null,
      launches: kind.launches,
      crashes: kind.crashes,
      recycles: kind.recycles,
      replaced: kind.replaced,
      browsers: kind.running.map(({ launched, startedAt, leases, served, retired }) => ({
        version: launched.found.version,
        path: launched.found.path,
        pid: launched.pid,
        ageMs: Math.round(now - startedAt),
        pages: leases,
        served,
        retired,
        memory: ownBytes(launched.pid),
      })),
    })),
  };
}
