import type { Job, Sort } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { DEFENSES } from './defenses.ts';
import { orderIndex } from './exclusion.ts';
import type { Outlook } from './experience.ts';
import {
  hasTime,
  probabilityInTime,
  probabilityWithinUnits,
  ROUTES,
  type Route,
  routeIndex,
} from './routes.ts';

/** How spend, time and the risk of a bad page are weighed against a page. */
interface SpendWeights {
  /** A page is worth so many units: an attempt that is expected to take more is not made. */
  readonly worth: number;
  /** Units that a second of waiting is worth. */
  readonly second: number;
  /** Units that an attempt risks which fails: it may bring what only looks like a page. */
  readonly risk: number;
}

/** A page is worth so many units: a little more than the 250 that the bench holds a lost one for, as chances are thought too small. */
const PAGE_VALUE = 300;
/** And one that only looks like one is a loss of so many: not every failure shows what could pass. */
const BAD_PAGE_LOSS = 150;

/** @param missed the part of bad pages that pass for good ones */
export const balancedWeights = (missed: number): SpendWeights => ({
  worth: PAGE_VALUE,
  second: 0.5,
  risk: missed * BAD_PAGE_LOSS,
});

/** As in the bench. */
const BALANCED_WEIGHTS = balancedWeights(0.02);

/** Contract §7, `sort`. */
export const WEIGHTS_BY_SORT: Readonly<Record<Sort, SpendWeights>> = {
  balanced: BALANCED_WEIGHTS,
  cheapest: { ...BALANCED_WEIGHTS, second: 0 },
  fastest: { ...BALANCED_WEIGHTS, second: 100 },
  // A page that does not come costs more than any way of getting it.
  reliable: { worth: 50_000, second: 0, risk: 25_000 },
};

/** The expected spend of one attempt, in units: it fails more cheaply, but may bring what only looks like a page. */
function expectedSpend(way: Route, cost: number, p: number, { risk }: SpendWeights): number {
  return p * cost + (1 - p) * (cost * way.failShare + risk);
}

/** The expected spend for a page: ways with the least go first (the index of cost-aware search with one winner). */
function expectedSpendPerPage(way: Route, cost: number, p: number, weights: SpendWeights): number {
  return (expectedSpend(way, cost, p, weights) + weights.second * way.seconds) / p;
}

interface SearchLimits {
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

interface BestRoute {
  readonly route: number;
  /** P(page in time) by it. */
  readonly p: number;
}

type CostView = Pick<Outlook, 'success' | 'cost' | 'isPriced'>;

/**
 * How much of the chance that an attempt forgoes counts: after some failures the others are not as likely as they look now.
 */
const OPPORTUNITY_WEIGHT = 0.3;

/** Of `candidates` (places in `ways`) the one with the least expected spend for a page; null: none is worth its price. */
export function bestRoute(
  ways: readonly Route[],
  candidates: readonly number[],
  view: CostView,
  weights: SpendWeights,
  {
    secondsLeft,
    mustTry,
    persists = false,
    last = false,
    unitsLeft = Number.POSITIVE_INFINITY,
  }: SearchLimits,
): BestRoute | null {
  const options = candidates
    .map((at) => optionOf(ways[at]!, at, view, unitsLeft))
    .filter(({ cost }) => cost <= unitsLeft);
  const worths = options.map((option) => netValue(option, weights, secondsLeft, unitsLeft));
  let best: BestRoute | null = null;
  let least = Number.POSITIVE_INFINITY;
  let sensible = false;
  for (const option of options) {
    const { at, way, cost } = option;
    const p = chanceOf(option, secondsLeft, unitsLeft);
    const worth = p * weights.worth - expectedSpend(way, cost, p, weights);
    const fits = worth > 0 || (persists && hasTime(way, secondsLeft));
    // What does not fit is only taken when something must be, and nothing fits.
    if (!fits && (sensible || !mustTry)) continue;
    const lost =
      OPPORTUNITY_WEIGHT *
      (1 - p) *
      opportunityCost(option, options, worths, weights, secondsLeft, unitsLeft);
    const index = last ? -worth : expectedSpendPerPage(way, cost, p, weights) + lost / p;
    if (index >= least && sensible === fits) continue;
    best = { route: at, p };
    least = index;
    sensible = fits;
  }
  return best;
}

/** A way that might be taken. */
interface RouteOption {
  readonly at: number;
  readonly way: Route;
  readonly cost: number;
  /** P(page), were there any amount of time and units. */
  readonly success: number;
  readonly isPriced: boolean;
}

function optionOf(way: Route, at: number, view: CostView, unitsLeft: number): RouteOption {
  const isPriced = unitsLeft === Number.POSITIVE_INFINITY || view.isPriced(at);
  return { at, way, cost: view.cost(at), success: view.success(at), isPriced };
}

/** P(page) with what is left. */
function chanceOf(
  { way, cost, success, isPriced }: RouteOption,
  secondsLeft: number,
  unitsLeft: number,
): number {
  const p = success * probabilityInTime(way, secondsLeft);
  return isPriced ? p : p * probabilityWithinUnits(cost, unitsLeft);
}

/** Units by which the best of the other ways is worth less after an attempt that failed, which takes time and units. */
function opportunityCost(
  one: RouteOption,
  options: readonly RouteOption[],
  worths: readonly number[],
  weights: SpendWeights,
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
    if (worths[at]! > after) after = Math.max(after, netValue(other, weights, secondsAfter, unitsAfter));
  }
  return now - after;
}

