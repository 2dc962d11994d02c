import { DEFENSES, expectedObservations } from './defenses.ts';
import { OBSERVATIONS, OK } from './observations.ts';
import type { Route } from './routes.ts';

const S = OBSERVATIONS.length;
const K = DEFENSES.length;

/** So many observations does the first estimate weigh. */
const ANCHOR = 15;
const ANCHOR_SHARES = 100;
/** Prices differ less than outcomes do: few tell enough. */
const ANCHOR_PRICE = 5;
/** An observation that is 3,300 others old counts a third. */
const FADING = 0.9997;
/** What one site shows of itself again and again teaches the tables for all sites as much as so many attempts. */
const MAX_LESSONS_PER_SITE = 2;
/** What is known of a target is counted as it was after its first attempts; a target that is 500 others old counts a third. */
const SHARE_FADING = 0.998;
const SHARE_UNTIL = 6;
const REBUILD_EVERY = 40;

/** What an attempt teaches of all targets. */
export interface Lesson {
  readonly route: number;
  readonly observation: number;
  /** P(demand) without it and with it. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** How often the target was seen, with this attempt. */
  readonly seen: number;
  /** How much was remembered there of attempts by this way. */
  readonly looks: number;
}

/**
 * How targets of each demand answer each way, and how many there are of each: one set of tables for all targets,
 * learned from each attempt by the belief about its target (soft counts over a first estimate).
 */
export class Population {
  readonly ways: readonly Route[];
  /** P(sign), at `(demand × ways + way) × signs + sign`. */
  readonly chance: Float64Array;
  readonly logChance: Float64Array;
  readonly logShare: Float64Array;
  readonly share: Float64Array;
  readonly #first: Float64Array;
  /** Soft counts; what is kept between starts. */
  readonly counts: Float64Array;
  readonly shareCounts: Float64Array;
  /** What pages cost, as multiples of the way's estimate, and how many there were: at `(demand × ways + way) × 2`. */
  readonly #prices: Float64Array;
  #since = 0;

  constructor(ways: readonly Route[]) {
    this.ways = ways;
    const cells = K * ways.length * S;
    this.#first = Float64Array.from(
      DEFENSES.flatMap((demand) => ways.flatMap((way) => expectedObservations(demand, way))),
    );
    this.chance = new Float64Array(cells);
    this.logChance = new Float64Array(cells);
    this.counts = new Float64Array(cells);
    this.shareCounts = new Float64Array(K);
    this.#prices = new Float64Array(2 * K * ways.length);
    this.share = new Float64Array(K);
    this.logShare = new Float64Array(K);
    this.rebuild();
  }

  /** P(page) by `way` at a target of `demand`. */
  success(demand: number, way: number): number {
    return this.chance[(demand * this.ways.length + way) * S + OK]!;
  }

  /**
   * One attempt at a target that was thought to be of demand k with likelihood `before[k]`, and is with `after[k]`: how
   * such targets answer is learned by what is thought now. By what was thought before, all demands would become alike.
   */
  learn({ route, observation, before, after, seen, looks }: Lesson): void {
    const weight = Math.min(1, MAX_LESSONS_PER_SITE / (looks + 1));
    const fading = FADING ** weight;
    for (let k = 0; k < K; k++) {
      const row = (k * this.ways.length + route) * S;
      for (let s = row; s < row + S; s++) this.counts[s]! *= fading;
      this.counts[row + observation]! += weight * after[k]!;
    }
    if (seen <= SHARE_UNTIL) this.#count(seen === 1, before, after);
    if (++this.#since >= REBUILD_EVERY) this.rebuild();
  }

  /** Each target counts once, as what it is thought to be: those that take many attempts are not more. */
  #count(isNew: boolean, before: Float64Array, after: Float64Array): void {
    for (let k = 0; k < K; k++) {
      const count = this.shareCounts[k]!;
      this.shareCounts[k] = isNew
        ? count * SHARE_FADING + after[k]!
        : Math.max(0, count + after[k]! - before[k]!);
    }
  }

  /** A page that was paid `ratio` times what its way was estimated at. */
  learnPrice(way: number, ratio: number, weight: Float64Array): void {
    for (let k = 0; k < K; k++) {
      const at = 2 * (k * this.ways.length + way);
      this.#prices[at] = this.#prices[at]! * FADING + weight[k]! * ratio;
      this.#prices[at + 1] = this.#prices[at + 1]! * FADING + weight[k]!;
    }
  }

  /** What pages by `way` cost at such targets, of the estimate. */
  costFactor(belief: Float64Array, way: number): number {
    // Summed as what it is more: beliefs add up to 1 but for rounding, and where nothing was learned it is 1.
    let dearer = 1;
    for (let k = 0; k < K; k++) {
      const at = 2 * (k * this.ways.length + way);
      const [paid, pages] = [this.#prices[at]!, this.#prices[at + 1]!];
      dearer += (belief[k]! * (paid - pages)) / (ANCHOR_PRICE + pages);
    }
    return dearer;
  }

  get hasLearned(): boolean {
    return this.shareCounts.some((count) => count > 0);
  }

  /** As JSON, to be kept. */
  serialize(): string {
    const short = (counts: Float64Array) => Array.from(counts, (count) => Math.round(count * 1000) / 1000);
    const [counts, shares, prices] = [this.counts, this.shareCounts, this.#prices].map(short);
    return JSON.stringify({ counts, shares, prices });
  }

  /** Adds what `text` gave to what has been learned since; what does not fit is not read. */
  restore(text: string): void {
    let given: { readonly counts?: unknown; readonly shares?: unknown; readonly prices?: unknown };
    try {
      given = JSON.parse(text);
    } catch {
      return;
    }
    const { counts, shares, prices } = given ?? {};
    if (!isCountArray(counts, this.counts.length) || !isCountArray(shares, this.shareCounts.length)) return;
    for (const [at, count] of counts.entries()) this.counts[at]! += count;
    for (const [at, count] of shares.entries()) this.shareCounts[at]! += count;
    // Not kept by earlier versions.
    if (isCountArray(prices, this.#prices.length))
      for (const [at, sum] of prices.entries()) this.#prices[at]! += sum;
    this.rebuild();
  }

  /** Makes the tables from first estimate and counts. */
  rebuild(): void {
    this.#since = 0;
    const A = this.ways.length;
    for (let row = 0; row < K * A * S; row += S) {
      let sum = 0;
      for (let s = row; s < row + S; s++) sum += this.counts[s]!;
      for (let s = row; s < row + S; s++) {
        const p = (ANCHOR * this.#first[s]! + this.counts[s]!) / (ANCHOR + sum);
        this.chance[s] = p;
        this.logChance[s] = Math.log(Math.max(p, 1e-4));
      }
    }
    let all = 0;
    for (let k = 0; k < K; k++) all += this.shareCounts[k]!;
    for (let k = 0; k < K; k++) {
      this.share[k] = (ANCHOR_SHARES * DEFENSES[k]!.share + this.shareCounts[k]!) / (ANCHOR_SHARES + all);
      this.logShare[k] = Math.log(this.share[k]!);
    }
  }
}

const isCountArray = (given: unknown, length: number): given is readonly number[] =>
  Array.isArray(given) && given.length === length && given.every((one) => Number.isFinite(one) && one >= 0);
