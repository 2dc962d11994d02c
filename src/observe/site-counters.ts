import { activeMs, type Scrape } from '../domain/scrape.ts';
import {
  MODEL,
  monthStart,
  SITE_LATENCY_BUCKETS,
  type SiteCost,
  type SiteCount,
  type SiteIncrements,
  siteLatencyBucket,
} from '../domain/site-stats.ts';
import { OTHER_HOSTS } from '../domain/stats.ts';

/** Further hosts are counted together, as `OTHER_HOSTS` of their user. Limits the memory. */
const MAX_HOSTS = 10_000;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface SiteTally {
  readonly count: Writable<Omit<SiteCount, 'latency'>> & { readonly latency: number[] };
  /** By scraper, proxy type and currency. */
  readonly costs: Map<string, Writable<SiteCost>>;
}

/** Counts ended scrapes by user, month and host, until `drain` returns the increments to be stored. */
export class SiteCounters {
  readonly #maxHosts: number;
  #tallies = new Map<string, SiteTally>();
  #month = 0;
  /** When the month is over. */
  #monthEnd = 0;

  constructor(maxHosts = MAX_HOSTS) {
    this.#maxHosts = maxHosts;
  }

  /** @param now wall clock, ms since the epoch */
  count(scrape: Scrape, userId: string, now: number): void {
    // `planned` is a dry run: it fetches nothing.
    if (scrape.outcome === 'planned') return;
    if (now >= this.#monthEnd || now < this.#month) {
      this.#month = monthStart(now);
      this.#monthEnd = monthStart(now, -1);
    }
    const isOk = scrape.outcome === 'ok';
    const tally = this.#tallyOf(userId, this.#month, scrape.task.host);
    addCount(tally, {
      scrapes: 1,
      ok: isOk ? 1 : 0,
      lastAt: now,
    });
    tally.count.latency[siteLatencyBucket(activeMs(scrape))]! += 1;
    const { costUnit: unit, model } = scrape;
    for (const { scraper, proxyType, outcome, cost } of scrape.attempts)
      addCost(tally, oneAttempt({ scraper, proxyType }, unit, outcome === 'ok', cost));
    if (model !== null)
      addCost(tally, oneAttempt({ scraper: MODEL, proxyType: 'none' }, unit, isOk, model.cost));
  }

  /** The increments since the last call. */
  drain(): SiteIncrements {
    const tallies = [...this.#tallies.values()];
    this.#tallies = new Map();
    return {
      counts: tallies.map(({ count }) => count),
      costs: tallies.flatMap(({ costs }) => [...costs.values()]),
    };
  }

  /** Takes increments back that could not be stored. */
  restore({ counts, costs }: SiteIncrements): void {
    for (const count of counts) {
      const tally = this.#tallyOf(count.userId, count.month, count.host);
      addCount(tally, count);
      count.latency.forEach((scrapes, bucket) => {
        tally.count.latency[bucket]! += scrapes;
      });
    }
    for (const cost of costs) addCost(this.#tallyOf(cost.userId, cost.month, cost.host), cost);
  }

  #tallyOf(userId: string, month: number, host: string): SiteTally {
    const key = `${month} ${userId} ${host}`;
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    if (this.#tallies.size >= this.#maxHosts && host !== OTHER_HOSTS)
      return this.#tallyOf(userId, month, OTHER_HOSTS);
    const latency: number[] = new Array(SITE_LATENCY_BUCKETS).fill(0);
    const count = { userId, month, host, scrapes: 0, ok: 0, lastAt: 0, latency };
    const tally = { count, costs: new Map() };
    this.#tallies.set(key, tally);
    return tally;
  }
}

const oneAttempt = (
  { scraper, proxyType }: Pick<SiteCost, 'scraper' | 'proxyType'>,
  unit: string,
  isOk: boolean,
  cost: number | null,
) => ({
  scraper,
  proxyType,
  unit,
  attempts: 1,
  ok: isOk ? 1 : 0,
  unpriced: cost === null ? 1 : 0,
  cost: cost ?? 0,
});

function addCount({ count }: SiteTally, added: Pick<SiteCount, 'scrapes' | 'ok' | 'lastAt'>): void {
  count.scrapes += added.scrapes;
  count.ok += added.ok;
  count.lastAt = Math.max(count.lastAt, added.lastAt);
}

function addCost({ count, costs }: SiteTally, added: Omit<SiteCost, 'userId' | 'month' | 'host'>): void {
  const { scraper, proxyType, unit } = added;
  const key = `${scraper} ${proxyType} ${unit}`;
  const sum = costs.get(key);
  if (sum === undefined) {
    const { userId, month, host } = count;
    costs.set(key, { ...added, userId, month, host });
    return;
  }
  sum.attempts += added.attempts;
  sum.ok += added.ok;
  sum.unpriced += added.unpriced;
  sum.cost += added.cost;
}