/** What an attempt is worth over what it is expected to take. */
function netValue(
  option: RouteOption,
  weights: SpendWeights,
  secondsLeft: number,
  unitsLeft: number,
): number {
  if (option.cost > unitsLeft) return 0;
  const p = chanceOf(option, secondsLeft, unitsLeft);
  return p * weights.worth - expectedSpend(option.way, option.cost, p, weights);
}

export interface ChosenStep {
  readonly step: Step;
  /** Why this one, for people. */
  readonly reason: string;
}

export const PINNED = 'pinned for this site by an administrator';

/** From here on a belief is told. */
const SURE = 0.6;
/** A kind of exit that the caller put behind another one is taken once that is thought to be worse than this. */
const HOPELESS = 0.3;

/** The step that promises a page for the least; `order` goes before. `tried`: what this request has been through. */
export function chooseStep(
  job: Job,
  steps: readonly Step[],
  tried: readonly Step[],
  view: Outlook,
  left: Partial<SearchLimits> = {},
): ChosenStep | null {
  let ordered: Step | null = null;
  for (const step of steps)
    if (ordered === null || orderIndex(job, step) < orderIndex(job, ordered)) ordered = step;
  if (ordered === null) return null;
  if (orderIndex(job, ordered) < job.router.order.length)
    return { step: ordered, reason: 'next in the order of the request' };
  const open = steps.filter((step) => !isHeldBack(job, step, steps, tried, view));
  const ways = open.map(routeIndex);
  const bounds: SearchLimits = {
    secondsLeft: Number.POSITIVE_INFINITY,
    mustTry: tried.length === 0,
    persists: isPersistent(job, view),
    ...left,
  };
  const best = bestRoute(ROUTES, ways, view, WEIGHTS_BY_SORT[job.router.sort], bounds);
  if (best === null) return null;
  return {
    step: open[ways.indexOf(best.route)]!,
    reason: steps.length === 1 ? 'the only method that fits the request' : describeBelief(view),
  };
}

/** So many attempts are three times all that a request makes by default. */
const KNOWN_AFTER = 9;

/** Whether so little was seen of this kind of page that ways are tried there however little hope there is. */
export const isUnfamiliar = ({ seen }: Outlook): boolean => seen < KNOWN_AFTER;

/** Whether ways are tried although they do not seem worth it. Callers that say how often to try want it tried so often. */
const isPersistent = ({ router }: Job, view: Outlook): boolean =>
  router.maxAttempts !== null || (router.sort !== 'cheapest' && isUnfamiliar(view));

/** Contract §7: exits of `escalate_proxy` are taken in the order in which the caller gave them. */
function isHeldBack(
  job: Job,
  step: Step,
  steps: readonly Step[],
  tried: readonly Step[],
  view: Outlook,
): boolean {
  const others = job.router.escalateProxy.filter((type) => type !== job.proxyType);
  const at = others.indexOf(step.proxyType as 'residential');
  if (at < 1) return false;
  const before = others[at - 1]!;
  if (tried.some(({ proxyType }) => proxyType === before)) return false;
  return steps.some((one) => one.proxyType === before && view.success(routeIndex(one)) >= HOPELESS);
}

/** What the target is taken for, in words. */
export function describeBelief({ belief, seen }: Outlook): string {
  let most = 0;
  for (let k = 1; k < belief.length; k++) if (belief[k]! > belief[most]!) most = k;
  if (seen === 0) return 'the site is not known yet; this method has the lowest expected cost';
  if (belief[most]! < SURE) return 'little is known about the site; this method has the lowest expected cost';
  return `the site ${DEFENSES[most]!.words}; this method has the lowest expected cost`;
}
