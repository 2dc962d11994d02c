import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { honours } from '../domain/scraper-options.ts';
import { type BuiltInScraper, isVendor, SCRAPERS, type ScraperName } from '../domain/scrapers.ts';
import type { ProxyType, StepPattern, Task } from '../domain/task.ts';
import { hasCredentials, unsupportedByVendor, type VendorFacts } from '../domain/vendors.ts';

/** What one attempt by a step costs. */
export interface StepPrice {
  /** Independent of the result. */
  readonly fixed: MicroUnits;
  /** Traffic costs extra, so that the total is not known before the attempt. */
  readonly byBytes: boolean;
}

/** The price of a step for a task; null if a part of it has no price. */
export type PriceOf = (step: Step, task: Task) => StepPrice | null;

/**
 * Why the rest of `max_cost` excludes a step, for `candidates[].excluded_by`; null if the attempt can never exceed that rest.
 * By contract §7, `max_cost` is a hard ceiling over all attempts together.
 */
export function ceilingExclusion(
  price: StepPrice | null,
  remaining: MicroUnits,
): 'no_price' | 'no_bound' | 'max_cost' | null {
  if (price === null) return 'no_price';
  if (price.byBytes) return 'no_bound';
  return price.fixed > remaining ? 'max_cost' : null;
}

/** The JSON Pointer of a member of the request that the scraper does not support; null if it supports all. */
function unsupportedOption(task: Task, scraper: BuiltInScraper): string | null {
  const pointer = task.requested.find((requested) => !honours(scraper, requested));
  if (pointer !== undefined) return pointer;
  const { allMethods, bodyOnGet } = SCRAPERS[scraper];
  if (!allMethods && (task.method === 'HEAD' || task.method === 'OPTIONS')) return '/method';
  if (!bodyOnGet && task.body !== null && task.method === 'GET') return '/data';
  return null;
}

/** What planning needs to know about this installation. */
export interface RoutingContext {
  /** Why a scraper is not available here; null if it is. */
  unavailable(scraper: ScraperName): string | null;
  /** Why a scraper cannot do this task here, as far as is known; null if it can. */
  refusal?(scraper: ScraperName, task: Task): Failure | null;
  /** The vendors of this installation. Absent: there are none. */
  vendors?(): readonly VendorFacts[];
  /** Why a proxy type is not available here; null if it is. */
  proxyRefusal(type: ProxyType, task: Task): Failure | null;
  /** Why the model that the task asks for cannot be asked; null if it can, or the task needs none. */
  modelRefusal?(task: Task): Failure | null;
  /** Absent: no prices are configured. */
  readonly price?: PriceOf;
  /** The operator requires that `auto` identifies itself as Sluice, so that it must not impersonate a browser. */
  readonly autoIsHonest?: boolean;
}

/** `excluded_by` of a scraper that impersonates a browser. */
const IDENTITY_EXCLUSION = 'auto_identity';

/** Whether `auto` must not use a scraper here because it impersonates a browser. */
export const isExcludedByIdentity = (scraper: ScraperName, { autoIsHonest }: RoutingContext): boolean =>
  autoIsHonest === true && !isVendor(scraper) && SCRAPERS[scraper].impersonates;

/** A step by a scraper of this program. */
export interface OwnStep extends Step {
  readonly scraper: BuiltInScraper;
}

/** Why a step cannot be used for this task, for `candidates[].excluded_by`; null if it can. */
export function exclusionOf(
  task: Task,
  step: OwnStep,
  context: RoutingContext,
  proxyRefusal: Failure | null,
): string | null {
  if (context.unavailable(step.scraper) !== null) return 'unavailable';
  if (task.scraper === 'auto' && isExcludedByIdentity(step.scraper, context)) return IDENTITY_EXCLUSION;
  const member = unsupportedOption(task, step.scraper);
  if (member !== null) return `unsupported_option ${member}`;
  const refused = context.refusal?.(step.scraper, task) ?? null;
  if (refused !== null) return refused.code;
  if (proxyRefusal !== null) return proxyRefusal.code;
  return (
    choiceExclusion(task, step) ??
    (task.router.maxCost === null
      ? null
      : ceilingExclusion(context.price?.(step, task) ?? null, task.router.maxCost))
  );
}

/** What the lists of the caller say about a step. */
function choiceExclusion({ router }: Task, step: Step): string | null {
  if (router.only.length > 0 && !anyMatches(router.only, step)) return 'only';
  if (router.ignore.length > 0 && anyMatches(router.ignore, step)) return 'ignore';
  if (router.order.length > 0 && !router.allowFallbacks && !anyMatches(router.order, step)) return 'order';
  return null;
}

/** The same as `exclusionOf`, for a step by a vendor. */
export function vendorExclusion(
  task: Task,
  vendor: VendorFacts,
  proxyType: ProxyType,
  { price }: Pick<RoutingContext, 'price'>,
  isOnTrial: (step: Step) => boolean,
): string | null {
  const { router } = task;
  const { scraper } = vendor;
  const step = { scraper, proxyType };
  const isChosen = task.scraper !== 'auto' || anyMatches([...router.only, ...router.order], step);
  if (!vendor.auto && !isChosen) return 'auto';
  if (task.isRelayed && vendor.isSluice) return RELAYED;
  if (!router.forwardCredentials && hasCredentials(task)) return 'credentials';
  const member = unsupportedByVendor(task, vendor.capabilities);
  if (member !== null) return `unsupported_option ${member}`;
  if (!vendor.proxyTypes.some((offered) => offered === proxyType)) return 'proxy_type';
  const chosen = choiceExclusion(task, step);
  if (chosen !== null) return chosen;
  if (vendor.isSpent()) return DAILY_CAP;
  // A caller that names the vendor finds out whether it works again.
  if (task.scraper === 'auto') {
    const resting = vendor.resting();
    if (resting !== null) return `vendor_${resting}`;
    if (isOnTrial(step)) return ON_TRIAL;
  }
  return router.maxCost === null ? null : ceilingExclusion(price?.(step, task) ?? null, router.maxCost);
}

