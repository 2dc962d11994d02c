import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Job, ProxyType, StepPattern } from '../domain/job.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { honours } from '../domain/scraper-options.ts';
import { SCRAPERS, type ScraperName } from '../domain/scrapers.ts';

/** What one attempt by a step costs. */
export interface StepPrice {
  /** Whatever it brings. */
  readonly fixed: MicroUnits;
  /** Its exit is paid by the byte as well: nobody can say before what it will be. */
  readonly byBytes: boolean;
}

/** The price of a step of a job; null: a part of it has none. */
export type PriceOf = (step: Step, job: Job) => StepPrice | null;

/**
 * Why a step cannot be taken under a ceiling of which `left` is left, for `candidates[].excluded_by`; null: it can,
 * whatever it brings. Contract §7, `max_cost`: a hard ceiling over all attempts together.
 */
export function ceilingExclusion(
  price: StepPrice | null,
  left: MicroUnits,
): 'no_price' | 'no_bound' | 'max_cost' | null {
  if (price === null) return 'no_price';
  if (price.byBytes) return 'no_bound';
  return price.fixed > left ? 'max_cost' : null;
}

/** The pointer of a member of the request that the scraper cannot honour, or null when it can do all. */
function unsupportedOption(job: Job, scraper: ScraperName): string | null {
  const can = SCRAPERS[scraper];
  const pointer = job.requested.find((requested) => !honours(scraper, requested));
  if (pointer !== undefined) return pointer;
  if (!can.allMethods && (job.method === 'HEAD' || job.method === 'OPTIONS')) return '/method';
  if (!can.bodyOnGet && job.body !== null && job.method === 'GET') return '/data';
  return null;
}

/** What the plan needs to know of this installation. */
export interface RoutingContext {
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
const IDENTITY_EXCLUSION = 'auto_identity';

/** Whether `auto` may not take a scraper here, because it does not say who it is. */
export const hidesIdentity = (scraper: ScraperName, { autoIsHonest }: RoutingContext): boolean =>
  autoIsHonest === true && SCRAPERS[scraper].impersonates;

/** What speaks against a step for this job, for `candidates[].excluded_by`; null: nothing. */
export function exclusionOf(
  job: Job,
  step: Step,
  facts: RoutingContext,
  proxyRefusal: Failure | null,
): string | null {
  const { router } = job;
  if (facts.unavailable(step.scraper) !== null) return 'unavailable';
  if (job.scraper === 'auto' && hidesIdentity(step.scraper, facts)) return IDENTITY_EXCLUSION;
  const member = unsupportedOption(job, step.scraper);
  if (member !== null) return `unsupported_option ${member}`;
  const refused = facts.refusal?.(step.scraper, job) ?? null;
  if (refused !== null) return refused.code;
  if (proxyRefusal !== null) return proxyRefusal.code;
  if (router.only.length > 0 && !anyMatches(router.only, step)) return 'only';
  if (router.ignore.length > 0 && anyMatches(router.ignore, step)) return 'ignore';
  if (router.order.length > 0 && !router.allowFallbacks && !anyMatches(router.order, step)) return 'order';
  return router.maxCost === null ? null : ceilingExclusion(facts.price?.(step, job) ?? null, router.maxCost);
}

/** The place of a step in `order`; what is not named there comes after it. */
export function orderIndex({ router: { order } }: Job, step: Step): number {
  const at = order.findIndex((pattern) => matchesStep(pattern, step));
  return at === -1 ? order.length : at;
}

function matchesStep(pattern: StepPattern, step: Step): boolean {
  return (
    pattern.scraper === step.scraper && (pattern.proxyType === null || pattern.proxyType === step.proxyType)
  );
}

const anyMatches = (patterns: readonly StepPattern[], step: Step): boolean =>
  patterns.some((p) => matchesStep(p, step));

/** `excluded_by` of what the ceiling excludes. */
const CEILING_EXCLUSIONS: ReadonlySet<string | null> = new Set(['no_price', 'no_bound', 'max_cost']);

/** Why nothing can do the job: the specific code before the general (contract §7). */
export function planRefusal(
  job: Job,
  facts: RoutingContext,
  candidates: readonly Candidate[],
  proxyRefusal: Failure | null,
): Failure {
  if (job.scraper !== 'auto') {
    const reason = facts.unavailable(job.scraper);
    if (reason !== null)
      return failure('scraper.unavailable', `The scraper "${job.scraper}" is not available: ${reason}.`, {
        pointer: '/scraper',
      });
    const pointer = unsupportedOption(job, job.scraper);
    if (pointer !== null)
      return failure(
        'scraper.unsupported_option',
        `The scraper "${job.scraper}" does not support ${pointer}. Leave it out, or choose a scraper that does.`,
        { pointer },
      );
  }
  if (proxyRefusal !== null) return proxyRefusal;
  for (const { scraper, excludedBy } of candidates) {
    const refused = facts.refusal?.(scraper, job) ?? null;
    if (refused !== null && refused.code === excludedBy) return refused;
  }
  const { maxCost } = job.router;
  if (maxCost !== null && candidates.some(({ excludedBy }) => CEILING_EXCLUSIONS.has(excludedBy)))
    return failure('route.cost_cap', costCap(microToCurrency(maxCost), candidates), {
      pointer: '/router/max_cost',
    });
  const whyNot = ({ scraper, excludedBy }: Candidate) => {
    if (excludedBy === 'unavailable') return facts.unavailable(scraper);
    return excludedBy === IDENTITY_EXCLUSION ? '`SLUICE_AUTO_IDENTITY=honest` excludes it' : excludedBy;
  };
  const why = candidates.map((c) => `${c.scraper}/${c.proxyType}: ${whyNot(c)}`).join('; ');
  return failure('route.none', `No scraper can do this request (${why}).`);
}

function costCap(ceiling: number, candidates: readonly Candidate[]): string {
  const of = (reason: string) => candidates.filter(({ excludedBy }) => excludedBy === reason).length;
  const why = [
    of('max_cost') > 0 ? `${of('max_cost')} cost more` : '',
    of('no_price') > 0 ? `${of('no_price')} have no price` : '',
    of('no_bound') > 0 ? `${of('no_bound')} are paid by the byte and may cost more` : '',
  ];
  return `No method stays within \`max_cost\` ${ceiling}: ${why.filter((text) => text !== '').join(', ')}.`;
}
