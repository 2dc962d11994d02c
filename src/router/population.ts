import { DEFENSES, expectedObservations } from './defenses.ts';
import { OBSERVATIONS, OK } from './observations.ts';
import type { Route } from './routes.ts';

const OBSERVATION_COUNT = OBSERVATIONS.length;
const DEFENSE_COUNT = DEFENSES.length;

/** The initial estimate of a probability counts as much as so many observations. */
const ESTIMATE_WEIGHT = 15;
/** The initial estimate of the shares counts as much as so many sites. */
const SHARE_ESTIMATE_WEIGHT = 100;
/** The initial estimate of an effort counts as much as so many pages. Fewer, because efforts differ less than outcomes. */
const EFFORT_ESTIMATE_WEIGHT = 5;
/** After 3,300 further observations, an observation counts a third. */
const DECAY = 0.9997;
/** Repeated attempts by one route at one site count at most as so many attempts. */
const MAX_LESSONS_PER_SITE = 2;
/** After 500 further sites, a site counts a third. */
const SHARE_DECAY = 0.998;
/** How many attempts may change what a site adds to the shares. The belief about it is settled by then. */
const SHARE_ATTEMPTS = 6;
/** Attempts between two computations of the tables. */
const REBUILD_EVERY = 40;

/** What can be learned from an attempt about sites in general. */
export interface Lesson {
  readonly route: number;
  readonly observation: number;
  /** P(defense) before and after the attempt. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** How much the attempt shows about sites, 0 to 1. */
  readonly weight: number;
  /** Number of attempts at the site, including this one. */
  readonly attemptCount: number;
  /** Number of attempts by this route at the site that still count. */
  readonly attemptsByRoute: number;
}

/**
 * Statistics of all sites: how sites with each defense respond to each route, and how frequent each defense is. Each attempt
 * counts for the defenses in proportion to the belief about its site (soft counts), in addition to the initial estimates.
 */
export class Population {
  /** Those that it was made with, then those that were added. */
  readonly routes: Route[] = [];
  /** P(observation), at `row(defense, route) + observation`, and its logarithm. */
  chance = new Float64Array();
  logChance = new Float64Array();
  /** P(defense), and its logarithm. */
  readonly share: Float64Array;
  readonly logShare: Float64Array;
  #estimate = new Float64Array();
  /** Soft counts, which survive a restart. */
  counts = new Float64Array();
  readonly shareCounts: Float64Array;
  /** At `2 × (route × defenses + defense)`: the sum of the efforts of pages, as multiples of the estimate, and their number. */
  #efforts = new Float64Array();
  /** Number of the routes that it was made with. They are stored in their order, the others by name. */
  readonly #ownRoutes: number;
  #learnedSinceRebuild = 0;

  constructor(routes: readonly Route[]) {
    this.shareCounts = new Float64Array(DEFENSE_COUNT);
    this.share = new Float64Array(DEFENSE_COUNT);
    this.logShare = new Float64Array(DEFENSE_COUNT);
    this.#ownRoutes = routes.length;
    this.routes.push(...routes);
    this.#fit();
  }

  /** Adds routes of which nothing is known yet but the estimates. Known ones (by name) keep their place and what was learned. */
  addRoutes(routes: readonly Route[]): void {
    for (const route of routes) {
      const known = this.routes.findIndex(({ name }) => name === route.name);
      if (known < 0) this.routes.push(route);
      else this.routes[known] = route;
    }
    this.#fit();
  }

