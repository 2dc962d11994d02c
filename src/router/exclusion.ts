import type { Failure } from '../domain/failure.ts';
import type { Job, ProxyType, ScraperName, StepPattern } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { CAPABILITIES } from './capabilities.ts';
import { overCeiling, type PriceOf } from './cost.ts';
import { unsupportedMember } from './unsupported.ts';

/** What the plan needs to know of this installation. */
export interface RouteFacts {
  /** Why a scraper is not to be had here; null when it is. */
  unavailable(scraper: ScraperName): string | null;
  /** Why a scraper cannot do this job here; null: it can, as far as is known. */
  refusal?(scraper: ScraperName, job: Job): Failure | null;
  /** Why a proxy type is not to be had here; null when it is. */
  proxyRefusal(type: ProxyType, job: Job): Failure | null;
  /** Absent: nothing is priced. */
  readonly price?: PriceOf;
  /** The operator wants `auto` to say who it is: it impersonates nobody. */
  readonly autoIsHonest?: boolean;
}

/** `excluded_by` of what does not say who it is. */
export const IDENTITY = 'auto_identity';

/** Whether `auto` may not take a scraper here, because it does not say who it is. */
export const disguises = (scraper: ScraperName, { autoIsHonest }: RouteFacts): boolean =>
  autoIsHonest === true && CAPABILITIES[scraper].impersonates;

/** What speaks against a step for this job, for `candidates[].excluded_by`; null: nothing. */
export function exclusion(
  job: Job,
  step: Step,
  facts: RouteFacts,
  proxyRefusal: Failure | null,
): string | null {
  const { router } = job;
  if (facts.unavailable(step.scraper) !== null) return 'unavailable';
  if (job.scraper === 'auto' && disguises(step.scraper, facts)) return IDENTITY;
  const member = unsupportedMember(job, step.scraper);
  if (member !== null) return `unsupported_option ${member}`;
  const refused = facts.refusal?.(step.scraper, job) ?? null;
  if (refused !== null) return refused.code;
  if (proxyRefusal !== null) return proxyRefusal.code;
  if (router.only.length > 0 && !anyMatches(router.only, step)) return 'only';
  if (router.ignore.length > 0 && anyMatches(router.ignore, step)) return 'ignore';
  if (router.order.length > 0 && !router.allowFallbacks && !anyMatches(router.order, step)) return 'order';
  return router.maxCost === null ? null : overCeiling(facts.price?.(step, job) ?? null, router.maxCost);
}

/** The place of a step in `order`; what is not named there comes after it. */
export function placeInOrder({ router: { order } }: Job, step: Step): number {
  const at = order.findIndex((pattern) => matches(pattern, step));
  return at === -1 ? order.length : at;
}

function matches(pattern: StepPattern, step: Step): boolean {
  return (
    pattern.scraper === step.scraper && (pattern.proxyType === null || pattern.proxyType === step.proxyType)
  );
}

const anyMatches = (patterns: readonly StepPattern[], step: Step): boolean =>
  patterns.some((p) => matches(p, step));
