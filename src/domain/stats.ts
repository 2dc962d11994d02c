/**
 * Lengths of the time steps in which ended scrapes are counted. Longer windows are made of longer steps, so that each
 * needs few. Steps are kept a little longer than their window: 1 hour, 24 hours, 7 days, 90 days.
 */
export const STAT_STEPS = [
  { seconds: 60, keptMs: 2 * 3_600_000 },
  { seconds: 900, keptMs: 26 * 3_600_000 },
  { seconds: 3600, keptMs: 8 * 86_400_000 },
  { seconds: 86_400, keptMs: 92 * 86_400_000 },
] as const;

/**
 * Kinds of counters. `name` of a counter is the outcome, '' for `bytes` of content, the histogram bucket for `latency`,
 * the code of the first error, or the host.
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

/** Name of the counter for all further hosts, once a step has as many hosts as it may. */
export const OTHER_HOSTS = 'other';

/** An increment of a counter. */
export interface StatCount {
  /** null: all users together. */
  readonly userId: string | null;
  /** Length of the step, s. */
  readonly step: number;
  /** Start of the step: ms since the epoch, a multiple of its length. */
  readonly at: number;
  readonly kind: StatKind;
  readonly name: string;
  readonly count: number;
}

export interface StatsRequest {
  /** null: all users together. */
  readonly userId: string | null;
  /** Length of the steps, s. */
  readonly step: number;
  /** Starts of the wanted steps, ms since the epoch. */
  readonly at: readonly number[];
}

export interface StatsResult {
  /** Counts of one step and kind, by name. */
  readonly steps: readonly {
    /** Start of the step, ms since the epoch. */
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

/** Ratio of neighbouring bucket edges. So the middle of a bucket is within 4.5 % of every duration in it. */
const FACTOR = 1.09;
const LOG_FACTOR = Math.log(FACTOR);
const FIRST_EDGE_MS = 0.1;
/** Its upper edge is at 19 minutes; no scrape takes longer than 5 minutes. */
const LAST_BUCKET = 188;

/** The bucket of the logarithmic histogram that a duration falls into. */
export function latencyBucket(ms: number): number {
  if (!(ms > FIRST_EDGE_MS)) return 0;
  return Math.min(Math.floor(Math.log(ms / FIRST_EDGE_MS) / LOG_FACTOR), LAST_BUCKET);
}

/**
 * A percentile (ms) of the counted durations, accurate to 5 %; null: none was counted.
 * @param counts number of durations by histogram bucket
 * @param fraction 0.5: the median
 */
export function percentile(counts: ReadonlyMap<number, number>, fraction: number): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  // Nearest-rank method: the smallest value with at least this fraction of all values at or below it.
  let remaining = Math.max(1, Math.ceil(total * fraction));
  for (const bucket of [...counts.keys()].sort((a, b) => a - b)) {
    remaining -= counts.get(bucket)!;
    if (remaining <= 0) return bucketMidpoint(bucket);
  }
  return null;
}

const bucketMidpoint = (bucket: number): number =>
  Number((FIRST_EDGE_MS * Math.exp(LOG_FACTOR * (bucket + 0.5))).toPrecision(4));
