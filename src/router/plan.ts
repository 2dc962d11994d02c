import type { Failure } from '../domain/failure.ts';
import type { Job, ProxyType, ScraperName } from '../domain/job.ts';
import { SCRAPER_NAMES } from '../domain/job.ts';
import { inCurrency, type Micro } from '../domain/micro.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { type Chosen, choose, PINNED } from './choose.ts';
import { overCeiling, type StepPrice } from './cost.ts';
import type { Ended } from './ended.ts';
import { exclusion, placeInOrder, type RouteFacts } from './exclusion.ts';
import { Experience, type Outlook, type Shown } from './experience.ts';
import { refusal } from './refusal.ts';
import { siteKeyOf } from './site-key.ts';
import { WAYS, wayOf } from './ways.ts';

export interface Plan {
  /** What can do the job; the one that is taken first stands first. */
  readonly steps: readonly Step[];
  readonly candidates: readonly Candidate[];
  readonly maxAttempts: number;
  /** The caller named the scraper: it may be repeated, never replaced. */
  readonly named: boolean;
  /** Whether a further attempt by this step stays below `max_cost` when so much was spent; null: there is no ceiling. */
  readonly affords: ((step: Step, spent: Micro) => boolean) | null;
  /** What an attempt costs; null: nothing is priced. */
  readonly price: ((step: Step) => StepPrice | null) | null;
  /** Why the first step is the first. */
  readonly first: Chosen | null;
  /** What an administrator wants it to begin with. */
  readonly pinned: () => Step | null;
  /** What is thought of the target, given what this request has seen of it. */
  readonly outlook: (shown: readonly Shown[]) => Outlook;
}

export type Planned =
  | { readonly plan: Plan; readonly failure: null }
  | { readonly plan: null; readonly failure: Failure; readonly candidates: readonly Candidate[] };

/** What is known when nothing was seen yet. */
const UNTAUGHT = new Experience(WAYS);

/** Contract §7: attempts when the caller says nothing. */
const ATTEMPTS_AUTO = 3;
const ATTEMPTS_NAMED = 1;

/**
 * The steps that can do this job, and the one to begin with; or why there is none (422, the specific code before the
 * general). `now`: seconds since the epoch.
 */
export function plan(job: Job, facts: RouteFacts, experience: Experience = UNTAUGHT, now = 0): Planned {
  const named = job.scraper !== 'auto';
  const proxyRefusal = facts.proxyRefusal(job.proxyType, job);
  const candidates: Candidate[] = [];
  const steps: Step[] = [];
  for (const proxyType of proxyTypes(job)) {
    const refused = proxyType === job.proxyType ? proxyRefusal : facts.proxyRefusal(proxyType, job);
    for (const scraper of named ? [job.scraper as ScraperName] : SCRAPER_NAMES) {
      const step: Step = { scraper, proxyType };
      const excludedBy = exclusion(job, step, facts, refused);
      if (excludedBy === null) steps.push(step);
      candidates.push({ ...step, estCost: null, estSuccess: null, selected: false, excludedBy });
    }
  }
  if (steps.length === 0)
    return { plan: null, failure: refusal(job, facts, candidates, proxyRefusal), candidates };
  if (job.router.order.length > 0) steps.sort((a, b) => placeInOrder(job, a) - placeInOrder(job, b));
  const key = siteKeyOf(job.url);
  const outlook = (shown: readonly Shown[]) => experience.outlook(key, now, shown);
  const maxAttempts = job.router.maxAttempts ?? (named ? ATTEMPTS_NAMED : ATTEMPTS_AUTO);
  const { price: priceOf } = facts;
  const price = priceOf === undefined ? null : (step: Step) => priceOf(step, job);
  const affords = affordable(job, price);
  const pinned = () => experience.pins.get(key.site) ?? null;
  const all = { steps, candidates, maxAttempts, named, affords, price, outlook, pinned, first: null };
  return { plan: replan(all, job), failure: null };
}

/** The same plan by what is known now. */
export function replan(plan: Plan, job: Job): Plan {
  const { named, steps, candidates, outlook, price } = plan;
  const view = outlook([]);
  const left = { secondsLeft: job.timeoutMs / 1000 };
  const free = () => pinnedFirst(plan, job) ?? choose(job, steps, [], view, left);
  const first = named && steps.length === 1 ? null : free();
  const begin = first?.step ?? steps[0]!;
  return {
    ...plan,
    first,
    steps: [begin, ...steps.filter((step) => step !== begin)],
    candidates: candidates.map((one) => estimated(one, begin, view, price)),
  };
}

/** An administrator's word counts, unless the caller has one. */
function pinnedFirst({ steps, pinned, named }: Plan, job: Job): Chosen | null {
  const pin = named || job.router.order.length > 0 ? null : pinned();
  if (pin === null) return null;
  const step = steps.find((one) => one.scraper === pin.scraper && one.proxyType === pin.proxyType);
  return step === undefined ? null : { step, because: PINNED };
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
  ended: readonly Ended[],
  spent: Micro,
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

function affordable({ router: { maxCost } }: Job, price: Plan['price']): Plan['affords'] {
  if (maxCost === null) return null;
  return (step, spent) => overCeiling(price?.(step) ?? null, maxCost - spent) === null;
}

function estimated(one: Candidate, first: Step, view: Outlook, price: Plan['price']): Candidate {
  if (one.excludedBy !== null) return one;
  const way = wayOf(one);
  return {
    ...one,
    estCost: price === null ? round(view.cost(way)) : known(price(one)),
    estSuccess: round(view.success(way)),
    selected: one.scraper === first.scraper && one.proxyType === first.proxyType,
  };
}

/** In the currency: what the attempt costs whatever it brings. What is paid by the byte cannot be told before. */
const known = (price: StepPrice | null): number | null =>
  price === null || price.byBytes ? null : inCurrency(price.fixed);

const round = (value: number): number => Math.round(value * 1000) / 1000;
