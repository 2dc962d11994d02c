import { activeMs, type Scrape } from '../domain/scrape.ts';
import { MODEL, SITE_LATENCY_BUCKETS, siteLatencyBucket } from '../domain/site-stats.ts';
import { OTHER_HOSTS } from '../domain/stats.ts';
import { NO_NAME, USAGE_STEPS, type UsageIncrement, type UsageSums } from '../domain/usage.ts';

/** Further hosts are counted together, as `OTHER_HOSTS`. Limits the memory. */
const MAX_TALLIES = 20_000;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
/** What the tallies of a scrape have in common. */
type Common = Omit<UsageIncrement, keyof UsageSums | 'latency' | 'scraper' | 'proxyType'>;
type Tally = Writable<Omit<UsageIncrement, 'latency'>> & { latency?: number[] };

const SHORTEST = USAGE_STEPS[0].seconds;
const NOTHING: UsageSums = { scrapes: 0, bytes: 0, attempts: 0, traffic: 0, unpriced: 0, cost: 0 };

/**
 * Counts ended scrapes and their attempts by user, key, host, scraper, proxy type and outcome, until `drain` returns the
 * increments to be stored.
 */
export class UsageCounters {
  readonly #maxTallies: number;
  /** Of the shortest steps. */
  #tallies = new Map<string, Tally>();

  constructor(maxTallies = MAX_TALLIES) {
    this.#maxTallies = maxTallies;
  }

  /**
   * @param keyId null: a session
   * @param now wall clock, ms since the epoch
   */
  count(scrape: Scrape, userId: string, keyId: string | null, now: number): void {
    const { outcome, model } = scrape;
    // A dry run fetches nothing.
    if (outcome === 'planned') return;
    const common = {
      userId,
      step: SHORTEST,
      at: startOf(now, SHORTEST),
      keyId: keyId ?? NO_NAME,
      host: scrape.task.host,
      outcome,
      unit: scrape.costUnit,
    };
    const counted = this.#tally(common, scrape.scraper ?? NO_NAME, scrape.proxyType ?? NO_NAME);
    counted.scrapes++;
    counted.bytes += scrape.delivered?.content?.bytes.length ?? 0;
    durationsOf(counted)[siteLatencyBucket(activeMs(scrape))]!++;
    for (const { scraper, proxyType, cost, bytesIn, bytesOut } of scrape.attempts) {
      const tally = this.#tally(common, scraper, proxyType);
      countAttempt(tally, cost);
      tally.traffic += bytesIn + bytesOut;
    }
    if (model !== null) countAttempt(this.#tally(common, MODEL, 'none'), model.cost);
  }

  /** The increments of steps of all lengths since the last call. */
  drain(): UsageIncrement[] {
    const tallies = [...this.#tallies.values()];
    this.#tallies = new Map();
    return USAGE_STEPS.flatMap(({ seconds }) =>
      tallies.map((tally) => ({ ...tally, step: seconds, at: startOf(tally.at, seconds) })),
    );
  }

  /** Takes increments back that could not be stored. */
  restore(counts: readonly UsageIncrement[]): void {
    for (const count of counts) {
      if (count.step !== SHORTEST) continue;
      const tally = this.#tally(count, count.scraper, count.proxyType);
      for (const sum of Object.keys(NOTHING) as (keyof UsageSums)[]) tally[sum] += count[sum];
      count.latency?.forEach((scrapes, bucket) => {
        durationsOf(tally)[bucket]! += scrapes;
      });
    }
  }

  #tally(common: Common, scraper: string, proxyType: string): Tally {
    const { userId, step, at, keyId, host, outcome, unit } = common;
    const key = `${at} ${userId} ${keyId} ${scraper} ${proxyType} ${outcome} ${unit} ${host}`;
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    if (this.#tallies.size >= this.#maxTallies && host !== OTHER_HOSTS)
      return this.#tally({ ...common, host: OTHER_HOSTS }, scraper, proxyType);
    const tally: Tally = { userId, step, at, keyId, host, outcome, unit, scraper, proxyType, ...NOTHING };
    this.#tallies.set(key, tally);
    return tally;
  }
}

const startOf = (ms: number, seconds: number): number => Math.floor(ms / (seconds * 1000)) * seconds * 1000;

/** The durations of a tally, to be counted in. */
const durationsOf = (tally: Tally): number[] =>
  (tally.latency ??= new Array<number>(SITE_LATENCY_BUCKETS).fill(0));

function countAttempt(tally: Writable<UsageSums>, cost: number | null): void {
  tally.attempts++;
  if (cost === null) tally.unpriced++;
  else tally.cost += cost;
}
