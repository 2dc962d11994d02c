import type { Sort } from '../domain/job.ts';
import type { Way } from './ways.ts';

/** How spend, time and the risk of a bad page are weighed against a page. */
export interface Weights {
  /** A page is worth so many units: an attempt that is expected to take more is not made. */
  readonly worth: number;
  /** Units that a second of waiting is worth. */
  readonly second: number;
  /** Units that an attempt risks which fails: it may bring what only looks like a page. */
  readonly risk: number;
}

/** A page is worth so many units: a little more than the 250 that the bench holds a lost one for, as chances are thought too small. */
const PAGE = 300;
/** And one that only looks like one is a loss of so many: not every failure shows what could pass. */
const BAD_PAGE = 150;

/** @param missed the part of bad pages that pass for good ones */
export const balanced = (missed: number): Weights => ({ worth: PAGE, second: 0.5, risk: missed * BAD_PAGE });

/** As in the bench. */
const BALANCED = balanced(0.02);

/** Contract §7, `sort`. */
export const WEIGHTS: Readonly<Record<Sort, Weights>> = {
  balanced: BALANCED,
  cheapest: { ...BALANCED, second: 0 },
  fastest: { ...BALANCED, second: 100 },
  // A page that does not come costs more than any way of getting it.
  reliable: { worth: 50_000, second: 0, risk: 25_000 },
};

/** The expected spend of one attempt, in units: it fails more cheaply, but may bring what only looks like a page. */
export function spend(way: Way, cost: number, p: number, { risk }: Weights): number {
  return p * cost + (1 - p) * (cost * way.failShare + risk);
}

/** The expected spend for a page: ways with the least go first (the index of cost-aware search with one winner). */
export function spendForPage(way: Way, cost: number, p: number, weights: Weights): number {
  return (spend(way, cost, p, weights) + weights.second * way.seconds) / p;
}
