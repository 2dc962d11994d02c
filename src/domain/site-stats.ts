import type { MicroUnits } from '../base/numbers.ts';
import type { Step } from './scrape.ts';
import type { ScraperName } from './scrapers.ts';
import type { ProxyType } from './task.ts';

/** Months that counters of sites are kept, with the present one. */
export const KEPT_SITE_MONTHS = 14;

/** Hosts that a month counts by name; the rarest further ones are counted together, as `OTHER_HOSTS`. */
export const SITE_LIMITS = { perUser: 10_000, all: 100_000 } as const;

/** Upper edges of the buckets of `SiteCount.latency`; the last bucket has none. */
export const SITE_LATENCY_EDGES_MS = [
  20, 50, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000, 15_000, 20_000,
  30_000, 60_000,
] as const;
export const SITE_LATENCY_BUCKETS = SITE_LATENCY_EDGES_MS.length + 1;

/** The bucket of a duration. */
export function siteLatencyBucket(ms: number): number {
  const bucket = SITE_LATENCY_EDGES_MS.findIndex((edge) => ms <= edge);
  return bucket === -1 ? SITE_LATENCY_EDGES_MS.length : bucket;
}

/** The median of counted durations (ms), accurate to about a quarter; null: none was counted. */
export const siteMedian = (latency: readonly number[]): number | null => siteQuantile(latency, 0.5);

/** A quantile of counted durations (ms), accurate to about a quarter; null: none was counted. @param fraction 0.5: the median */
export function siteQuantile(latency: readonly number[], fraction: number): number | null {
  const total = latency.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  const bucket = latency.findIndex((count) => {
    below += count;
    return below >= total * fraction;
  });
  const from = bucket === 0 ? 0 : SITE_LATENCY_EDGES_MS[bucket - 1]!;
  const to = SITE_LATENCY_EDGES_MS[bucket] ?? from;
  const count = latency[bucket]!;
  return Math.round(from + ((to - from) * (total * fraction - (below - count))) / count);
}

/** The start of the month (UTC), ms since the epoch. @param ago 1: of the month before */
export function monthStart(now: number, ago = 0): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - ago);
}

/** Scrapes of a user at a host in a month, without dry runs. As an increment: those since the last one. */
export interface SiteCount {
  readonly userId: string;
  /** Start of the month, ms since the epoch. */
  readonly month: number;
  /** Without the port. */
  readonly host: string;
  readonly scrapes: number;
  readonly ok: number;
  /** When the last of them ended, ms since the epoch. */
  readonly lastAt: number;
  /** Number of scrapes by bucket of their duration. */
  readonly latency: readonly number[];
}

/** What a language model was asked for has a cost of its own: the "scraper" of these counters, with the proxy type `none`. */
export const MODEL = 'model';

/** What attempts had and cost. */
export interface RouteSpending {
  readonly scraper: ScraperName | typeof MODEL;
  readonly proxyType: ProxyType;
  readonly attempts: number;
  /** Those that brought the page; of the model: those of successful scrapes. */
  readonly ok: number;
  /** Attempts whose cost is not known. */
  readonly unpriced: number;
  /** Of the other attempts, also of those that failed. */
  readonly cost: MicroUnits;
}

/** The attempts of a user at a host by one route in a month. As an increment: those since the last one. */
export interface SiteCost extends RouteSpending {
  readonly userId: string;
  readonly month: number;
  readonly host: string;
  /** The currency of `cost`. */
  readonly unit: string;
}

/** Increments of the counters of sites, which are stored together. */
export interface SiteIncrements {
  readonly counts: readonly SiteCount[];
  readonly costs: readonly SiteCost[];
}

export interface SitesRequest {
  /** null: all users together. */
  readonly userId: string | null;
  /** Starts of the wanted months. */
  readonly months: readonly number[];
}

export interface SiteListRequest extends SitesRequest {
  /** Only hosts that contain this text; null: all. */
  readonly text: string | null;
  /** Continues after this site; null: begins with the first. */
  readonly after: Pick<SiteSummary, 'scrapes' | 'host'> | null;
  readonly limit: number;
}

/** The scrapes at a host in the wanted months. */
export type SiteSummary = Pick<SiteCount, 'host' | 'scrapes' | 'ok' | 'lastAt' | 'latency'>;

export interface SiteCostsRequest extends SitesRequest {
  readonly hosts: readonly string[];
  /** Attempts with a cost in another currency count as `unpriced`. */
  readonly unit: string;
}

export type SiteMonthCount = Pick<SiteCount, 'month' | 'scrapes' | 'ok'>;
export type SiteMonthCost = RouteSpending & Pick<SiteCost, 'month' | 'host'>;

/** How many scrapes of a host there were in some time steps, and how many were blocked. */
export interface HostBlocks {
  readonly host: string;
  readonly scrapes: number;
  readonly blocked: number;
}

/** Scrapes at a host in some time. */
export interface HostShare {
  readonly host: string;
  readonly scrapes: number;
  readonly ok: number;
}

/** The same in one step of time. */
export interface HostStep extends HostShare {
  /** Start of the step: ms since the epoch. */
  readonly at: number;
}

/** Adds the spending of equal routes up. The most attempts first. */
export function sumByRoute(spending: readonly RouteSpending[]): readonly RouteSpending[] {
  const sums = new Map<string, RouteSpending>();
  for (const part of spending) {
    const key = `${part.scraper}/${part.proxyType}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? part : addSpending(sum, part));
  }
  return [...sums.values()].sort((a, b) => b.attempts - a.attempts);
}

const addSpending = (a: RouteSpending, b: RouteSpending): RouteSpending => ({
  scraper: a.scraper,
  proxyType: a.proxyType,
  attempts: a.attempts + b.attempts,
  ok: a.ok + b.ok,
  unpriced: a.unpriced + b.unpriced,
  cost: a.cost + b.cost,
});

/** The sum of what is known; null: of no attempt the cost is known. */
export function spendingCost(
  spending: readonly Pick<RouteSpending, 'attempts' | 'unpriced' | 'cost'>[],
): MicroUnits | null {
  const priced = spending.filter(({ attempts, unpriced }) => attempts > unpriced);
  return priced.length === 0 ? null : priced.reduce((sum, { cost }) => sum + cost, 0);
}

export type SpendingStep = Step & RouteSpending;

/** Whether these are attempts at the site, not calls of the model. */
export const isAttempts = (spending: RouteSpending): spending is SpendingStep => spending.scraper !== MODEL;
