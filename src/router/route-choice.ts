import type { Step } from '../domain/scrape.ts';
import type { PooledType, Sort, Task } from '../domain/task.ts';
import { orderIndex } from './exclusion.ts';
import type { Outlook } from './experience.ts';
import { DEFENSE_REASONS, REASONS } from './reasons.ts';
import { hasTime, probabilityInTime, probabilityWithinUnits, type Route, routeIndex } from './routes.ts';

/** The values of a page, of time and of the risk of a bad page, all in units of effort. */
interface SpendWeights {
  /** Value of a page. An attempt with a higher expected cost is not made. */
  readonly worth: number;
  /** Cost of a second. */
  readonly second: number;
  /** Expected loss of a failing attempt, because it may return a bad page that looks like a good one. */
  readonly risk: number;
}

/** Value of a page, in units. A little more than the 250 of `bench/routing`, because success is estimated too low. */
const PAGE_VALUE = 300;
/** Loss by a bad page that looks like a good one, in units. */
const BAD_PAGE_LOSS = 150;

/** @param missed the share of bad pages that are taken for good ones */
export const balancedWeights = (missed: number): SpendWeights => ({
  worth: PAGE_VALUE,
  second: 0.5,
  risk: missed * BAD_PAGE_LOSS,
});

/** The share of bad pages that are taken for good ones; the same value as in `bench/routing`. */
const MISSED_SHARE = 0.02;
const BALANCED_WEIGHTS = balancedWeights(MISSED_SHARE);

/** Contract §7, `sort`. */
export const WEIGHTS_BY_SORT: Readonly<Record<Sort, SpendWeights>> = {
  balanced: BALANCED_WEIGHTS,
  cheapest: { ...BALANCED_WEIGHTS, second: 0 },
  fastest: { ...BALANCED_WEIGHTS, second: 100 },
  // A missing page is worse than the cost of any route.
  reliable: { worth: 50_000, second: 0, risk: 25_000 },
};

/** The expected spend of one attempt, in units. A failing attempt is cheaper, but risks a bad page. */
function expectedSpend(route: Route, effort: number, p: number, { risk }: SpendWeights): number {
  return p * effort + (1 - p) * (effort * route.failShare + risk);
}

/** The expected spend for a page. Trying the routes in ascending order of this costs least until one returns the page. */
function expectedSpendPerPage(route: Route, effort: number, p: number, weights: SpendWeights): number {
  return (expectedSpend(route, effort, p, weights) + weights.second * route.seconds) / p;
}

interface SearchLimits {
  readonly secondsLeft: number;
  /** Chooses a route even if none is worth its cost or has enough time. */
  readonly mustTry: boolean;
  /** Chooses a route even if none is worth its cost, as long as it has enough time. */
  readonly persists?: boolean;
  /** No other attempt can follow, so that success counts more than the spend. */
  readonly isLastAttempt?: boolean;
  /** Units that may still be spent; absent: no limit. */
  readonly unitsLeft?: number;
}

interface BestRoute {
  readonly route: number;
  /** P(page) within the time and the units that are left. */
  readonly p: number;
}

type EffortOutlook = Pick<Outlook, 'success' | 'effort' | 'isMeasured'>;

/** The share of the opportunity cost that counts. After a failure, other routes are less likely to succeed than they seem now. */
const OPPORTUNITY_WEIGHT = 0.3;

/** The candidate (index in `routes`) with the least expected spend for a page; null if none is worth its cost. */
export function bestRoute(
  routes: readonly Route[],
  candidates: readonly number[],
  outlook: EffortOutlook,
  weights: SpendWeights,
  {
    secondsLeft,
    mustTry,
    persists = false,
    isLastAttempt = false,
    unitsLeft = Number.POSITIVE_INFINITY,
  }: SearchLimits,
): BestRoute | null {
  const options = candidates
    .map((index) => optionOf(routes[index]!, index, outlook, unitsLeft))
    .filter(({ effort }) => effort <= unitsLeft);
  const netValues = options.map((option) => netValue(option, weights, secondsLeft, unitsLeft));
  let best: BestRoute | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  let bestIsWorthwhile = false;
  for (const option of options) {
    const { route, effort } = option;
    const p = chanceOf(option, secondsLeft, unitsLeft);
    const value = p * weights.worth - expectedSpend(route, effort, p, weights);
    const isWorthwhile = value > 0 || (persists && hasTime(route, secondsLeft));
    // Routes that are not worthwhile are only chosen if one must be tried and none is worthwhile.
    if (!isWorthwhile && (bestIsWorthwhile || !mustTry)) continue;
    const opportunityLoss =
      OPPORTUNITY_WEIGHT *
      (1 - p) *
      opportunityCost(option, options, netValues, weights, secondsLeft, unitsLeft);
    const score = isLastAttempt
      ? -value
      : expectedSpendPerPage(route, effort, p, weights) + opportunityLoss / p;
    if (score >= bestScore && bestIsWorthwhile === isWorthwhile) continue;
    best = { route: option.index, p };
    bestScore = score;
    bestIsWorthwhile = isWorthwhile;
  }
  return best;
}

interface RouteOption {
  /** Index in the routes. */
  readonly index: number;
  readonly route: Route;
  readonly effort: number;
  /** P(page) with unlimited time and units. */
  readonly success: number;
  readonly isMeasured: boolean;
}

