import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import { type Failure, type FailureCode, failure } from '../domain/failure.ts';
import { RELOGIN_POINTER } from '../domain/profile-option.ts';
import { DEFAULT_PROXY_OPTIONS } from '../domain/proxy.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { isBrowser, isVendor, SCRAPER_NAMES, SCRAPERS, type ScraperName } from '../domain/scrapers.ts';
import type { ProxyType, Task } from '../domain/task.ts';
import { isTestHost, TEST_DOMAIN } from '../domain/test-hosts.ts';
import type { VendorFacts } from '../domain/vendors.ts';
import type { MissingCapability, VerdictKind } from '../domain/verdict.ts';
import {
  ceilingExclusion,
  exclusionOf,
  orderIndex,
  planRefusal,
  type RoutingContext,
  type StepPrice,
  vendorExclusion,
} from './exclusion.ts';
import { Experience, NO_ROUTES, type Outlook, type RouteObservation } from './experience.ts';
import { REASONS } from './reasons.ts';
import { type ChosenStep, chooseStep } from './route-choice.ts';
import { ROUTES, type Route, routeIndex, withDurations } from './routes.ts';
import { siteKeyOf } from './site-key.ts';

/** What the decision about a further attempt needs to know about an earlier attempt. */
export interface EndedAttempt {
  readonly step: Step;
  /** null: it returned a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  /** The capability that was missing; null: none, or it is not known. */
  readonly missing: MissingCapability | null;
  /** The page does not meet `accept`. */
  readonly unmet: boolean;
  /** The page is complete and `ok`, and meets `accept`. */
  readonly satisfied: boolean;
  /** A byte of the request may have reached the target. */
  readonly sent: boolean;
  /** The page is a 403 without a word why, which may be the target's answer to any visitor. Absent: it is not. */
  readonly bare403?: boolean;
}

export interface Plan {
  /** The steps that can do the task, the first one first. */
  readonly steps: readonly Step[];
  readonly candidates: readonly Candidate[];
  readonly maxAttempts: number;
  /** The caller named the scraper. It may be repeated, but not replaced. */
  readonly named: boolean;
  /** Whether an attempt by this step stays within `max_cost` after `spent`; null: there is no ceiling. */
  readonly affords: ((step: Step, spent: MicroUnits) => boolean) | null;
  /** The price of an attempt by a step; null: no prices are configured. */
  readonly price: ((step: Step) => StepPrice | null) | null;
  /** Whether a step is one by a vendor that fails more than usual, and must be left to another attempt now. */
  readonly isOnTrial: (step: Step) => boolean;
  /** Whether the site has recently given this method pages, so that a bare 403 is its answer, and refuses no visitor. */
  readonly isOpen: (step: Step) => boolean;
  /** The routes of `isOpen`, by what is known now. */
  readonly openRoutes: () => ReadonlySet<number>;
  /** The first step with the reason for it; null: there is no choice. */
  readonly first: ChosenStep | null;
  /** The first step that an administrator has pinned for the site. */
  readonly pinned: () => Step | null;
  /** Those of the experience, with the time that attempts by vendors take at this moment. */
  readonly routes: readonly Route[];
  /** Seconds that an attempt by a vendor would wait for a slot of its account. Others have a free slot. */
  readonly waits: ReadonlyMap<ScraperName, number>;
  /** What is believed about the page, including the observations by earlier attempts of this scrape. */
  readonly outlook: (ofThisScrape: readonly RouteObservation[]) => Outlook;
}

export type PlanResult =
  | { readonly plan: Plan; readonly failure: null }
  | { readonly plan: null; readonly failure: Failure; readonly candidates: readonly Candidate[] };

const UNTRAINED = new Experience(ROUTES);

/** Default number of attempts (contract §7). */
const ATTEMPTS_AUTO = 3;
const ATTEMPTS_NAMED = 1;