  /** Gives each route its cells. */
  #fit(): void {
    const cells = this.routes.length * DEFENSE_COUNT * OBSERVATION_COUNT;
    this.#estimate = Float64Array.from(
      this.routes.flatMap((route) => DEFENSES.flatMap((defense) => expectedObservations(defense, route))),
    );
    this.chance = new Float64Array(cells);
    this.logChance = new Float64Array(cells);
    this.counts = grown(this.counts, cells);
    this.#efforts = grown(this.#efforts, 2 * DEFENSE_COUNT * this.routes.length);
    this.rebuild();
  }

  /** P(page) by a route at a site with a defense. */
  success(defense: number, route: number): number {
    return this.chance[this.row(defense, route) + OK]!;
  }

  /**
   * Learns from one attempt. It counts for each defense in proportion to the belief after it: with the belief before it, all
   * defenses would become similar.
   */
  learn({ route, observation, before, after, weight: share, attemptCount, attemptsByRoute }: Lesson): void {
    const weight = share * Math.min(1, MAX_LESSONS_PER_SITE / (attemptsByRoute + 1));
    const decay = DECAY ** weight;
    for (let defense = 0; defense < DEFENSE_COUNT; defense++) {
      const row = this.row(defense, route);
      for (let cell = row; cell < row + OBSERVATION_COUNT; cell++) this.counts[cell]! *= decay;
      this.counts[row + observation]! += weight * after[defense]!;
    }
    if (attemptCount <= SHARE_ATTEMPTS) this.#countSite(attemptCount === 1, before, after);
    if (++this.#learnedSinceRebuild >= REBUILD_EVERY) this.rebuild();
  }

  /** Each site counts once, by the belief about it, however many attempts there are. */
  #countSite(isNew: boolean, before: Float64Array, after: Float64Array): void {
    for (let defense = 0; defense < DEFENSE_COUNT; defense++) {
      const count = this.shareCounts[defense]!;
      this.shareCounts[defense] = isNew
        ? count * SHARE_DECAY + after[defense]!
        : Math.max(0, count + after[defense]! - before[defense]!);
    }
  }

  /** Learns that a page took `ratio` times the estimated effort of its route. */
  learnEffort(route: number, ratio: number, belief: Float64Array): void {
    for (let defense = 0; defense < DEFENSE_COUNT; defense++) {
      const index = 2 * (route * DEFENSE_COUNT + defense);
      this.#efforts[index] = this.#efforts[index]! * DECAY + belief[defense]! * ratio;
      this.#efforts[index + 1] = this.#efforts[index + 1]! * DECAY + belief[defense]!;
    }
  }

  /** The effort of a page by a route at sites with the believed defenses, as a multiple of the estimate. */
  effortFactor(belief: Float64Array, route: number): number {
    // Sums the differences from 1, so that the factor is exactly 1 if nothing was learned.
    let factor = 1;
    for (let defense = 0; defense < DEFENSE_COUNT; defense++) {
      const index = 2 * (route * DEFENSE_COUNT + defense);
      const [efforts, pages] = [this.#efforts[index]!, this.#efforts[index + 1]!];
      factor += (belief[defense]! * (efforts - pages)) / (EFFORT_ESTIMATE_WEIGHT + pages);
    }
    return factor;
  }

  get hasLearned(): boolean {
    return this.shareCounts.some((count) => count > 0);
  }

  /**
   * The counts of the routes that it was made with, as lists by defense, then route: that is how all versions have stored them.
   * Those of further routes by name.
   */
  serialize(): string {
    const own = this.#ownRoutes;
    const byDefense = (cells: Float64Array, width: number) =>
      DEFENSES.flatMap((_, defense) =>
        Array.from({ length: own }, (__, route) => [...slice(cells, width, defense, route)]).flat(),
      ).map(rounded);
    const more = this.routes.slice(own).map(({ name }, index) => {
      const cellsOf = (cells: Float64Array, width: number) =>
        DEFENSES.flatMap((_, defense) => [...slice(cells, width, defense, own + index)]).map(rounded);
      return [name, { counts: cellsOf(this.counts, OBSERVATION_COUNT), prices: cellsOf(this.#efforts, 2) }];
    });
    return JSON.stringify({
      counts: byDefense(this.counts, OBSERVATION_COUNT),
      shares: Array.from(this.shareCounts, rounded),
      prices: byDefense(this.#efforts, 2),
      ...(more.length > 0 && { more: Object.fromEntries(more) }),
    });
  }

  /** Adds serialized counts to those learned since the start. Ignores counts for tables of another size. */
  restore(text: string): void {
    let stored: {
      readonly counts?: unknown;
      readonly shares?: unknown;
      readonly prices?: unknown;
      readonly more?: Readonly<Record<string, { readonly counts?: unknown; readonly prices?: unknown }>>;
    };
    try {
      stored = JSON.parse(text);
    } catch {
      return;
    }
    const { counts, shares, prices, more } = stored ?? {};
    const own = this.#ownRoutes;
    const addTo = (cells: Float64Array, width: number, routes: readonly number[], added: unknown) => {
      if (!isCountArray(added, DEFENSE_COUNT * routes.length * width)) return false;
      let next = 0;
      for (let defense = 0; defense < DEFENSE_COUNT; defense++)
        for (const route of routes) {
          const part = slice(cells, width, defense, route);
          for (let cell = 0; cell < width; cell++) part[cell]! += added[next++]!;
        }
      return true;
    };
    const ownRoutes = Array.from({ length: own }, (_, route) => route);
    if (!isCountArray(shares, this.shareCounts.length)) return;
    if (!addTo(this.counts, OBSERVATION_COUNT, ownRoutes, counts)) return;
    for (const [defense, count] of shares.entries()) this.shareCounts[defense]! += count;
    // The member is called `prices`, as earlier versions stored it. The first ones did not store it.
    addTo(this.#efforts, 2, ownRoutes, prices);
    for (const [index, { name }] of this.routes.slice(own).entries()) {
      const one = more?.[name];
      addTo(this.counts, OBSERVATION_COUNT, [own + index], one?.counts);
      addTo(this.#efforts, 2, [own + index], one?.prices);
    }
    this.rebuild();
  }

  /** Computes the tables from the initial estimates and the counts. */
  rebuild(): void {
    this.#learnedSinceRebuild = 0;
    for (let row = 0; row < this.counts.length; row += OBSERVATION_COUNT) {
      let sum = 0;
      for (let cell = row; cell < row + OBSERVATION_COUNT; cell++) sum += this.counts[cell]!;
      for (let cell = row; cell < row + OBSERVATION_COUNT; cell++) {
        const chance =
          (ESTIMATE_WEIGHT * this.#estimate[cell]! + this.counts[cell]!) / (ESTIMATE_WEIGHT + sum);
        this.chance[cell] = chance;
        // With a lower limit, because a single rare observation must not exclude a defense.
        this.logChance[cell] = Math.log(Math.max(chance, 1e-4));
      }
    }
    const sites = this.shareCounts.reduce((sum, count) => sum + count, 0);
    for (const [defense, { share }] of DEFENSES.entries()) {
      this.share[defense] =
        (SHARE_ESTIMATE_WEIGHT * share + this.shareCounts[defense]!) / (SHARE_ESTIMATE_WEIGHT + sites);
      this.logShare[defense] = Math.log(this.share[defense]!);
    }
  }

  /** Where the observations of a route at sites with a defense begin in `chance`, `logChance` and `counts`. */
  row(defense: number, route: number): number {
    return (route * DEFENSE_COUNT + defense) * OBSERVATION_COUNT;
  }
}

const rounded = (count: number): number => Math.round(count * 1000) / 1000;

/** The `width` cells of a route at sites with a defense. */
const slice = (cells: Float64Array, width: number, defense: number, route: number): Float64Array =>
  cells.subarray((route * DEFENSE_COUNT + defense) * width, (route * DEFENSE_COUNT + defense + 1) * width);

function grown(cells: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const more = new Float64Array(length);
  more.set(cells);
  return more;
}

const isCountArray = (value: unknown, length: number): value is readonly number[] =>
  Array.isArray(value) &&
  value.length === length &&
  value.every((count) => Number.isFinite(count) && count >= 0);
