import { type Failure, failure } from '../domain/failure.ts';
import type { Job, ProxyType, ScraperName, StepPattern } from '../domain/job.ts';
import { SCRAPER_NAMES } from '../domain/job.ts';
import type { Candidate, Step } from '../domain/scrape.ts';
import { CAPABILITIES } from './capabilities.ts';
import { effortOf } from './effort.ts';
import { unsupportedMember } from './unsupported.ts';

/** What the plan needs to know of this installation. */
export interface RouteFacts {
  /** Why a scraper is not to be had here; null when it is. */
  unavailable(scraper: ScraperName): string | null;
  /** Why a scraper cannot do this job here; null: it can, as far as is known. */
  refusal?(scraper: ScraperName, job: Job): Failure | null;
  /** Why a proxy type is not to be had here; null when it is. */
  proxyRefusal(type: ProxyType): Failure | null;
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly candidates: readonly Candidate[];
  readonly maxAttempts: number;
  /** The caller named the scraper: it may be repeated, never replaced. */
  readonly named: boolean;
}

export type Planned =
  | { readonly plan: Plan; readonly failure: null }
  | { readonly plan: null; readonly failure: Failure; readonly candidates: readonly Candidate[] };

/** Contract §7: attempts when the caller says nothing. */
const ATTEMPTS_AUTO = 3;
const ATTEMPTS_NAMED = 1;

/** The steps that can do this job, best first; or why there is none (422, the specific code before the general). */
export function plan(job: Job, facts: RouteFacts): Planned {
  const named = job.scraper !== 'auto';
  const proxyRefusal = facts.proxyRefusal(job.proxyType);
  const candidates: Candidate[] = [];
  const steps: Step[] = [];
  for (const scraper of SCRAPER_NAMES) {
    if (named && scraper !== job.scraper) continue;
    const step: Step = { scraper, proxyType: job.proxyType };
    const excludedBy = exclusion(job, step, facts, proxyRefusal);
    if (excludedBy === null) steps.push(step);
    const estCost = excludedBy === null ? effortOf(step).units : null;
    candidates.push({ ...step, estCost, estSuccess: null, selected: excludedBy === null, excludedBy });
  }
  if (steps.length === 0)
    return { plan: null, failure: refusal(job, facts, candidates, proxyRefusal), candidates };
  if (job.router.order.length > 0) steps.sort((a, b) => place(job, a) - place(job, b));
  // Only the step that is taken first is "selected"; the others wait.
  const first = steps[0]!;
  return {
    plan: {
      steps,
      candidates:
        steps.length === 1
          ? candidates
          : candidates.map((c) => ({ ...c, selected: c.scraper === first.scraper })),
      maxAttempts: job.router.maxAttempts ?? (named ? ATTEMPTS_NAMED : ATTEMPTS_AUTO),
      named,
    },
    failure: null,
  };
}

function matches(pattern: StepPattern, step: Step): boolean {
  return (
    pattern.scraper === step.scraper && (pattern.proxyType === null || pattern.proxyType === step.proxyType)
  );
}

const anyMatches = (patterns: readonly StepPattern[], step: Step): boolean =>
  patterns.some((p) => matches(p, step));

function place(job: Job, step: Step): number {
  const at = job.router.order.findIndex((p) => matches(p, step));
  return at === -1 ? job.router.order.length : at;
}

function exclusion(job: Job, step: Step, facts: RouteFacts, proxyRefusal: Failure | null): string | null {
  const { router } = job;
  if (facts.unavailable(step.scraper) !== null) return 'unavailable';
  const member = unsupportedMember(job, step.scraper);
  if (member !== null) return `unsupported_option ${member}`;
  const refused = facts.refusal?.(step.scraper, job) ?? null;
  if (refused !== null) return refused.code;
  if (job.scraper === 'auto' && !asksForBrowser(job, step)) return 'not_asked_for';
  if (proxyRefusal !== null) return proxyRefusal.code;
  if (router.only.length > 0 && !anyMatches(router.only, step)) return 'only';
  if (router.ignore.length > 0 && anyMatches(router.ignore, step)) return 'ignore';
  if (router.order.length > 0 && !router.allowFallbacks && !anyMatches(router.order, step)) return 'order';
  return null;
}

/** In this version `auto` does not go on to a browser by itself: only what needs one, or names one, gets one. */
function asksForBrowser(job: Job, step: Step): boolean {
  if (CAPABILITIES[step.scraper].engine !== 'browser' || job.browserOnly.length > 0) return true;
  return anyMatches(job.router.order, step) || anyMatches(job.router.only, step);
}

function refusal(
  job: Job,
  facts: RouteFacts,
  candidates: readonly Candidate[],
  proxyRefusal: Failure | null,
): Failure {
  if (job.scraper !== 'auto') {
    const reason = facts.unavailable(job.scraper);
    if (reason !== null)
      return failure('scraper.unavailable', `The scraper "${job.scraper}" is not available: ${reason}.`, {
        pointer: '/scraper',
      });
    const pointer = unsupportedMember(job, job.scraper);
    if (pointer !== null)
      return failure(
        'scraper.unsupported_option',
        `The scraper "${job.scraper}" cannot honour ${pointer}. Leave it out, or choose a scraper that can.`,
        { pointer },
      );
  }
  if (proxyRefusal !== null) return proxyRefusal;
  for (const { scraper, excludedBy } of candidates) {
    const refused = facts.refusal?.(scraper, job) ?? null;
    if (refused !== null && refused.code === excludedBy) return refused;
  }
  const whyNot = ({ scraper, excludedBy }: Candidate) =>
    excludedBy === 'unavailable' ? facts.unavailable(scraper) : excludedBy;
  const why = candidates.map((c) => `${c.scraper}/${c.proxyType}: ${whyNot(c)}`).join('; ');
  return failure('route.none', `No scraper can do this request (${why}).`);
}