/**
 * Finds the steps that can do this task and chooses the first one. If there is none, the result is a failure (422).
 * @param now seconds since the epoch
 */
export function plan(
  task: Task,
  context: RoutingContext,
  experience: Experience = UNTRAINED,
  now = 0,
): PlanResult {
  if (!isTestHost(task.host)) return planFor(task, context, experience, now);
  const refused = testHostRefusal(task);
  if (refused !== null) return { plan: null, failure: refused, candidates: [] };
  const direct: Task = { ...task, proxyType: 'none', proxy: DEFAULT_PROXY_OPTIONS };
  return planFor(direct, ofTestHosts(context, task), experience, now);
}

/** Test hosts are in this process: the request needs no proxy, nor the operator's leave to go without one, and costs nothing. */
const ofTestHosts = (context: RoutingContext, { router: { maxCost } }: Task): RoutingContext => ({
  ...context,
  vendors: () => [],
  proxyRefusal: () => null,
  // Without prices, a limit would exclude every scraper as one without a price.
  ...(context.price === undefined && maxCost === null ? {} : { price: () => FREE }),
});

const FREE: StepPrice = { fixed: 0, byBytes: false };

function testHostRefusal({ scraper, proxyType, proxy, router: { escalateProxy } }: Task): Failure | null {
  const named =
    scraper !== 'auto' && isVendor(scraper)
      ? ['/scraper', 'vendor']
      : (proxyType !== 'none' && proxyType !== 'datacenter') || proxy.pool !== null || proxy.country !== null
        ? ['/proxy', 'proxy']
        : escalateProxy.length > 0
          ? ['/router/escalate_proxy', 'proxy']
          : null;
  if (named === null) return null;
  const [pointer, what] = named as [string, string];
  return failure(
    'test.host',
    `Sluice serves hosts below ${TEST_DOMAIN} itself, so no ${what} is used for them.`,
    {
      pointer,
    },
  );
}

function planFor(task: Task, context: RoutingContext, experience: Experience, now: number): PlanResult {
  const withoutModel = context.modelRefusal?.(task) ?? null;
  if (withoutModel !== null) return { plan: null, failure: withoutModel, candidates: [] };
  const withoutBrowser = reloginRefusal(task, context);
  if (withoutBrowser !== null) return { plan: null, failure: withoutBrowser, candidates: [] };
  const named = task.scraper !== 'auto';
  const proxyRefusal = context.proxyRefusal(task.proxyType, task);
  const candidates: Candidate[] = [];
  const steps: Step[] = [];
  const consider = (step: Step, excludedBy: string | null) => {
    if (excludedBy === null) steps.push(step);
    candidates.push({ ...step, ...NO_ESTIMATES, selected: false, excludedBy });
  };
  const types = proxyTypes(task);
  for (const proxyType of types) {
    const refused = proxyType === task.proxyType ? proxyRefusal : context.proxyRefusal(proxyType, task);
    for (const scraper of SCRAPER_NAMES) {
      if (named && scraper !== task.scraper) continue;
      const step = { scraper, proxyType };
      consider(step, exclusionOf(task, step, context, refused));
    }
  }
  const vendors = context.vendors?.() ?? [];
  const isOnTrial = (step: Step) => isVendorOnTrial(experience, vendors, step, now);
  for (const vendor of vendors) {
    if (named && vendor.scraper !== task.scraper) continue;
    for (const proxyType of vendorTypes(vendor, types))
      consider(
        { scraper: vendor.scraper, proxyType },
        vendorExclusion(task, vendor, proxyType, context, isOnTrial),
      );
  }
  if (steps.length === 0)
    return { plan: null, failure: planRefusal(task, context, candidates, proxyRefusal), candidates };
  if (task.router.order.length > 0) steps.sort((a, b) => orderIndex(task, a) - orderIndex(task, b));
  const key = siteKeyOf(task.url);
  const routes = withDurations(experience.routes, vendors);
  const outlook = (ofThisScrape: readonly RouteObservation[]) => {
    const known = experience.outlook(key, now, ofThisScrape);
    return routes === known.routes ? known : { ...known, routes };
  };
  const waits = slotWaits(vendors);
  const maxAttempts = task.router.maxAttempts ?? (named ? ATTEMPTS_NAMED : ATTEMPTS_AUTO);
  const { price: priceOf } = context;
  const price = priceOf === undefined ? null : (step: Step) => priceOf(step, task);
  const affords = affordability(task, price);
  const pinned = () => experience.pins.get(key.site) ?? null;
  const unordered = {
    routes,
    waits,
    steps,
    candidates,
    maxAttempts,
    named,
    affords,
    price,
    isOnTrial,
    isOpen: () => false,
    openRoutes: () => experience.openRoutes(key, now),
    outlook,
    pinned,
    first: null,
  };
  return { plan: replan(unordered, task), failure: null };
}

