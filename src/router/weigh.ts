import type { Sort } from '../domain/job.ts';
import type { Way } from './ways.ts';

/** How spend, time and the risk of a bad page are weighed against a page. */
export interface Weights {
  /** A page is worth so many units. */
  readonly worth: number;
  /** Units that a second of waiting is worth. */
  readonly second: number;
  /** How often a page that is none passes for one. */
  readonly missed: number;
}

export const BALANCED: Weights = { worth: 250, second: 0.5, missed: 0.01 };

/** Contract §7, `sort`. */
export const WEIGHTS: Readonly<Record<Sort, Weights>> = {
  balanced: BALANCED,
  cheapest: { ...BALANCED, second: 0 },
  fastest: { ...BALANCED, second: 100 },
  // A page that does not come costs more than any way of getting it.
  reliable: { worth: 50_000, second: 0, missed: 0.5 },
};

/** The expected spend of one attempt, in units: it fails more cheaply, but may bring what only looks like a page. */
export function spend(way: Way, cost: number, p: number, { worth, missed }: Weights): number {
  return p * cost + (1 - p) * (cost * way.failShare + missed * worth);
}

/** The expected spend for a page: ways with the least go first (the index of cost-aware search with one winner). */
export function spendForPage(way: Way, cost: number, p: number, weights: Weights): number {
  return (spend(way, cost, p, weights) + weights.second * way.seconds) / p;
}
