import type { Job, PooledType, Sort } from '../domain/job.ts';
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

/** How effort, time and the risk of a bad page are weighed against a page. */
interface SpendWeights {
  /** Units of effort that a page is worth: an attempt that is expected to take more is not made. */
  readonly worth: number;
  /** Units that a second of waiting is worth. */
  readonly second: number;
  /** Units that a failing attempt risks, because it may bring what only looks like a page. */
  readonly risk: number;
}

/** Units that a page is worth: a little more than the 250 of the bench, because the chances are estimated too low. */
const PAGE_VALUE = 300;
/** Units that are lost with what only looks like a page. */
const BAD_PAGE_LOSS = 150;

/** @param missed the share of bad pages that pass for good ones */
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
  // A page that does not come costs more than any route of getting it.
  reliable: { worth: 50_000, second: 0, risk: 25_000 },
};

/** The expected spend of one attempt, in units: a failing one is cheaper, but may bring what only looks like a page. */
function expectedSpend(route: Route, cost: number, p: number, { risk }: SpendWeights): number {
  return p * cost + (1 - p) * (cost * route.failShare + risk);
}

/** The expected spend for a page; the route with the least goes first (the index of cost-aware search with one winner). */
function expectedSpendPerPage(route: Route, cost: number, p: number, weights: SpendWeights): number {
  return (expectedSpend(route, cost, p, weights) + weights.second * route.seconds) / p;
}

interface SearchLimits {
  readonly secondsLeft: number;
  /** Something must be tried, however little hope and time there is. */
  readonly mustTry: boolean;
  /** Routes are tried however little hope there is, but not without the time. */
  readonly persists?: boolean;
  /** No other attempt can follow: the chance of a page counts more than what the attempt takes. */
  readonly last?: boolean;
  /** Units that may still be spent; absent: any. */
  readonly unitsLeft?: number;
}

interface BestRoute {
  readonly route: number;
  /** P(page) with the time and the units that are left. */
  readonly p: number;
}

type CostOutlook = Pick<Outlook, 'success' | 'cost' | 'isPriced'>;

/** How much of the opportunity cost counts: after a failure the other routes are less likely to succeed than they look now. */
const OPPORTUNITY_WEIGHT = 0.3;

/** Of the candidates (indexes in `routes`) the one with the least expected spend for a page; null: none is worth its cost. */
export function bestRoute(
  routes: readonly Route[],
  candidates: readonly number[],
  outlook: CostOutlook,
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
    .map((at) => optionOf(routes[at]!, at, outlook, unitsLeft))
    .filter(({ cost }) => cost <= unitsLeft);
  const worths = options.map((option) => netValue(option, weights, secondsLeft, unitsLeft));
  let best: BestRoute | null = null;
  let least = Number.POSITIVE_INFINITY;
  let sensible = false;
  for (const option of options) {
    const { at, route, cost } = option;
    const p = chanceOf(option, secondsLeft, unitsLeft);
    const worth = p * weights.worth - expectedSpend(route, cost, p, weights);
    const fits = worth > 0 || (persists && hasTime(route, secondsLeft));
    // What does not fit is only taken when something must be tried, and nothing fits.
    if (!fits && (sensible || !mustTry)) continue;
    const lost =
      OPPORTUNITY_WEIGHT *
      (1 - p) *
      opportunityCost(option, options, worths, weights, secondsLeft, unitsLeft);
    const index = last ? -worth : expectedSpendPerPage(route, cost, p, weights) + lost / p;
    if (index >= least && sensible === fits) continue;
    best = { route: at, p };
    least = index;
    sensible = fits;
  }
  return best;
}

/** A route that may be taken. */
interface RouteOption {
  /** Index in the routes. */
  readonly at: number;
  readonly route: Route;
  readonly cost: number;
  /** P(page) with unlimited time and units. */
  readonly success: number;
  readonly isPriced: boolean;
}

function optionOf(route: Route, at: number, outlook: CostOutlook, unitsLeft: number): RouteOption {
  const isPriced = unitsLeft === Number.POSITIVE_INFINITY || outlook.isPriced(at);
  return { at, route, cost: outlook.cost(at), success: outlook.success(at), isPriced };
}

/** P(page) with the time and the units that are left. */
function chanceOf(
  { route, cost, success, isPriced }: RouteOption,
  secondsLeft: number,
  unitsLeft: number,
): number {
  const p = success * probabilityInTime(route, secondsLeft);
  return isPriced ? p : p * probabilityWithinUnits(cost, unitsLeft);
}

