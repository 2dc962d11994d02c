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
const STAT_KINDS = [
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

export interface StatsRequest {
  /** null: all users together. */
  readonly userId: string | null;
  readonly step: number;
  /** Beginnings of the wanted steps, ms since the epoch. */
  readonly at: readonly number[];
}

export interface StatsResult {
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

/** From one edge to the next; the middle of a cell is within 4.5 % of all in it. */
const FACTOR = 1.09;
const LOG_FACTOR = Math.log(FACTOR);
const FIRST_EDGE_MS = 0.1;
/** Its upper edge is at 19 minutes; no scrape takes longer than 5. */
const LAST_BUCKET = 188;

/** Which cell of a fixed logarithmic histogram a duration falls into. */
export function latencyBucket(ms: number): number {
  if (!(ms > FIRST_EDGE_MS)) return 0;
  return Math.min(Math.floor(Math.log(ms / FIRST_EDGE_MS) / LOG_FACTOR), LAST_BUCKET);
}

/**
 * The duration (ms) that this part of the counted ones does not exceed, within 5 %; null: none was counted.
 * @param counts cell → how many. @param part 0.5: the median
 */
export function percentile(counts: ReadonlyMap<number, number>, part: number): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  // Nearest rank: the smallest value with at least this part at or below it.
  let left = Math.max(1, Math.ceil(total * part));
  for (const cell of [...counts.keys()].sort((a, b) => a - b)) {
    left -= counts.get(cell)!;
    if (left <= 0) return bucketMidpoint(cell);
  }
  return null;
}

const bucketMidpoint = (cell: number): number =>
  Number((FIRST_EDGE_MS * Math.exp(LOG_FACTOR * (cell + 0.5))).toPrecision(4));
