import type { Outlook } from './experience.ts';
import { hasTime, inTime, isPaidBy, type Way } from './ways.ts';
import { spend, spendForPage, type Weights } from './weigh.ts';

export interface Bounds {
  readonly secondsLeft: number;
  /** Something is to be tried, whatever hope and time there is. */
  readonly mustTry: boolean;
  /** However little hope there is, but not without the time. */
  readonly persists?: boolean;
  /** Nothing can follow: the chance of a page counts for more than what it takes. */
  readonly last?: boolean;
  /** Units that may still be spent; absent: any. */
  readonly unitsLeft?: number;
}

export interface Best {
  readonly way: number;
  /** P(page in time) by it. */
  readonly p: number;
}

type View = Pick<Outlook, 'success' | 'cost' | 'isPriced'>;

/**
 * How much of the chance that an attempt forgoes counts: after some failures the others are not as likely as they look now.
 */
const FORGONE = 0.3;

/** Of `candidates` (places in `ways`) the one with the least expected spend for a page; null: none is worth its price. */
export function leastSpend(
  ways: readonly Way[],
  candidates: readonly number[],
  view: View,
  weights: Weights,
  { secondsLeft, mustTry, persists = false, last = false, unitsLeft = Number.POSITIVE_INFINITY }: Bounds,
): Best | null {
  const options = candidates
    .map((at) => optionOf(ways[at]!, at, view, unitsLeft))
    .filter(({ cost }) => cost <= unitsLeft);
  const worths = options.map((option) => worthOf(option, weights, secondsLeft, unitsLeft));
  let best: Best | null = null;
  let least = Number.POSITIVE_INFINITY;
  let sensible = false;
  for (const option of options) {
    const { at, way, cost } = option;
    const p = chanceOf(option, secondsLeft, unitsLeft);
    const worth = p * weights.worth - spend(way, cost, p, weights);
    const fits = worth > 0 || (persists && hasTime(way, secondsLeft));
    // What does not fit is only taken when something must be, and nothing fits.
    if (!fits && (sensible || !mustTry)) continue;
    const lost = FORGONE * (1 - p) * forgone(option, options, worths, weights, secondsLeft, unitsLeft);
    const index = last ? -worth : spendForPage(way, cost, p, weights) + lost / p;
    if (index >= least && sensible === fits) continue;
    best = { way: at, p };
    least = index;
    sensible = fits;
  }
  return best;
}

/** A way that might be taken. */
interface Option {
  readonly at: number;
  readonly way: Way;
  readonly cost: number;
  /** P(page), were there any amount of time and units. */
  readonly success: number;
  readonly isPriced: boolean;
}

function optionOf(way: Way, at: number, view: View, unitsLeft: number): Option {
  const isPriced = unitsLeft === Number.POSITIVE_INFINITY || view.isPriced(at);
  return { at, way, cost: view.cost(at), success: view.success(at), isPriced };
}

/** P(page) with what is left. */
function chanceOf({ way, cost, success, isPriced }: Option, secondsLeft: number, unitsLeft: number): number {
  const p = success * inTime(way, secondsLeft);
  return isPriced ? p : p * isPaidBy(cost, unitsLeft);
}

/** Units by which the best of the other ways is worth less after an attempt that failed, which takes time and units. */
function forgone(
  one: Option,
  options: readonly Option[],
  worths: readonly number[],
  weights: Weights,
  secondsLeft: number,
  unitsLeft: number,
): number {
  const { seconds, failShare } = one.way;
  const secondsAfter = Math.max(0, secondsLeft - seconds);
  const unitsAfter = unitsLeft - one.cost * failShare;
  let now = 0;
  let after = 0;
  for (let at = 0; at < options.length; at++) {
    const other = options[at]!;
    if (other === one) continue;
    now = Math.max(now, worths[at]!);
    // With less left no way is worth more.
    if (worths[at]! > after) after = Math.max(after, worthOf(other, weights, secondsAfter, unitsAfter));
  }
  return now - after;
}

/** What an attempt is worth over what it is expected to take. */
function worthOf(option: Option, weights: Weights, secondsLeft: number, unitsLeft: number): number {
  if (option.cost > unitsLeft) return 0;
  const p = chanceOf(option, secondsLeft, unitsLeft);
  return p * weights.worth - spend(option.way, option.cost, p, weights);
}
