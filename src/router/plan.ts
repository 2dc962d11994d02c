import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import type { Failure, FailureCode } from '../domain/failure.ts';
import type { Job, ProxyType } from '../domain/job.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { SCRAPER_NAMES, SCRAPERS, type ScraperName } from '../domain/scrapers.ts';
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

/** What the decision about a further attempt needs to know of one that ended. */
export interface EndedAttempt {
  readonly step: Step;
  /** null: it gave a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  /** What was missing, as far as the page tells. */
  readonly failed: MissingCapability | null;
  /** The page is not what `accept` asks for. */
  readonly unmet: boolean;
  /** The page is all that was asked for: whole, `ok`, meets `accept`. */
  readonly satisfied: boolean;
  /** A byte of the request may have reached the target. */
  readonly sent: boolean;
}

export interface Plan {
  /** What can do the job; the one that is taken first stands first. */
  readonly steps: readonly Step[];
  readonly candidates: readonly Candidate[];
  readonly maxAttempts: number;
  /** The caller named the scraper: it may be repeated, never replaced. */
  readonly named: boolean;
  /** Whether a further attempt by this step stays below `max_cost` when so much was spent; null: there is no ceiling. */
  readonly affords: ((step: Step, spent: MicroUnits) => boolean) | null;
  /** What an attempt costs; null: nothing is priced. */
  readonly price: ((step: Step) => StepPrice | null) | null;
  /** Why the first step is the first. */
  readonly first: ChosenStep | null;
  /** What an administrator wants it to begin with. */
  readonly pinned: () => Step | null;
  /** What is thought of the target, given what this request has seen of it. */
  readonly outlook: (shown: readonly RouteObservation[]) => Outlook;
}

export type PlanResult =
  | { readonly plan: Plan; readonly failure: null }
  | { readonly plan: null; readonly failure: Failure; readonly candidates: readonly Candidate[] };

/** What is known when nothing was seen yet. */
const UNTRAINED = new Experience(ROUTES);

/** Contract §7: attempts when the caller says nothing. */
const ATTEMPTS_AUTO = 3;
const ATTEMPTS_NAMED = 1;

/**
 * The steps that can do this job, and the one to begin with; or why there is none (422, the specific code before the
 * general). `now`: seconds since the epoch.
 */
export function plan(
  job: Job,
  facts: RoutingContext,
  experience: Experience = UNTRAINED,
  now = 0,
): PlanResult {
  const named = job.scraper !== 'auto';
  const proxyRefusal = facts.proxyRefusal(job.proxyType, job);
  const candidates: Candidate[] = [];
  const steps: Step[] = [];
  for (const proxyType of proxyTypes(job)) {
    const refused = proxyType === job.proxyType ? proxyRefusal : facts.proxyRefusal(proxyType, job);
    for (const scraper of named ? [job.scraper as ScraperName] : SCRAPER_NAMES) {
      const step: Step = { scraper, proxyType };
      const excludedBy = exclusionOf(job, step, facts, refused);
      if (excludedBy === null) steps.push(step);
      candidates.push({ ...step, estCost: null, estSuccess: null, selected: false, excludedBy });
    }
  }
  if (steps.length === 0)
    return { plan: null, failure: planRefusal(job, facts, candidates, proxyRefusal), candidates };
  if (job.router.order.length > 0) steps.sort((a, b) => orderIndex(job, a) - orderIndex(job, b));
  const key = siteKeyOf(job.url);
  const outlook = (shown: readonly RouteObservation[]) => experience.outlook(key, now, shown);
  const maxAttempts = job.router.maxAttempts ?? (named ? ATTEMPTS_NAMED : ATTEMPTS_AUTO);
  const { price: priceOf } = facts;
  const price = priceOf === undefined ? null : (step: Step) => priceOf(step, job);
  const affords = affordability(job, price);
  const pinned = () => experience.pins.get(key.site) ?? null;
  const all = { steps, candidates, maxAttempts, named, affords, price, outlook, pinned, first: null };
  return { plan: replan(all, job), failure: null };
}

