import type { Scrape } from '../domain/scrape.ts';
import { MODEL } from '../domain/site-stats.ts';
import { OTHER_HOSTS } from '../domain/stats.ts';
import { NO_NAME, USAGE_STEPS, type UsageIncrement, type UsageSums } from '../domain/usage.ts';

/** Further hosts are counted together, as `OTHER_HOSTS`. Limits the memory. */
const MAX_TALLIES = 20_000;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Names = Omit<UsageIncrement, keyof UsageSums>;

const SHORTEST = USAGE_STEPS[0].seconds;
const NOTHING: UsageSums = { scrapes: 0, bytes: 0, attempts: 0, traffic: 0, unpriced: 0, cost: 0 };

/**
 * Counts ended scrapes and their attempts by user, key, host, scraper, proxy type and outcome, until `drain` returns the
 * increments to be stored.
 */
export class UsageCounters {
  readonly #maxTallies: number;
  /** Of the shortest steps. */
  #tallies = new Map<string, Writable<UsageIncrement>>();

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
    const names = {
      userId,
      step: SHORTEST,
      at: startOf(now, SHORTEST),
      keyId: keyId ?? NO_NAME,
      host: scrape.task.host,
      outcome,
      unit: scrape.costUnit,
    };
    const { scraper, proxyType } = scrape;
    this.#add(
      { ...names, scraper: scraper ?? NO_NAME, proxyType: proxyType ?? NO_NAME },
      { ...NOTHING, scrapes: 1, bytes: scrape.delivered?.content?.bytes.length ?? 0 },
    );
    for (const { scraper, proxyType, cost, bytesIn, bytesOut } of scrape.attempts)
      this.#add({ ...names, scraper, proxyType }, { ...oneAttempt(cost), traffic: bytesIn + bytesOut });
    if (model !== null) this.#add({ ...names, scraper: MODEL, proxyType: 'none' }, oneAttempt(model.cost));
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
    for (const count of counts) if (count.step === SHORTEST) this.#add(count, count);
  }

  #add(names: Names, added: UsageSums): void {
    const { userId, at, keyId, host, scraper, proxyType, outcome, unit } = names;
    const key = `${at} ${userId} ${keyId} ${scraper} ${proxyType} ${outcome} ${unit} ${host}`;
    const tally = this.#tallies.get(key);
    if (tally === undefined) {
      if (this.#tallies.size >= this.#maxTallies && host !== OTHER_HOSTS) {
        this.#add({ ...names, host: OTHER_HOSTS }, added);
        return;
      }
      const { scrapes, bytes, attempts, traffic, unpriced, cost } = added;
      this.#tallies.set(key, { ...names, scrapes, bytes, attempts, traffic, unpriced, cost });
      return;
    }
    tally.scrapes += added.scrapes;
    tally.bytes += added.bytes;
    tally.attempts += added.attempts;
    tally.traffic += added.traffic;
    tally.unpriced += added.unpriced;
    tally.cost += added.cost;
  }
}

const startOf = (ms: number, seconds: number): number => Math.floor(ms / (seconds * 1000)) * seconds * 1000;

const oneAttempt = (cost: number | null): UsageSums => ({
  ...NOTHING,
  attempts: 1,
  unpriced: cost === null ? 1 : 0,
  cost: cost ?? 0,
});
