import type { MicroUnits } from '../base/numbers.ts';
import type { Outcome } from './scrape.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Limits how many names a step has for each split; the rarest further ones are counted together, as `OTHER_HOSTS`. */
interface StepLimits {
  readonly hosts: number;
  readonly keys: number;
}

/**
 * Lengths of the time steps in which usage is counted, the shortest first. Steps are kept for their longest window, for the
 * same time before it, and a little longer.
 */
export const USAGE_STEPS = [
  { seconds: 300, keptMs: 13 * HOUR_MS, limits: { hosts: 1_000, keys: 1_000 } },
  { seconds: 3_600, keptMs: 15 * DAY_MS, limits: { hosts: 2_000, keys: 2_000 } },
  { seconds: 86_400, keptMs: 190 * DAY_MS, limits: { hosts: 5_000, keys: 10_000 } },
] as const satisfies readonly { seconds: number; keptMs: number; limits: StepLimits }[];

/** The rarest names of a step can only grow while the step is counted, and a little later. */
export const MERGED_MS = 3 * DAY_MS;

/** Stands for "no key" (a session), "no scraper" and "no proxy type" (no attempt was made). */
export const NO_NAME = '';

/** What is counted of scrapes and their attempts. */
export interface UsageSums {
  /** Without dry runs. */
  readonly scrapes: number;
  /** Size of the contents returned. */
  readonly bytes: number;
  /** Also calls of the language model. */
  readonly attempts: number;
  /** Sent and received by attempts. */
  readonly traffic: number;
  /** Attempts whose cost is not known. */
  readonly unpriced: number;
  /** Of the other attempts, also of those that failed. */
  readonly cost: MicroUnits;
}

/** An increment of a counter. */
export interface UsageIncrement extends UsageSums {
  readonly userId: string;
  /** Length of the step, s. */
  readonly step: number;
  /** Start of the step: ms since the epoch, a multiple of its length. */
  readonly at: number;
  /** `NO_NAME`: a session. */
  readonly keyId: string;
  /** Without the port. */
  readonly host: string;
  /**
   * Of the attempt; a scrape counts at the scraper of its result. `MODEL`: the language model. `NO_NAME`: there was no
   * attempt. So does `proxyType`, which is `none` for the model.
   */
  readonly scraper: string;
  readonly proxyType: string;
  /** Of the scrape, also for its attempts. */
  readonly outcome: Exclude<Outcome, 'planned'>;
  /** The currency of `cost`. */
  readonly unit: string;
  /** Scrapes by bucket of their duration (`siteLatencyBucket`); absent: none. */
  readonly latency?: readonly number[];
}

/** By what usage can be split, besides time. */
export const USAGE_SPLITS = ['key', 'host', 'scraper', 'proxy', 'vendor', 'user', 'outcome'] as const;
export type UsageSplit = (typeof USAGE_SPLITS)[number];

export interface UsageFilter {
  /** null: all users together. So do the others. */
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly host: string | null;
  readonly scraper: string | null;
  readonly proxyType: string | null;
}

export interface UsageRequest extends UsageFilter {
  /** Length of the steps, s. */
  readonly step: number;
  /** Start of the first step, ms since the epoch. */
  readonly from: number;
  /** End of the last step. */
  readonly to: number;
  /** Attempts with a cost in another currency count as `unpriced`. */
  readonly unit: string;
}

export interface UsageSplitRequest extends UsageRequest {
  readonly by: UsageSplit;
  readonly order: 'cost' | 'scrapes';
  readonly limit: number;
  /** Only these names; null: all but `OTHER_HOSTS`. */
  readonly names: readonly string[] | null;
}

export interface UsageDetailRequest extends UsageRequest {
  /** null: all together. */
  readonly by: UsageSplit | null;
  /** Only these names; null: all but `OTHER_HOSTS`. */
  readonly names: readonly string[] | null;
  /** Each step by itself; false: all of them together. */
  readonly bySteps: boolean;
  /** Rows at most, those with the most scrapes; null: all. */
  readonly limit: number | null;
}

/** What was counted of a name. */
export interface UsageDetail {
  /** Start of the step, ms since the epoch; null: all steps together. */
  readonly at: number | null;
  /** `NO_NAME`: of `by: null`, or of what has no name. */
  readonly name: string;
  readonly figures: UsageFigures;
  /** Scrapes by bucket of their duration. */
  readonly latency: readonly number[];
}

export interface UsageFigures extends UsageSums {
  readonly ok: number;
  readonly failed: number;
  readonly blocked: number;
}

export const NO_USAGE: UsageFigures = {
  scrapes: 0,
  ok: 0,
  failed: 0,
  blocked: 0,
  bytes: 0,
  attempts: 0,
  traffic: 0,
  unpriced: 0,
  cost: 0,
};

const FIGURES = Object.keys(NO_USAGE) as readonly (keyof UsageFigures)[];

/** @param sign -1: subtracts them */
export function addUsage(a: UsageFigures, b: UsageFigures, sign: 1 | -1 = 1): UsageFigures {
  return Object.fromEntries(
    FIGURES.map((name) => [name, a[name] + sign * b[name]]),
  ) as unknown as UsageFigures;
}

export const sumUsage = (figures: readonly UsageFigures[]): UsageFigures =>
  figures.reduce((sum, one) => addUsage(sum, one), NO_USAGE);

/** An estimate of a sum; 80 % of such estimates have the true value between `low` and `high`. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const MIN_DAYS = 7;
const MAX_DAYS = 28;
/** Of the normal distribution: 80 % of its values are within so many standard deviations. */
const WITHIN_80 = 1.28;

/**
 * Estimates the sum of a month: what is counted so far, plus the rest of the month at the mean of the last one to four whole
 * weeks, so that days of the week do not matter.
 * @param days sums of whole days before today, the newest first; at most 28 are used
 * @param soFar since the start of the month
 * @param daysLeft until the end of the month, also in part
 * @returns null: fewer than seven days are known
 */
export function forecastMonth(days: readonly number[], soFar: number, daysLeft: number): Estimate | null {
  const used = Math.min(MAX_DAYS, Math.floor(days.length / 7) * 7);
  if (used < MIN_DAYS) return null;
  const known = days.slice(0, used);
  const mean = known.reduce((sum, day) => sum + day, 0) / used;
  const variance = known.reduce((sum, day) => sum + (day - mean) ** 2, 0) / (used - 1);
  // That of the days to come, and that of the mean itself.
  const spread = WITHIN_80 * Math.sqrt(variance * (daysLeft + daysLeft ** 2 / used));
  const value = soFar + mean * daysLeft;
  return {
    value: Math.round(value),
    low: Math.round(Math.max(soFar, value - spread)),
    high: Math.round(value + spread),
  };
}
