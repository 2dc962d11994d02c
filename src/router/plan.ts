import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import type { Failure, FailureCode } from '../domain/failure.ts';
import type { Job, ProxyType } from '../domain/job.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { isBrowser, SCRAPER_NAMES, SCRAPERS, type ScraperName } from '../domain/scrapers.ts';
import type { MissingCapability, VerdictKind } from '../domain/verdict.ts';
import {
  ceilingExclusion,
  exclusionOf,
  orderIndex,
  planRefusal,
  type RoutingContext,
  type StepPrice,
} from './exclusion.ts';
import { Experience, type Outlook, type RouteObservation } from './experience.ts';
import { type ChosenStep, chooseStep, PINNED } from './route-choice.ts';
import { ROUTES, routeIndex } from './routes.ts';
import { siteKeyOf } from './site-key.ts';

/** What the decision about a further attempt needs to know of an attempt that ended. */
export interface EndedAttempt {
  readonly step: Step;
  /** null: it gave a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  /** What was missing to get the page; null: nothing, or the page does not say. */
  readonly failed: MissingCapability | null;
  /** The page does not meet `accept`. */
  readonly unmet: boolean;
  /** The page is whole and `ok`, and meets `accept`. */
  readonly satisfied: boolean;
  /** A byte of the request may have reached the target. */
  readonly sent: boolean;
}

export interface Plan {
  /** What can do the job, the first step first. */
  readonly steps: readonly Step[];
  readonly candidates: readonly Candidate[];
  readonly maxAttempts: number;
  /** The caller named the scraper: it may be repeated, never replaced. */
  readonly named: boolean;
  /** Whether an attempt by this step stays within `max_cost` when so much was spent before; null: there is no ceiling. */
  readonly affords: ((step: Step, spent: MicroUnits) => boolean) | null;
  /** What an attempt by a step costs; null: nothing is priced. */
  readonly price: ((step: Step) => StepPrice | null) | null;
  /** The first step and why it is the first; null: there is no choice. */
  readonly first: ChosenStep | null;
  /** What an administrator wants it to begin with. */
  readonly pinned: () => Step | null;
  /** What is believed of the page, given what this request has seen of it. */
  readonly outlook: (shown: readonly RouteObservation[]) => Outlook;
}

export type PlanResult =
  | { readonly plan: Plan; readonly failure: null }
  | { readonly plan: null; readonly failure: Failure; readonly candidates: readonly Candidate[] };

/** What is believed when nothing was learned. */
const UNTRAINED = new Experience(ROUTES);

/** Contract §7: attempts when the caller says nothing. */
const ATTEMPTS_AUTO = 3;
const ATTEMPTS_NAMED = 1;

/**
 * The steps that can do this job, and the one to begin with; or why there is none (422, the specific code before the
 * general).
 * @param now seconds since the epoch
 */
export function plan(
  job: Job,
  context: RoutingContext,
  experience: Experience = UNTRAINED,
  now = 0,
): PlanResult {
  const named = job.scraper !== 'auto';
  const proxyRefusal = context.proxyRefusal(job.proxyType, job);
  const candidates: Candidate[] = [];
  const steps: Step[] = [];
  for (const proxyType of proxyTypes(job)) {
    const refused = proxyType === job.proxyType ? proxyRefusal : context.proxyRefusal(proxyType, job);
    for (const scraper of named ? [job.scraper as ScraperName] : SCRAPER_NAMES) {
      const step: Step = { scraper, proxyType };
      const excludedBy = exclusionOf(job, step, context, refused);
      if (excludedBy === null) steps.push(step);
      candidates.push({ ...step, estCost: null, estSuccess: null, selected: false, excludedBy });
    }
  }
  if (steps.length === 0)
    return { plan: null, failure: planRefusal(job, context, candidates, proxyRefusal), candidates };
  if (job.router.order.length > 0) steps.sort((a, b) => orderIndex(job, a) - orderIndex(job, b));
  const key = siteKeyOf(job.url);
  const outlook = (shown: readonly RouteObservation[]) => experience.outlook(key, now, shown);
  const maxAttempts = job.router.maxAttempts ?? (named ? ATTEMPTS_NAMED : ATTEMPTS_AUTO);
  const { price: priceOf } = context;
  const price = priceOf === undefined ? null : (step: Step) => priceOf(step, job);
  const affords = affordability(job, price);
  const pinned = () => experience.pins.get(key.site) ?? null;
  const unordered = { steps, candidates, maxAttempts, named, affords, price, outlook, pinned, first: null };
  return { plan: replan(unordered, job), failure: null };
}

