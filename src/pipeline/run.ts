import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import { type Deadline, deadlineOf } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import { sleep } from '../base/wait.ts';
import type { Principal } from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';
import type { FetchedPage } from '../domain/fetch-result.ts';
import type { Job } from '../domain/job.ts';
import { needsReading, READING_MEMORY_FACTOR } from '../domain/reading.ts';
import type { Scrape, Step } from '../domain/scrape.ts';
import { needsBrowser } from '../domain/scraper-options.ts';
import { isBrowser } from '../domain/scrapers.ts';
import type { UsedExit } from '../ports/proxies.ts';
import type { Experience } from '../router/experience.ts';
import { earlyStop, type NextAttempt, nextAttempt } from '../router/next.ts';
import { type Plan, planWithClearance } from '../router/plan.ts';
import { type AttemptDeps, runAttempt } from './attempt.ts';
import { type AttemptResult, usesClearance } from './attempt-result.ts';
import type { ClearanceCache } from './clearance-cache.ts';
import { learnFromAttempt } from './learn.ts';
import type { Probes } from './probes.ts';
import type { CoalescedPlan, RequestCoalescer } from './request-coalescer.ts';
import type { RobotsChecker } from './robots.ts';
import { chooseDelivered, composeScrape, type ScrapeProgress, spentOn } from './scrape-ending.ts';
import type { SiteLimiter } from './site-limiter.ts';

export interface RunRequest {
  readonly job: Job;
  readonly plan: Plan;
  readonly requestId: string;
  /** Aborted when the caller hangs up or the service stops, and by the scrape's own deadline. */
  readonly cancel: AbortController;
  /** Monotonic instant at which the request body had been read: the budget counts from here. */
  readonly startedAt: number;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  /** What a large page is kept in; to be closed when the answer has been written. */
  readonly reservation: MemoryReservation;
  readonly principal: Pick<Principal, 'userId'>;
}

export interface RunDeps extends AttemptDeps {
  readonly experience: Experience;
  readonly coalescer: RequestCoalescer;
  readonly siteLimiter: SiteLimiter;
  readonly robots: RobotsChecker;
  /** null: the operator gives nothing for them. */
  readonly probes: Pick<Probes, 'after'> | null;
  readonly clearances: ClearanceCache;
}

/** The way of a request: attempts by the plan until one satisfies or the router says stop. The scrape is not stored yet. */
export async function runScrape(deps: RunDeps, request: RunRequest): Promise<Scrape> {
  const { job, reservation } = request;
  const progress = beginProgress(deps, request);
  if (job.router.dryRun) return composeScrape(deps, request, progress);

  reserveForAttempts(request);
  using deadline = deadlineOf(job.timeoutMs - elapsed(deps, request), request.cancel);
  const joining = deps.coalescer.join(request.plan, job, deadline);
  const joined = joining instanceof Promise ? await joining : joining;
  followPlan(progress, joined, deps, request);
  do {
    const next = nextStep(progress, job, deadline);
    if (next === null) break;
    if (next.pauseMs > 0) await pause(next.pauseMs, progress, deps, deadline);
    try {
      await attemptAtSite(next, progress, deps, request, deadline);
    } finally {
      joined.leave();
    }
  } while (progress.prevented === null);
  reservation.expectsAnotherBody = false;

  probeCheaperRoute(progress, deps, request);
  return composeScrape(deps, request, progress);
}

/** A scrape that ends before any attempt, and cannot be stored either: no target was asked. */
export function scrapeWithoutAttempt(
  deps: Pick<AttemptDeps, 'clock' | 'prices'>,
  request: RunRequest,
  cause: Failure,
): Scrape {
  const progress = { ...beginProgress(deps, request), id: null, prevented: cause };
  return composeScrape(deps, request, progress);
}

function beginProgress({ clock }: Pick<AttemptDeps, 'clock'>, { plan }: RunRequest): ScrapeProgress {
  const createdAt = clock.now();
  return {
    id: uuid7(createdAt),
    createdAt,
    plan,
    tried: [],
    queuedMs: 0,
    pausedMs: 0,
    prevented: null,
    stopped: null,
    robots: null,
  };
}

const elapsed = ({ clock }: RunDeps, { startedAt }: RunRequest): number => clock.monotonic() - startedAt;

/** How much memory the attempts may come to need. */
function reserveForAttempts({ job, plan, reservation }: RunRequest): void {
  reservation.expectsAnotherBody = plan.maxAttempts > 1;
  if (needsReading(job)) reservation.memoryPerByte += READING_MEMORY_FACTOR;
}

/** Takes over the plan as it is after coalescing; it begins with the HTTP client where the cookies of a bot check are at hand. */
function followPlan(
  progress: ScrapeProgress,
  joined: CoalescedPlan,
  deps: RunDeps,
  request: RunRequest,
): void {
  progress.queuedMs += joined.waitedMs;
  const hasClearance = clearanceFor(deps, request) !== null;
  progress.plan = hasClearance ? planWithClearance(joined.plan, request.job) : joined.plan;
}