/** Units by which the best of the other routes is worth less after a failed attempt, which takes time and units. */
function opportunityCost(
  option: RouteOption,
  options: readonly RouteOption[],
  worths: readonly number[],
  weights: SpendWeights,
  secondsLeft: number,
  unitsLeft: number,
): number {
  const { seconds, failShare } = option.route;
  const secondsAfter = Math.max(0, secondsLeft - seconds);
  const unitsAfter = unitsLeft - option.cost * failShare;
  let now = 0;
  let after = 0;
  for (let at = 0; at < options.length; at++) {
    const other = options[at]!;
    if (other === option) continue;
    now = Math.max(now, worths[at]!);
    // No route is worth more when less is left.
    if (worths[at]! > after) after = Math.max(after, netValue(other, weights, secondsAfter, unitsAfter));
  }
  return now - after;
}

/** What an attempt is worth beyond what it is expected to take. */
function netValue(
  option: RouteOption,
  weights: SpendWeights,
  secondsLeft: number,
  unitsLeft: number,
): number {
  if (option.cost > unitsLeft) return 0;
  const p = chanceOf(option, secondsLeft, unitsLeft);
  return p * weights.worth - expectedSpend(option.route, option.cost, p, weights);
}

export interface ChosenStep {
  readonly step: Step;
  /** Why this step; shown to the caller. */
  readonly reason: string;
}

export const PINNED = 'pinned for this site by an administrator';

/** A belief is shown from this probability on. */
const SURE = 0.6;
/** P(page) below which the next proxy type of `escalate_proxy` may be taken. */
const HOPELESS = 0.3;

/** The step that promises a page for the least effort, unless `order` names one. null: none is worth it. */
export function chooseStep(
  job: Job,
  steps: readonly Step[],
  tried: readonly Step[],
  outlook: Outlook,
  limits: Partial<SearchLimits> = {},
): ChosenStep | null {
  let ordered: Step | null = null;
  for (const step of steps)
    if (ordered === null || orderIndex(job, step) < orderIndex(job, ordered)) ordered = step;
  if (ordered === null) return null;
  if (orderIndex(job, ordered) < job.router.order.length)
    return { step: ordered, reason: 'next in the order of the request' };
  const open = steps.filter((step) => !isHeldBack(job, step, steps, tried, outlook));
  const routes = open.map(routeIndex);
  const allLimits: SearchLimits = {
    secondsLeft: Number.POSITIVE_INFINITY,
    mustTry: tried.length === 0,
    persists: isPersistent(job, outlook),
    ...limits,
  };
  const best = bestRoute(ROUTES, routes, outlook, WEIGHTS_BY_SORT[job.router.sort], allLimits);
  if (best === null) return null;
  return {
    step: open[routes.indexOf(best.route)]!,
    reason: steps.length === 1 ? 'the only method that fits the request' : describeBelief(outlook),
  };
}

/** Three times the attempts of a request, by default. */
const KNOWN_AFTER = 9;

/** Whether so little is known of this kind of page that routes are tried however little hope there is. */
export const isUnfamiliar = ({ seen }: Outlook): boolean => seen < KNOWN_AFTER;

/** Whether routes are tried although they do not seem worth it: also where the caller says how many attempts to make. */
const isPersistent = ({ router }: Job, outlook: Outlook): boolean =>
  router.maxAttempts !== null || (router.sort !== 'cheapest' && isUnfamiliar(outlook));

/** Whether the proxy type of a step comes too early: those of `escalate_proxy` are taken in their order (contract §7). */
function isHeldBack(
  job: Job,
  step: Step,
  steps: readonly Step[],
  tried: readonly Step[],
  outlook: Outlook,
): boolean {
  const escalation = job.router.escalateProxy.filter((type) => type !== job.proxyType);
  const at = escalation.indexOf(step.proxyType as PooledType);
  if (at < 1) return false;
  const previous = escalation[at - 1]!;
  if (tried.some(({ proxyType }) => proxyType === previous)) return false;
  return steps.some(
    (other) => other.proxyType === previous && outlook.success(routeIndex(other)) >= HOPELESS,
  );
}

/** What the site is believed to be, in words. */
export function describeBelief({ belief, seen }: Outlook): string {
  const likeliest = belief.indexOf(Math.max(...belief));
  if (seen === 0) return 'the site is not known yet; this method has the lowest expected cost';
  if (belief[likeliest]! < SURE)
    return 'little is known about the site; this method has the lowest expected cost';
  return `the site ${DEFENSES[likeliest]!.words}; this method has the lowest expected cost`;
}
