import type { Step } from '../domain/scrape.ts';
import { type Evidence, emptyEvidence, posterior, successProbability } from './belief.ts';
import { OBSERVATIONS, OK } from './observations.ts';
import { Population } from './population.ts';
import type { Route } from './routes.ts';
import type { SiteKey } from './site-key.ts';
import { type AttemptHistory, SiteMemory } from './site-memory.ts';

const S = OBSERVATIONS.length;
/** What was thought this unlikely has changed: then most of what was known is out of date. */
const SURPRISE = 0.08;
const SURPRISE_KEEP = 0.3;
const PAID_STEP = 0.5;
const EXPECTED = 0.9;
const COST_INCREASE = 1.1;
const SITES_MOST = 200_000;

/** An attempt of this request that ended, as evidence. */
export interface RouteObservation {
  readonly route: number;
  readonly observation: number;
}

/** What is thought of one target at one moment. */
export interface Outlook {
  readonly belief: Float64Array;
  readonly evidence: Evidence;
  /** Attempts at this kind of page that are remembered. */
  readonly seen: number;
  /** P(page) by a way. */
  success(way: number): number;
  /** Units that a page by this way takes here. */
  cost(way: number): number;
  /** Something was paid here that tells so. */
  isPriced(way: number): boolean;
  /** How much is remembered of attempts by this way. */
  looks(way: number): number;
}

/** What is remembered of targets, and what follows from it. Time is given, in seconds. */
export class Experience {
  readonly population: Population;
  readonly memory: SiteMemory;
  /** What an administrator wants `auto` to begin with, by site. */
  readonly pins = new Map<string, Step>();

  constructor(ways: readonly Route[], sitesMost = SITES_MOST) {
    this.population = new Population(ways);
    this.memory = new SiteMemory(sitesMost);
  }

  /** `shown`: what this very request has seen counts in full. */
  outlook(key: SiteKey, now: number, shown: readonly RouteObservation[]): Outlook {
    const { population, memory } = this;
    const evidence = emptyEvidence(population.ways.length);
    const seen = memory.addTo(evidence, key, now);
    for (const { route, observation } of shown) evidence[route * S + observation]! += 1;
    const belief = posterior(population, evidence);
    return {
      belief,
      evidence,
      seen,
      success: (way) => successProbability(population, belief, evidence, way),
      cost: (way) => this.#cost(key, belief, way),
      isPriced: (way) =>
        memory.costOf(key, way) !== null ||
        (population.ways[way]!.byBytes === true && memory.weightOf(key) !== null),
      looks(way) {
        let total = 0;
        for (let s = way * S; s < way * S + S; s++) total += evidence[s]!;
        return total;
      },
    };
  }

  /** One attempt that ended. `paid`: units that it took, null when that is not known. */
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
      // Of many pages that come as ever in one second, one tells enough of what the site is like.
      for (const one of memory.historiesFor(key, now)) one.record(now, route, observation, 1);
      return;
    }
    const before = this.outlook(key, now, []);
    const p = before.success(route);
    const keep = (observation === OK ? p : 1 - p) < SURPRISE ? SURPRISE_KEEP : 1;
    const noted = memory.historiesFor(key, now);
    for (const one of noted) one.record(now, route, observation, keep);
    if (observation === OK && p >= EXPECTED) {
      noted[0]!.lastPageAt = second;
      noted[0]!.lastPageRoute = route;
    }
    const after = this.outlook(key, now, []);
    if (observation === OK && paid !== null) this.#notePaid(noted, route, paid, after);
    const { seen } = noted[0]!;
    const looks = before.looks(route);
    population.learn({ route, observation, before: before.belief, after: after.belief, seen, looks });
  }

  /** An attempt was ended because it would have passed a ceiling: it costs more than the `units` that were left. */
  recordCostExceeded(key: SiteKey, now: number, way: number, units: number): void {
    const cost = this.outlook(key, now, []).cost(way);
    for (const one of this.memory.historiesFor(key, now))
      one.notePaid(way, Math.max(cost, units * COST_INCREASE), 1);
  }

  /** As paid here; or by what such targets cost and, where that counts, by what pages of this site weigh. */
  #cost(key: SiteKey, belief: Float64Array, way: number): number {
    const paid = this.memory.costOf(key, way);
    if (paid !== null) return paid;
    const { cost, byBytes } = this.population.ways[way]!;
    return cost * (byBytes ? (this.memory.weightOf(key) ?? 1) : this.population.costFactor(belief, way));
  }

  #notePaid(noted: readonly AttemptHistory[], way: number, paid: number, { belief }: Outlook): void {
    const { cost, byBytes } = this.population.ways[way]!;
    for (const one of noted) {
      one.notePaid(way, paid, PAID_STEP);
      if (byBytes) one.noteWeight(paid / cost, PAID_STEP);
    }
    this.population.learnPrice(way, paid / cost, belief);
  }
}

/** A target is probed at most so often, */
const PROBE_INTERVAL_S = 600;
/** for at most this part of what is spent on it, */
const PROBE_SHARE = 0.02;
const SAVED_MOST = 50;
/** and only by ways that cost at most this part of the one that works. */
const MAX_COST_RATIO = 0.7;

interface ProbeCandidates {
  /** The way that brought the page, and the units that it took. */
  readonly used: number;
  readonly paid: number;
  /** The ways that might be probed. */
  readonly among: readonly number[];
}

/**
 * After a page by an expensive way: the cheaper way that is to fetch the page once more, beside the request, to find out
 * whether a defence has fallen; null: none. What a probe costs is taken from what the target has saved up for it.
 */
export function pickProbe(
  experience: Experience,
  key: SiteKey,
  now: number,
  { used, paid, among }: ProbeCandidates,
): number | null {
  const known = experience.memory.historyOf(key);
  if (known === null) return null;
  known.probeBudget = Math.min(SAVED_MOST, known.probeBudget + PROBE_SHARE * paid);
  if (now - known.probedAt < PROBE_INTERVAL_S) return null;
  const view = experience.outlook(key, now, []);
  const most = view.cost(used) * MAX_COST_RATIO;
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const way of among) {
    const cost = view.cost(way);
    if (cost > most || cost > known.probeBudget) continue;
    // The least looked at of them, lately.
    const looked = view.looks(way);
    if (looked >= least) continue;
    least = looked;
    best = way;
  }
  if (best === null) return null;
  known.probedAt = now;
  known.probeBudget -= view.cost(best);
  return best;
}