/** The position of a step in `order`. Steps that are not in it come last. */
export function orderIndex({ router: { order } }: Task, step: Step): number {
  const index = order.findIndex((pattern) => matchesStep(pattern, step));
  return index === -1 ? order.length : index;
}

function matchesStep(pattern: StepPattern, step: Step): boolean {
  return (
    pattern.scraper === step.scraper && (pattern.proxyType === null || pattern.proxyType === step.proxyType)
  );
}

const anyMatches = (patterns: readonly StepPattern[], step: Step): boolean =>
  patterns.some((pattern) => matchesStep(pattern, step));

/** `excluded_by` of steps that `max_cost` excludes. */
const CEILING_EXCLUSIONS: ReadonlySet<string | null> = new Set(['no_price', 'no_bound', 'max_cost']);

/** `excluded_by` of another Sluice, if a Sluice has sent the request. */
const RELAYED = 'relayed';

/** `excluded_by` of a vendor on which no more may be spent today. */
const DAILY_CAP = 'daily_cap';

/** `excluded_by` of a vendor that fails more than usual lately, while another attempt finds out whether it works again. */
const ON_TRIAL = 'vendor_unsure';

/** Messages for values of `excluded_by`. */
const EXCLUSION_TEXTS: ReadonlyMap<string | null, string> = new Map([
  [IDENTITY_EXCLUSION, '`SLUICE_AUTO_IDENTITY=honest` excludes it'],
  ['only', 'not in `router.only`'],
  ['ignore', 'in `router.ignore`'],
  ['order', 'not in `router.order`, and `allow_fallbacks` is false'],
  ['auto', 'the operator has not released it for `auto`'],
  [RELAYED, 'a Sluice has sent the request (`Via`), so that no further one is asked'],
  ['credentials', 'the request has credentials, and `router.forward_credentials` is false'],
  ['proxy_type', 'it does not have this proxy type'],
  [ON_TRIAL, 'it fails more than usual, so that it is tried only now and then'],
  [DAILY_CAP, 'no more may be spent on it today'],
]);

/** Why no step can do the task. A specific code has precedence over a general one (contract §7). */
export function planRefusal(
  task: Task,
  context: RoutingContext,
  candidates: readonly Candidate[],
  proxyRefusal: Failure | null,
): Failure {
  if (task.scraper !== 'auto') {
    const reason = context.unavailable(task.scraper);
    if (reason !== null)
      return failure('scraper.unavailable', `The scraper "${task.scraper}" is not available: ${reason}.`, {
        pointer: '/scraper',
      });
    const pointer = isVendor(task.scraper)
      ? (candidates[0]?.excludedBy?.match(/^unsupported_option (.*)/)?.[1] ?? null)
      : unsupportedOption(task, task.scraper);
    if (pointer !== null)
      return failure(
        'scraper.unsupported_option',
        `The scraper "${task.scraper}" does not support ${pointer}. Leave it out, or choose a scraper that does.`,
        { pointer },
      );
  }
  if (proxyRefusal !== null && !isVendor(task.scraper as ScraperName)) return proxyRefusal;
  for (const { scraper, excludedBy } of candidates) {
    const refused = context.refusal?.(scraper, task) ?? null;
    if (refused !== null && refused.code === excludedBy) return refused;
  }
  const { maxCost } = task.router;
  if (maxCost !== null && candidates.some(({ excludedBy }) => CEILING_EXCLUSIONS.has(excludedBy)))
    return failure('route.cost_cap', ceilingMessage(microToCurrency(maxCost), candidates), {
      pointer: '/router/max_cost',
    });
  if (candidates.some(({ excludedBy }) => excludedBy === DAILY_CAP))
    return failure('route.cost_cap', 'What may be spent on the vendor in a day (UTC) is spent.');
  const reasonOf = ({ scraper, excludedBy }: Candidate) => {
    if (excludedBy === 'unavailable') return context.unavailable(scraper);
    return (
      EXCLUSION_TEXTS.get(excludedBy) ?? excludedBy?.replace(/^unsupported_option /, 'does not support ')
    );
  };
  const reasons = candidates.map(
    (candidate) => `${candidate.scraper}/${candidate.proxyType}: ${reasonOf(candidate)}`,
  );
  return failure('route.none', `No scraper can do this request (${reasons.join('; ')}).`);
}

function ceilingMessage(ceiling: number, candidates: readonly Candidate[]): string {
  const countOf = (reason: string) => candidates.filter(({ excludedBy }) => excludedBy === reason).length;
  const reasons = [
    ['methods that cost more', countOf('max_cost')],
    ['without a price', countOf('no_price')],
    ['paid by the byte, so that the cost has no upper limit', countOf('no_bound')],
  ] as const;
  const nonZero = reasons.filter(([, count]) => count > 0).map(([text, count]) => `${text}: ${count}`);
  return `No method stays within \`max_cost\` ${ceiling} (${nonZero.join('; ')}).`;
}