const clearanceFor = ({ clearances, clock }: RunDeps, { job, principal }: RunRequest) =>
  clearances.get(job, principal.userId, clock);

/** What the router wants to be done next; null: nothing, and why is noted. */
function nextStep(progress: ScrapeProgress, job: Job, deadline: Deadline): NextAttempt | null {
  const { plan, tried } = progress;
  const next = nextAttempt(plan, job, tried, deadline.remaining(), spentOn(tried));
  if (next === null) progress.stopped = earlyStop(plan, job, tried, deadline.remaining(), spentOn(tried));
  return next;
}

/** A target that just failed is not hit again at once. */
async function pause(
  ms: number,
  progress: ScrapeProgress,
  { clock }: RunDeps,
  { signal }: Deadline,
): Promise<void> {
  const begun = clock.monotonic();
  await sleep(ms, signal);
  progress.pausedMs += clock.monotonic() - begun;
}

const NO_EXITS: readonly UsedExit[] = [];

/**
 * One attempt, as soon as the site may be asked, and what is learned from it. Where the site may not be asked, `prevented` says
 * why.
 */
async function attemptAtSite(
  chosen: NextAttempt,
  progress: ScrapeProgress,
  deps: RunDeps,
  request: RunRequest,
  deadline: Deadline,
): Promise<void> {
  const { job, allowUrl, reservation } = request;
  const { userId } = request.principal;
  const { tried } = progress;
  const { proxyType } = chosen.step;
  const acquiring = deps.siteLimiter.acquire({ url: job.url, proxyType, userId }, deadline);
  const slot = acquiring instanceof Promise ? await acquiring : acquiring;
  progress.queuedMs += slot.waitedMs;
  progress.pausedMs += slot.pausedMs;
  progress.prevented = slot.failure;
  if (slot.failure !== null) return;
  let result: AttemptResult | null = null;
  try {
    const robots = { job, proxyType, deadline, allowUrl, reservation, userId };
    const checking = tried.length === 0 ? deps.robots.check(deps, robots) : null;
    if (checking !== null) {
      progress.robots = await checking;
      progress.prevented = progress.robots.failure;
      if (progress.prevented !== null) return;
    }
    result = await runAttempt(deps, {
      n: tried.length + 1,
      job,
      chosen,
      deadline,
      allowUrl,
      reservation,
      userId,
      used: tried.length === 0 ? NO_EXITS : tried.flatMap(({ exit }) => exit ?? []),
      document: reusableDocument(job, chosen.step, tried[tried.length - 1]),
      clearance: clearanceFor(deps, request),
    });
  } finally {
    slot.release(result);
  }
  tried.push(result);
  progress.queuedMs += result.waitedMs;
  deps.clearances.record(job, userId, tried, deps.clock.monotonic());
  learnFromAttempt(deps.experience, job, tried, deps.clock.now() / 1000);
  keepBestPage(tried, reservation);
}

/**
 * The document of the attempt before that a browser can show without fetching it again: it came whole, lacks nothing but
 * its scripts, and would be asked for in the same way. null: there is none.
 */
function reusableDocument(job: Job, step: Step, last: AttemptResult | undefined): FetchedPage | null {
  if (last === undefined || job.method !== 'GET' || job.body !== null || needsBrowser(job.requested))
    return null;
  if (!isBrowser(step.scraper) || !job.options.javascript) return null;
  if (isBrowser(last.step.scraper) || last.step.proxyType !== step.proxyType) return null;
  if (last.fullVerdict.kind !== 'js_shell' || last.fetched === null || last.fetched.page === null)
    return null;
  // What the document loads would have to bring the same cookies.
  if (usesClearance(last)) return null;
  const { page } = last.fetched;
  // The memory of a large body may be gone.
  const hasBody = page.body.length > 0 && page.body.length <= SMALL_BYTES;
  const whole = page.cut === null && !page.undecoded;
  return hasBody && whole && page.statusCode < 300 ? last.fetched : null;
}

/** Of several pages only the one that would be delivered stays in memory. */
function keepBestPage(tried: AttemptResult[], reservation: MemoryReservation): void {
  const best = tried.length === 1 ? tried[0]! : chooseDelivered(tried);
  for (const [at, result] of tried.entries()) {
    if (result === best || result.delivered === null) continue;
    if (result.delivered.content !== null) reservation.free(result.delivered.content.bytes.buffer);
    tried[at] = { ...result, fetched: null, delivered: null };
  }
  const size = best?.delivered?.content?.bytes.length ?? 0;
  reservation.retain(size > SMALL_BYTES ? size : 0);
}

/** Finds out, beside the request, whether the site can be had more cheaply, unless its robots.txt disallows the page. */
function probeCheaperRoute(
  { plan, tried, robots }: ScrapeProgress,
  { probes }: RunDeps,
  { job, allowUrl, principal }: RunRequest,
): void {
  if (probes === null || (robots !== null && robots.result.allowed !== true)) return;
  probes.after({ job, steps: plan.steps, tried, allowUrl, userId: principal.userId });
}
