import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { honours } from '../domain/scraper-options.ts';
import { SCRAPERS, type ScraperName } from '../domain/scrapers.ts';
import type { ProxyType, StepPattern, Task } from '../domain/task.ts';

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
function unsupportedOption(task: Task, scraper: ScraperName): string | null {
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
  autoIsHonest === true && SCRAPERS[scraper].impersonates;

/** Why a step cannot be used for this task, for `candidates[].excluded_by`; null if it can. */
export function exclusionOf(
  task: Task,
  step: Step,
  context: RoutingContext,
  proxyRefusal: Failure | null,
): string | null {
  const { router } = task;
  if (context.unavailable(step.scraper) !== null) return 'unavailable';
  if (task.scraper === 'auto' && isExcludedByIdentity(step.scraper, context)) return IDENTITY_EXCLUSION;
  const member = unsupportedOption(task, step.scraper);
  if (member !== null) return `unsupported_option ${member}`;
  const refused = context.refusal?.(step.scraper, task) ?? null;
  if (refused !== null) return refused.code;
  if (proxyRefusal !== null) return proxyRefusal.code;
  if (router.only.length > 0 && !anyMatches(router.only, step)) return 'only';
  if (router.ignore.length > 0 && anyMatches(router.ignore, step)) return 'ignore';
  if (router.order.length > 0 && !router.allowFallbacks && !anyMatches(router.order, step)) return 'order';
  return router.maxCost === null
    ? null
    : ceilingExclusion(context.price?.(step, task) ?? null, router.maxCost);
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

/** Messages for values of `excluded_by`. */
const EXCLUSION_TEXTS: ReadonlyMap<string | null, string> = new Map([
  [IDENTITY_EXCLUSION, '`SLUICE_AUTO_IDENTITY=honest` excludes it'],
  ['only', 'not in `router.only`'],
  ['ignore', 'in `router.ignore`'],
  ['order', 'not in `router.order`, and `allow_fallbacks` is false'],
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
    const pointer = unsupportedOption(task, task.scraper);
    if (pointer !== null)
      return failure(
        'scraper.unsupported_option',
        `The scraper "${task.scraper}" does not support ${pointer}. Leave it out, or choose a scraper that does.`,
        { pointer },
      );
  }
  if (proxyRefusal !== null) return proxyRefusal;
  for (const { scraper, excludedBy } of candidates) {
    const refused = context.refusal?.(scraper, task) ?? null;
    if (refused !== null && refused.code === excludedBy) return refused;
  }
  const { maxCost } = task.router;
  if (maxCost !== null && candidates.some(({ excludedBy }) => CEILING_EXCLUSIONS.has(excludedBy)))
    return failure('route.cost_cap', ceilingMessage(microToCurrency(maxCost), candidates), {
      pointer: '/router/max_cost',
    });
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