/** The same plan by what is known now. */
export function replan(plan: Plan, job: Job): Plan {
  const { named, steps, candidates, outlook, price } = plan;
  const view = outlook([]);
  const left = { secondsLeft: job.timeoutMs / 1000 };
  const free = () => pinnedStep(plan, job) ?? chooseStep(job, steps, [], view, left);
  const first = named && steps.length === 1 ? null : free();
  const begin = first?.step ?? steps[0]!;
  return {
    ...plan,
    first,
    steps: [begin, ...steps.filter((step) => step !== begin)],
    candidates: candidates.map((one) => withEstimates(one, begin, view, price)),
  };
}

/** An administrator's word counts, unless the caller has one. */
function pinnedStep({ steps, pinned, named }: Plan, job: Job): ChosenStep | null {
  const pin = named || job.router.order.length > 0 ? null : pinned();
  if (pin === null) return null;
  const step = steps.find((one) => one.scraper === pin.scraper && one.proxyType === pin.proxyType);
  return step === undefined ? null : { step, reason: PINNED };
}

/** The proxy type of the request, and those that it may go on to, in the order of the request. */
function proxyTypes({ proxyType, proxy, router: { escalateProxy } }: Job): readonly ProxyType[] {
  if (escalateProxy.length === 0 || proxy.pool !== null || proxyType === 'custom' || proxyType === 'none')
    return [proxyType];
  return [...new Set([proxyType, ...escalateProxy])];
}

/** The candidates as they stand at the end: what `max_cost` did not pay for after what was spent says so. */
export function candidatesAfter(
  { candidates, affords }: Pick<Plan, 'candidates' | 'affords'>,
  ended: readonly EndedAttempt[],
  spent: MicroUnits,
): readonly Candidate[] {
  const last = ended[ended.length - 1];
  if (affords === null || last === undefined || last.satisfied) return candidates;
  const wasTaken = (one: Step) =>
    ended.some(({ step }) => step.scraper === one.scraper && step.proxyType === one.proxyType);
  return candidates.map((one) =>
    one.excludedBy === null && !wasTaken(one) && !affords(one, spent)
      ? { ...one, excludedBy: 'max_cost' }
      : one,
  );
}

function affordability({ router: { maxCost } }: Job, price: Plan['price']): Plan['affords'] {
  if (maxCost === null) return null;
  return (step, spent) => ceilingExclusion(price?.(step) ?? null, maxCost - spent) === null;
}

function withEstimates(one: Candidate, first: Step, view: Outlook, price: Plan['price']): Candidate {
  if (one.excludedBy !== null) return one;
  const way = routeIndex(one);
  return {
    ...one,
    estCost: price === null ? round(view.cost(way)) : priceInCurrency(price(one)),
    estSuccess: round(view.success(way)),
    selected: one.scraper === first.scraper && one.proxyType === first.proxyType,
  };
}

/** In the currency: what the attempt costs whatever it brings. What is paid by the byte cannot be told before. */
const priceInCurrency = (price: StepPrice | null): number | null =>
  price === null || price.byBytes ? null : microToCurrency(price.fixed);

const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * The plan when the cookies of a passed check are at hand: it begins with the HTTP client that looks most like the browser
 * which passed it. The word of the caller or of an administrator goes before.
 */
export function planWithClearance(plan: Plan, job: Job): Plan {
  if (plan.named || job.router.order.length > 0 || plan.first?.reason === PINNED) return plan;
  let begin: Step | null = null;
  for (const step of plan.steps) {
    const { engine, fingerprint } = SCRAPERS[step.scraper];
    if (engine !== 'http' || step.proxyType !== job.proxyType) continue;
    if (begin === null || fingerprint > SCRAPERS[begin.scraper].fingerprint) begin = step;
  }
  if (begin === null) return plan;
  const { scraper, proxyType } = begin;
  return {
    ...plan,
    first: { step: begin, reason: 'the session has cookies of a passed bot check' },
    steps: [begin, ...plan.steps.filter((step) => step !== begin)],
    candidates: plan.candidates.map((one) => ({
      ...one,
      selected: one.scraper === scraper && one.proxyType === proxyType,
    })),
  };
}