/** Chooses the first step again, by what is known now. */
export function replan(plan: Plan, task: Task): Plan {
  const { named, steps, candidates, outlook } = plan;
  const initialOutlook = outlook([]);
  const limits = { secondsLeft: task.timeoutMs / 1000 };
  const first =
    named && steps.length === 1
      ? null
      : (pinnedStep(plan, task) ?? chooseStep(task, steps, [], initialOutlook, limits));
  const firstStep = first?.step ?? steps[0]!;
  // Of the time before the attempts: what they show must not count against themselves.
  const open = named ? NO_ROUTES : plan.openRoutes();
  return {
    ...plan,
    isOpen: (step) => open.has(routeIndex(step, plan.routes)),
    first,
    steps: [firstStep, ...steps.filter((step) => step !== firstStep)],
    candidates: candidates.map((candidate) => withEstimates(candidate, firstStep, initialOutlook, plan)),
  };
}

function isVendorOnTrial(
  experience: Experience,
  vendors: readonly VendorFacts[],
  step: Step,
  now: number,
): boolean {
  const vendor = vendors.find(({ scraper }) => scraper === step.scraper);
  const route = routeIndex(step, experience.routes);
  return vendor !== undefined && experience.isOnTrial(route, now, { isRunning: vendor.isUsed() });
}

const NO_ESTIMATES = { estCost: null, estSuccess: null, estMs: null } as const;
const NO_WAITS: Plan['waits'] = new Map();

function slotWaits(vendors: readonly VendorFacts[]): Plan['waits'] {
  const waiting = vendors.filter((vendor) => vendor.waitSeconds() > 0);
  if (waiting.length === 0) return NO_WAITS;
  return new Map(waiting.map((vendor) => [vendor.scraper, vendor.waitSeconds()]));
}

export const isSameStep = (a: Step, b: Step): boolean =>
  a.scraper === b.scraper && a.proxyType === b.proxyType;

/** The step that an administrator pinned, unless the caller names a scraper or an order. */
function pinnedStep({ steps, pinned, named }: Plan, task: Task): ChosenStep | null {
  const pin = named || task.router.order.length > 0 ? null : pinned();
  if (pin === null) return null;
  const step = steps.find((step) => isSameStep(step, pin));
  return step === undefined ? null : { step, reason: REASONS.pinned };
}

/** Only a browser logs in, whatever fetches the page. */
function reloginRefusal(task: Task, context: RoutingContext): Failure | null {
  if (task.options.profile?.relogin !== true) return null;
  const reason = context.unavailable('browser') ?? context.refusal?.('browser', task)?.message ?? null;
  return reason === null
    ? null
    : failure('scraper.unavailable', `\`relogin\` logs in with a browser, and none can be used: ${reason}`, {
        pointer: RELOGIN_POINTER,
      });
}