/** The plan with its first step chosen by what is known now. */
export function replan(plan: Plan, job: Job): Plan {
  const { named, steps, candidates, outlook, price } = plan;
  const view = outlook([]);
  const limits = { secondsLeft: job.timeoutMs / 1000 };
  const first =
    named && steps.length === 1 ? null : (pinnedStep(plan, job) ?? chooseStep(job, steps, [], view, limits));
  const firstStep = first?.step ?? steps[0]!;
  return {
    ...plan,
    first,
    steps: [firstStep, ...steps.filter((step) => step !== firstStep)],
    candidates: candidates.map((candidate) => withEstimates(candidate, firstStep, view, price)),
  };
}

/** The step that an administrator pinned, unless the caller names a scraper or an order. */
function pinnedStep({ steps, pinned, named }: Plan, job: Job): ChosenStep | null {
  const pin = named || job.router.order.length > 0 ? null : pinned();
  if (pin === null) return null;
  const step = steps.find(({ scraper, proxyType }) => scraper === pin.scraper && proxyType === pin.proxyType);
  return step === undefined ? null : { step, reason: PINNED };
}

/** The proxy type of the request, then those of `escalate_proxy` in their order. */
function proxyTypes({ proxyType, proxy, router: { escalateProxy } }: Job): readonly ProxyType[] {
  if (escalateProxy.length === 0 || proxy.pool !== null || proxyType === 'custom' || proxyType === 'none')
    return [proxyType];
  return [...new Set([proxyType, ...escalateProxy])];
}

/** The candidates at the end: those that the rest of `max_cost` did not pay for are excluded. */
export function candidatesAfter(
  { candidates, affords }: Pick<Plan, 'candidates' | 'affords'>,
  ended: readonly EndedAttempt[],
  spent: MicroUnits,
): readonly Candidate[] {
  const last = ended[ended.length - 1];
  if (affords === null || last === undefined || last.satisfied) return candidates;
  const wasTried = ({ scraper, proxyType }: Step) =>
    ended.some(({ step }) => step.scraper === scraper && step.proxyType === proxyType);
  return candidates.map((candidate) =>
    candidate.excludedBy === null && !wasTried(candidate) && !affords(candidate, spent)
      ? { ...candidate, excludedBy: 'max_cost' }
      : candidate,
  );
}

function affordability({ router: { maxCost } }: Job, price: Plan['price']): Plan['affords'] {
  if (maxCost === null) return null;
  return (step, spent) => ceilingExclusion(price?.(step) ?? null, maxCost - spent) === null;
}

function withEstimates(candidate: Candidate, first: Step, outlook: Outlook, price: Plan['price']): Candidate {
  if (candidate.excludedBy !== null) return candidate;
  const route = routeIndex(candidate);
  return {
    ...candidate,
    estCost: price === null ? round(outlook.cost(route)) : priceInCurrency(price(candidate)),
    estSuccess: round(outlook.success(route)),
    selected: candidate.scraper === first.scraper && candidate.proxyType === first.proxyType,
  };
}

/** In the currency. null: bytes are paid, whose number nobody knows before. */
const priceInCurrency = (price: StepPrice | null): number | null =>
  price === null || price.byBytes ? null : microToCurrency(price.fixed);

const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * The plan when the cookies of a passed bot check are at hand: it begins with the HTTP client that looks most like the browser
 * which passed it, unless the caller or an administrator says what to begin with.
 */
export function planWithClearance(plan: Plan, job: Job): Plan {
  if (plan.named || job.router.order.length > 0 || plan.first?.reason === PINNED) return plan;
  let first: Step | null = null;
  for (const step of plan.steps) {
    if (isBrowser(step.scraper) || step.proxyType !== job.proxyType) continue;
    if (first === null || fingerprintOf(step) > fingerprintOf(first)) first = step;
  }
  if (first === null) return plan;
  const { scraper, proxyType } = first;
  return {
    ...plan,
    first: { step: first, reason: 'the session has cookies of a passed bot check' },
    steps: [first, ...plan.steps.filter((step) => step !== first)],
    candidates: plan.candidates.map((candidate) => ({
      ...candidate,
      selected: candidate.scraper === scraper && candidate.proxyType === proxyType,
    })),
  };
}

const fingerprintOf = ({ scraper }: Step): number => SCRAPERS[scraper].fingerprint;
