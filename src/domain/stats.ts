/**
 * Counters of ended scrapes. Time is cut into steps of several lengths, so that a long window needs few of them; each
 * length is kept as long as the window that is made of it, and a little more.
 */
export const STAT_STEPS = [
  { seconds: 60, keptMs: 2 * 3_600_000 },
  { seconds: 900, keptMs: 26 * 3_600_000 },
  { seconds: 3600, keptMs: 8 * 86_400_000 },
] as const;

/**
 * What is counted, with its name: scrapes by `outcome`, bytes of contents (no name), scrapes by `latency` cell, first
 * errors by code, scrapes by host apart for outcome ok, failed, and all others.
 */
export const STAT_KINDS = [
  'outcome',
  'bytes',
  'latency',
  'error',
  'host_ok',
  'host_failed',
  'host_blocked',
  'host_other',
] as const;
export type StatKind = (typeof STAT_KINDS)[number];

/** Stands for the hosts beyond the bound of a step. */
export const OTHER_HOSTS = 'other';

/** So much is to be added to one counter. */
export interface StatCount {
  /** null: all users together. */
  readonly userId: string | null;
  /** Length of the step, s. */
  readonly step: number;
  /** Where it begins: ms since the epoch, a multiple of the step. */
  readonly at: number;
  readonly kind: StatKind;
  readonly name: string;
  readonly count: number;
}

export interface StatsAsk {
  /** null: all users together. */
  readonly userId: string | null;
  readonly step: number;
  /** Beginnings of the wanted steps, ms since the epoch. */
  readonly at: readonly number[];
}

export interface StatsRead {
  /** Name → count, of one step and kind. */
  readonly steps: readonly {
    readonly at: number;
    readonly kind: 'outcome' | 'bytes' | 'latency';
    readonly counts: ReadonlyMap<string, number>;
  }[];
  /** Over all steps, the most frequent first, at most 10. */
  readonly hosts: readonly {
    readonly host: string;
    readonly scrapes: number;
    readonly ok: number;
    readonly failed: number;
    readonly blocked: number;
  }[];
  /** Over all steps, the most frequent first, at most 20. */
  readonly errors: readonly { readonly code: string; readonly count: number }[];
}
