import type { Outlook } from './experience.ts';
import { hasTime, inTime, isPaidBy, type Way } from './ways.ts';
import { spend, spendForPage, type Weights } from './weigh.ts';

export interface Bounds {
  readonly secondsLeft: number;
  /** Something is to be tried, whatever hope and time there is. */
  readonly mustTry: boolean;
  /** However little hope there is, but not without the time. */
  readonly stubborn?: boolean;
  /** Units that may still be spent; absent: any. */
  readonly unitsLeft?: number;
}

export interface Best {
  readonly way: number;
  /** P(page in time) by it. */
  readonly p: number;
}

/** Of `candidates` (places in `ways`) the one with the least expected spend for a page; null: none is worth its price. */
export function leastSpend(
  ways: readonly Way[],
  candidates: readonly number[],
  view: Pick<Outlook, 'success' | 'cost' | 'isPriced'>,
  weights: Weights,
  { secondsLeft, mustTry, stubborn = false, unitsLeft = Number.POSITIVE_INFINITY }: Bounds,
): Best | null {
  let best: Best | null = null;
  let least = Number.POSITIVE_INFINITY;
  let sensible = false;
  for (const at of candidates) {
    const way = ways[at]!;
    const cost = view.cost(at);
    if (cost > unitsLeft) continue;
    let p = view.success(at) * inTime(way, secondsLeft);
    if (!view.isPriced(at)) p *= isPaidBy(cost, unitsLeft);
    const fits = stubborn ? hasTime(way, secondsLeft) : p * weights.worth > spend(way, cost, p, weights);
    // What does not fit is only taken when something must be, and nothing fits.
    if (!fits && (sensible || !mustTry)) continue;
    const index = spendForPage(way, cost, p, weights);
    if (index >= least && sensible === fits) continue;
    best = { way: at, p };
    least = index;
    sensible = fits;
  }
  return best;
}
