import type { Step } from '../domain/scrape.ts';
import { attemptsBy, type Evidence, emptyEvidence, posterior, successProbability } from './belief.ts';
import { OBSERVATIONS, OK } from './observations.ts';
import { Population } from './population.ts';
import type { Route } from './routes.ts';
import type { SiteKey } from './site-key.ts';
import { type AttemptHistory, SiteMemory } from './site-memory.ts';

/** An observation that was thought this unlikely shows that the site has changed: */
const SURPRISE = 0.08;
/** what was known of it then counts for that much less. */
const SURPRISE_KEEP = 0.3;
/** How much the last price counts. */
const PRICE_WEIGHT = 0.5;
/** From this P(page) on, a page comes as expected. */
const EXPECTED = 0.9;
const COST_INCREASE = 1.1;
const MAX_SITES = 200_000;

/** What an attempt by a route has shown. */
export interface RouteObservation {
  /** Index in `ROUTES`. */
  readonly route: number;
  /** Index in `OBSERVATIONS`. */
  readonly observation: number;
}

/** What is believed of one kind of page at one moment. */
export interface Outlook {
  /** P(defense). */
  readonly belief: Float64Array;
  readonly evidence: Evidence;
  /** Attempts at this kind of page that were recorded. */
  readonly seen: number;
  /** P(page) by a route. */
  success(route: number): number;
  /** Units of effort that a page by this route takes here. */
  cost(route: number): number;
  /** Whether the cost follows from what was paid here. */
  isPriced(route: number): boolean;
  /** How many attempts by this route still count. */
  attempts(route: number): number;
}

/** What is remembered of sites, and what follows from it. Times are in seconds. */
export class Experience {
  readonly population: Population;
  readonly memory: SiteMemory;
  /** What an administrator wants `auto` to begin with, by site. */
  readonly pins = new Map<string, Step>();

  constructor(routes: readonly Route[], maxSites = MAX_SITES) {
    this.population = new Population(routes);
    this.memory = new SiteMemory(maxSites);
  }

  /** @param shown what this request itself has seen, which counts in full */
  outlook(key: SiteKey, now: number, shown: readonly RouteObservation[]): Outlook {
    const { population, memory } = this;
    const evidence = emptyEvidence(population.routes.length);
    const seen = memory.addTo(evidence, key, now);
    for (const { route, observation } of shown) evidence[route * OBSERVATIONS.length + observation]! += 1;
    const belief = posterior(population, evidence);
    return {
      belief,
      evidence,
      seen,
      success: (route) => successProbability(population, belief, evidence, route),
      cost: (route) => this.#cost(key, belief, route),
      isPriced: (route) =>
        memory.costOf(key, route) !== null ||
        (population.routes[route]!.byBytes === true && memory.weightOf(key) !== null),
      attempts: (route) => attemptsBy(route, evidence),
    };
  }

  /** Records an attempt that ended. `paid`: units of effort that it took, null where that is not known. */
  record(key: SiteKey, now: number, { route, observation }: RouteObservation, paid: number | null): void {
    const { population, memory } = this;
    const second = Math.floor(now);
    const known = memory.historyOf(key);
    if (
      observation === OK &&
      known !== null &&
      known.lastPageAt === second &&
      known.lastPageRoute === route
    ) {
      // Of many pages that come as expected in one second, one teaches enough of the site.
      for (const history of memory.historiesFor(key, now)) history.record(now, route, observation, 1);
      return;
    }
    const before = this.outlook(key, now, []);
    const success = before.success(route);
    const keep = (observation === OK ? success : 1 - success) < SURPRISE ? SURPRISE_KEEP : 1;
    const histories = memory.historiesFor(key, now);
    for (const history of histories) history.record(now, route, observation, keep);
    if (observation === OK && success >= EXPECTED) {
      histories[0]!.lastPageAt = second;
      histories[0]!.lastPageRoute = route;
    }
    const after = this.outlook(key, now, []);
    if (observation === OK && paid !== null) this.#recordPrice(histories, route, paid, after);
    population.learn({
      route,
      observation,
      before: before.belief,
      after: after.belief,
      seen: histories[0]!.seen,
      attempts: before.attempts(route),
    });
  }

  /** An attempt was ended because it would have exceeded a ceiling: it costs more than the `units` that were left. */
  recordCostExceeded(key: SiteKey, now: number, route: number, units: number): void {
    const cost = this.outlook(key, now, []).cost(route);
    for (const history of this.memory.historiesFor(key, now))
      history.recordPrice(route, Math.max(cost, units * COST_INCREASE), 1);
  }

  /** As paid here; else by what such sites cost and, where bytes are paid, by the weight of the pages of this site. */
  #cost(key: SiteKey, belief: Float64Array, route: number): number {
    const paid = this.memory.costOf(key, route);
    if (paid !== null) return paid;
    const { cost, byBytes } = this.population.routes[route]!;
    return cost * (byBytes ? (this.memory.weightOf(key) ?? 1) : this.population.costFactor(belief, route));
  }

  #recordPrice(histories: readonly AttemptHistory[], route: number, paid: number, { belief }: Outlook): void {
    const { cost, byBytes } = this.population.routes[route]!;
    for (const history of histories) {
      history.recordPrice(route, paid, PRICE_WEIGHT);
      if (byBytes) history.recordWeight(paid / cost, PRICE_WEIGHT);
    }
    this.population.learnPrice(route, paid / cost, belief);
  }
}

/** A kind of page is probed at most so often, */
const PROBE_INTERVAL_S = 600;
/** for at most this share of what is spent on it, */
const PROBE_SHARE = 0.02;
const MAX_PROBE_BUDGET = 50;
/** and only by routes that cost at most this share of the one that works. */
const MAX_COST_RATIO = 0.7;

interface ProbeCandidates {
  /** The route that brought the page. */
  readonly used: number;
  /** Units of effort that it took. */
  readonly paid: number;
  /** The routes that may be probed. */
  readonly among: readonly number[];
}

/**
 * After a page by an expensive route: the cheaper route that is to fetch the page once more, to find out whether the site has
 * dropped a defense; null: none. The cost of a probe is taken from what this kind of page has saved up for it.
 */
export function pickProbe(
  experience: Experience,
  key: SiteKey,
  now: number,
  { used, paid, among }: ProbeCandidates,
): number | null {
  const known = experience.memory.historyOf(key);
  if (known === null) return null;
  known.probeBudget = Math.min(MAX_PROBE_BUDGET, known.probeBudget + PROBE_SHARE * paid);
  if (now - known.probedAt < PROBE_INTERVAL_S) return null;
  const outlook = experience.outlook(key, now, []);
  const maxCost = Math.min(outlook.cost(used) * MAX_COST_RATIO, known.probeBudget);
  let chosen: number | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const route of among) {
    if (outlook.cost(route) > maxCost) continue;
    // The one that was tried least, lately.
    const attempts = outlook.attempts(route);
    if (attempts >= fewest) continue;
    fewest = attempts;
    chosen = route;
  }
  if (chosen === null) return null;
  known.probedAt = now;
  known.probeBudget -= outlook.cost(chosen);
  return chosen;
}