/** The proxy type of the request, then those of `escalate_proxy` in their order. */
function proxyTypes({ proxyType, proxy, router: { escalateProxy } }: Task): readonly ProxyType[] {
  if (escalateProxy.length === 0 || proxy.pool !== null || proxyType === 'custom' || proxyType === 'none')
    return [proxyType];
  return [...new Set([proxyType, ...escalateProxy])];
}

/**
 * The proxy types by which a vendor may do the task. Each of its exits will do for the type `datacenter`, which is the least that
 * can be asked for. If none fits, the type of the request, which then excludes the vendor.
 */
function vendorTypes(
  { proxyTypes: offered }: VendorFacts,
  wanted: readonly ProxyType[],
): readonly ProxyType[] {
  const fitting = wanted.flatMap((type) => {
    if (offered.some((one) => one === type)) return [type];
    return type === 'datacenter' ? offered.slice(0, 1) : [];
  });
  return fitting.length === 0 ? wanted.slice(0, 1) : [...new Set(fitting)];
}

/** The candidates after the last attempt. Those that would have exceeded the remaining part of `max_cost` are excluded. */
export function candidatesAfter(
  { candidates, affords }: Pick<Plan, 'candidates' | 'affords'>,
  ended: readonly EndedAttempt[],
  spent: MicroUnits,
): readonly Candidate[] {
  const last = ended[ended.length - 1];
  if (affords === null || last === undefined || last.satisfied) return candidates;
  const wasTried = (candidate: Step) => ended.some(({ step }) => isSameStep(step, candidate));
  return candidates.map((candidate) =>
    candidate.excludedBy === null && !wasTried(candidate) && !affords(candidate, spent)
      ? { ...candidate, excludedBy: 'max_cost' }
      : candidate,
  );
}

function affordability({ router: { maxCost } }: Task, price: Plan['price']): Plan['affords'] {
  if (maxCost === null) return null;
  return (step, spent) => ceilingExclusion(price?.(step) ?? null, maxCost - spent) === null;
}

function withEstimates(
  candidate: Candidate,
  first: Step,
  outlook: Outlook,
  { price, waits }: Plan,
): Candidate {
  if (candidate.excludedBy !== null) return candidate;
  const route = routeIndex(candidate, outlook.routes);
  const wait = waits.get(candidate.scraper);
  return {
    ...candidate,
    estCost: price === null ? round(outlook.effort(route)) : priceInCurrency(price(candidate)),
    estSuccess: round(outlook.success(route)),
    estMs: milliseconds(outlook.routes[route]!.seconds),
    ...(wait !== undefined && { estWaitMs: milliseconds(wait) }),
    selected: isSameStep(candidate, first),
  };
}

/** The price in the operator's currency; null if it depends on the traffic. */
const priceInCurrency = (price: StepPrice | null): number | null =>
  price === null || price.byBytes ? null : microToCurrency(price.fixed);

const milliseconds = (seconds: number): number => Math.round(1000 * seconds);
const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * The plan if there are cookies of a passed bot check: it begins with the HTTP client that is most similar to the browser that
 * passed the check, unless the caller or an administrator has chosen the first step.
 */
export function planWithClearance(plan: Plan, task: Task): Plan {
  if (plan.named || task.router.order.length > 0 || plan.first?.reason === REASONS.pinned) return plan;
  let first: Step | null = null;
  for (const step of plan.steps) {
    if (isBrowser(step.scraper) || step.proxyType !== task.proxyType) continue;
    if (first === null || fingerprintOf(step) > fingerprintOf(first)) first = step;
  }
  if (first === null) return plan;
  const selected = first;
  return {
    ...plan,
    first: { step: selected, reason: REASONS.clearance },
    steps: [selected, ...plan.steps.filter((step) => step !== selected)],
    candidates: plan.candidates.map((candidate) => ({
      ...candidate,
      selected: isSameStep(candidate, selected),
    })),
  };
}

const fingerprintOf = ({ scraper }: Step): number => (isVendor(scraper) ? 0 : SCRAPERS[scraper].fingerprint);