function optionOf(route: Route, index: number, outlook: EffortOutlook, unitsLeft: number): RouteOption {
  const isMeasured = unitsLeft === Number.POSITIVE_INFINITY || outlook.isMeasured(index);
  return { index, route, effort: outlook.effort(index), success: outlook.success(index), isMeasured };
}

/** P(page) within the time and the units that are left. */
function chanceOf(
  { route, effort, success, isMeasured }: RouteOption,
  secondsLeft: number,
  unitsLeft: number,
): number {
  const p = success * probabilityInTime(route, secondsLeft);
  return isMeasured ? p : p * probabilityWithinUnits(effort, unitsLeft);
}

/** Units by which the value of the best other route falls after a failed attempt, which takes time and units. */
function opportunityCost(
  option: RouteOption,
  options: readonly RouteOption[],
  netValues: readonly number[],
  weights: SpendWeights,
  secondsLeft: number,
  unitsLeft: number,
): number {
  const { seconds, failShare } = option.route;
  const secondsAfter = Math.max(0, secondsLeft - seconds);
  const unitsAfter = unitsLeft - option.effort * failShare;
  let now = 0;
  let after = 0;
  for (let index = 0; index < options.length; index++) {
    const other = options[index]!;
    if (other === option) continue;
    now = Math.max(now, netValues[index]!);
    // With less time and units left, no route is worth more than now.
    if (netValues[index]! > after)
      after = Math.max(after, netValue(other, weights, secondsAfter, unitsAfter));
  }
  return now - after;
}

/** The expected value of an attempt minus its expected spend. */
function netValue(
  option: RouteOption,
  weights: SpendWeights,
  secondsLeft: number,
  unitsLeft: number,
): number {
  if (option.effort > unitsLeft) return 0;
  const p = chanceOf(option, secondsLeft, unitsLeft);
  return p * weights.worth - expectedSpend(option.route, option.effort, p, weights);
}

export interface ChosenStep {
  readonly step: Step;
  /** Why this step; shown to the caller. */
  readonly reason: string;
}

/** A belief is only shown if its probability is at least this. */
const SURE = 0.6;
/** If P(page) is lower for all routes by a proxy type, the next type of `escalate_proxy` may be used. */
const HOPELESS = 0.3;

/** The next step of `order`, or else the one with the least expected spend for a page; null if none is worth it. */
export function chooseStep(
  task: Task,
  steps: readonly Step[],
  tried: readonly Step[],
  outlook: Outlook,
  limits: Partial<SearchLimits> = {},
): ChosenStep | null {
  let ordered: Step | null = null;
  for (const step of steps)
    if (ordered === null || orderIndex(task, step) < orderIndex(task, ordered)) ordered = step;
  if (ordered === null) return null;
  if (orderIndex(task, ordered) < task.router.order.length) return { step: ordered, reason: REASONS.ordered };
  const allowed = steps.filter((step) => !isHeldBack(task, step, steps, tried, outlook));
  const routes = allowed.map((step) => routeIndex(step, outlook.routes));
  const allLimits: SearchLimits = {
    secondsLeft: Number.POSITIVE_INFINITY,
    mustTry: tried.length === 0,
    persists: isPersistent(task, outlook),
    ...limits,
  };
  const best = bestRoute(outlook.routes, routes, outlook, WEIGHTS_BY_SORT[task.router.sort], allLimits);
  if (best === null) return null;
  return {
    step: allowed[routes.indexOf(best.route)]!,
    reason: steps.length > 1 ? describeBelief(outlook) : onlyReason(tried),
  };
}

const onlyReason = (tried: readonly Step[]): string => (tried.length === 0 ? REASONS.only : REASONS.onlyLeft);

/** Attempts after which a kind of page is known: three scrapes with the default number of attempts. */
const KNOWN_AFTER = 9;

/** Whether so little is known about this kind of page that even unlikely routes should be tried. */
export const isUnfamiliar = ({ attemptCount }: Outlook): boolean => attemptCount < KNOWN_AFTER;

/** Whether routes are tried although they do not seem worth it. Always if the caller sets the number of attempts. */
const isPersistent = ({ router }: Task, outlook: Outlook): boolean =>
  router.maxAttempts !== null || (router.sort !== 'cheapest' && isUnfamiliar(outlook));

/** Whether the proxy type of a step must wait: those of `escalate_proxy` are used in their order (contract §7). */
function isHeldBack(
  task: Task,
  step: Step,
  steps: readonly Step[],
  tried: readonly Step[],
  outlook: Outlook,
): boolean {
  const escalation = task.router.escalateProxy.filter((type) => type !== task.proxyType);
  const position = escalation.indexOf(step.proxyType as PooledType);
  if (position < 1) return false;
  const previous = escalation[position - 1]!;
  if (tried.some(({ proxyType }) => proxyType === previous)) return false;
  return steps.some(
    (other) => other.proxyType === previous && outlook.success(routeIndex(other, outlook.routes)) >= HOPELESS,
  );
}

/** The belief about the site, as a text for the caller. */
export function describeBelief({ belief, attemptCount }: Outlook): string {
  const likeliest = belief.indexOf(Math.max(...belief));
  if (attemptCount === 0) return REASONS.newPage;
  return belief[likeliest]! < SURE ? REASONS.littleKnown : DEFENSE_REASONS[likeliest]!;
}
