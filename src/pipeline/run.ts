import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import { type Deadline, deadlineOf } from '../base/time.ts';
import { uuid7, uuid7Time } from '../base/uuid7.ts';
import { sleep } from '../base/wait.ts';
import type { Principal } from '../domain/account.ts';
import { pricedUse } from '../domain/cost.ts';
import { type Failure, isFailure } from '../domain/failure.ts';
import type { FetchedPage } from '../domain/fetch-result.ts';
import type { ReportProgress, ReportStep } from '../domain/progress.ts';
import { needsReading, READING_MEMORY_FACTOR } from '../domain/reading.ts';
import type { Scrape, Step } from '../domain/scrape.ts';
import { needsBrowser } from '../domain/scraper-options.ts';
import { isBrowser, isVendor } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { ProfileLender } from '../ports/profiles.ts';
import type { UsedExit } from '../ports/proxies.ts';
import type { Experience } from '../router/experience.ts';
import { earlyStop, type NextAttempt, nextAttempt } from '../router/next.ts';
import { type Plan, planWithClearance } from '../router/plan.ts';
import { askModel, withOutcome } from './ask-model.ts';
import { type AttemptDeps, runAttempt } from './attempt.ts';
import { type AttemptResult, usesClearance } from './attempt-result.ts';
import type { ClearanceCache } from './clearance-cache.ts';
import { learnFromAttempt } from './learn.ts';
import { logInAgain } from './log-in-again.ts';
import type { Probes } from './probes.ts';
import { endProfile, withProfile } from './profile-of-scrape.ts';
import type { CoalescedPlan, RequestCoalescer } from './request-coalescer.ts';
import type { RobotsChecker } from './robots.ts';
import {
  chooseDelivered,
  composeScrape,
  routedAttempts,
  type ScrapeProgress,
  spentOn,
} from './scrape-ending.ts';
import type { SiteLimiter } from './site-limiter.ts';

export interface RunRequest {
  readonly task: Task;
  readonly plan: Plan;
  readonly requestId: string;
  /** Aborted when the caller disconnects, when the service stops, and by the deadline of the scrape. */
  readonly cancel: AbortController;
  /** When the request body had been read (monotonic, ms). `timeout_ms` counts from here. */
  readonly startedAt: number;
  /** Why a URL must not be requested, by the domains of the API key; null: every URL may. */
  readonly allowUrl: UrlCheck | null;
  /** Memory for large pages. The caller closes it when the response has been written. */
  readonly reservation: MemoryReservation;
  readonly principal: Pick<Principal, 'userId' | 'role' | 'keyId' | 'scopes'>;
  /** Id of the record (UUID version 7); absent: a new one. */
  readonly id?: string;
  /** Whether nothing is fetched with a profile that is logged out; absent: it is, which may log in again. */
  readonly refusesLoggedOut?: true;
  /** Gets what the scrape does; absent: nobody asks. */
  readonly onProgress?: ReportProgress;
}

export interface RunDeps extends AttemptDeps {
  readonly experience: Experience;
  readonly coalescer: RequestCoalescer;
  readonly siteLimiter: SiteLimiter;
  readonly robots: RobotsChecker;
  /** null: the operator has switched probes off. */
  readonly probes: Pick<Probes, 'afterScrape'> | null;
  readonly clearances: ClearanceCache;
  readonly profiles: ProfileLender;
}

/** A dry run. Its warnings say whether the first attempt would use no proxy. */
function plannedScrape(deps: RunDeps, request: RunRequest, progress: ScrapeProgress): Scrape {
  const planned = composeScrape(deps, request, progress);
  const first = planned.candidates.find(({ selected }) => selected);
  const isDirect =
    first?.proxyType === 'datacenter' &&
    !isVendor(first.scraper) &&
    deps.proxies.price('datacenter', request.task.proxy) === 'direct';
  return isDirect ? { ...planned, warnings: deps.proxies.directWarnings() } : planned;
}

/** Makes attempts by the plan until one succeeds or the router stops. Does not store the scrape. */
export async function runScrape(deps: RunDeps, request: RunRequest): Promise<Scrape> {
  const { task, reservation } = request;
  const progress = beginProgress(deps, request);
  if (task.router.dryRun) return plannedScrape(deps, request, progress);

  const asked = task.options.profile;
  if (asked !== null) {
    const { principal, refusesLoggedOut = false } = request;
    const { name, relogin } = asked;
    const use = { principal, name, task, refusesLoggedOut, relogin };
    const profile = await deps.profiles.use(use);
    if (isFailure(profile)) {
      progress.prevented = profile;
      return composeScrape(deps, request, progress);
    }
    progress.profile = profile;
  }
  reserveForAttempts(request);
  using deadline = deadlineOf(task.timeoutMs - elapsed(deps, request), request.cancel);
  const joining = deps.coalescer.join(request.plan, task, deadline);
  if (joining instanceof Promise)
    request.onProgress?.({ phase: 'waiting', waitingFor: 'other_request' }, null);
  const joined = joining instanceof Promise ? await joining : joining;
  await followPlan(progress, joined, deps, request);
  let again: NextAttempt | null = null;
  do {
    const next = again ?? nextStep(progress, task, deadline);
    if (next === null) break;
    const onStep = stepReporter(request, next, progress);
    if (next.pauseMs > 0) {
      onStep?.({ phase: 'waiting', waitingFor: 'retry' });
      await pause(next.pauseMs, progress, deps, deadline);
    }
    try {
      await attemptAtSite(next, progress, deps, request, deadline, onStep);
    } finally {
      joined.leave();
    }
    again = task.options.profile === null ? null : await logInAgain(progress, deps, request, deadline);
  } while (progress.prevented === null);
  reservation.expectsAnotherBody = false;
  await completeByModel(progress, deps, request, deadline);

  probeCheaperRoute(progress, deps, request);
  const scrape = composeScrape(deps, request, progress);
  return progress.profile === null ? scrape : await endProfile(scrape, progress.profile, progress);
}

/** A scrape that failed before any attempt and is not stored. */
export function scrapeWithoutAttempt(
  deps: Pick<AttemptDeps, 'clock' | 'prices'>,
  request: RunRequest,
  cause: Failure,
): Scrape {
  const progress = { ...beginProgress(deps, request), id: null, prevented: cause };
  return composeScrape(deps, request, progress);
}

function beginProgress({ clock }: Pick<AttemptDeps, 'clock'>, { plan, id }: RunRequest): ScrapeProgress {
  const now = clock.now();
  return {
    id: id ?? uuid7(now),
    // The time in the id, which for a scrape of a job is earlier than now: when it was accepted.
    createdAt: id === undefined ? now : uuid7Time(id),
    startedAt: now,
    plan,
    tried: [],
    queuedMs: 0,
    pausedMs: 0,
    prevented: null,
    stopped: null,
    robots: null,
    model: null,
    profile: null,
    relogin: null,
  };
}

const elapsed = ({ clock }: RunDeps, { startedAt }: RunRequest): number => clock.monotonic() - startedAt;

/** Sets how much memory the attempts may need. */
function reserveForAttempts({ task, plan, reservation }: RunRequest): void {
  reservation.expectsAnotherBody = plan.maxAttempts > 1 || task.options.profile?.relogin === true;
  if (needsReading(task)) reservation.memoryPerByte += READING_MEMORY_FACTOR;
}

/** Sets the plan after coalescing. With cookies of a passed bot check, the plan begins with an HTTP client. */
async function followPlan(
  progress: ScrapeProgress,
  joined: CoalescedPlan,
  deps: RunDeps,
  request: RunRequest,
): Promise<void> {
  progress.queuedMs += joined.waitedMs;
  const hasClearance = (await clearanceFor(deps, request, progress)) !== null;
  progress.plan = hasClearance ? planWithClearance(joined.plan, request.task) : joined.plan;
}

/** With a profile there is none: it has the cookies of passed checks itself, and those of its visitor must not go to others. */
const clearanceFor = (
  { clearances, clock }: RunDeps,
  { task, principal }: RunRequest,
  { profile }: ScrapeProgress,
) => (profile === null ? clearances.get(task, principal.userId, clock.now()) : null);

/** Asks the model for what the delivered page did not say without it, if the page is good. */
async function completeByModel(
  progress: ScrapeProgress,
  deps: RunDeps,
  { task }: RunRequest,
  deadline: Deadline,
): Promise<void> {
  const { tried } = progress;
  const last = tried[tried.length - 1];
  const { json } = task.options;
  if (deps.model === null || json === null || !last?.satisfied || last.modelTask === null) return;
  const { maxCost } = task.router;
  const outcome = await askModel(deps, last.modelTask, json, '/scraper_options', {
    signal: deadline.signal,
    ms: deadline.remaining(),
    maxCost: maxCost === null ? null : maxCost - spentOn(tried),
  });
  if (outcome.use !== null) {
    progress.model = pricedUse(deps.prices, outcome.use);
    deps.siteLimiter.spend(task.url, progress.model.cost);
  }
  const delivered = last.delivered!;
  const before = { data: delivered.data, failures: last.errors, warnings: last.warnings };
  const { data, failures: errors, warnings } = withOutcome(before, outcome);
  tried[tried.length - 1] = { ...last, delivered: { ...delivered, data }, errors, warnings };
}

/** The next attempt; null: the router stops, and `progress.stopped` says why. */
function nextStep(progress: ScrapeProgress, task: Task, deadline: Deadline): NextAttempt | null {
  const { plan, tried } = progress;
  const ended = routedAttempts(progress);
  const next = nextAttempt(plan, task, ended, deadline.remaining(), spentOn(tried));
  if (next === null) progress.stopped = earlyStop(plan, task, ended, deadline.remaining(), spentOn(tried));
  return next;
}

/** Reports the steps of the next attempt; undefined: nobody asks. */
function stepReporter(
  { onProgress }: RunRequest,
  { step: { scraper, proxyType } }: NextAttempt,
  { plan, tried, relogin }: ScrapeProgress,
): ReportStep | undefined {
  if (onProgress === undefined) return undefined;
  const attempt = {
    n: tried.length + 1,
    of: (relogin?.attempts ?? 0) + plan.maxAttempts,
    scraper,
    proxyType,
  };
  return (step) => onProgress(step, attempt);
}

/** Pauses before an attempt, because the target has just failed. */
async function pause(
  ms: number,
  progress: ScrapeProgress,
  { clock }: RunDeps,
  { signal }: Deadline,
): Promise<void> {
  const startedAt = clock.monotonic();
  await sleep(ms, signal);
  progress.pausedMs += clock.monotonic() - startedAt;
}

const NO_EXITS: readonly UsedExit[] = [];

/**
 * Waits for a slot at the site, checks robots.txt, makes one attempt, and learns from it. If the attempt may not be made,
 * `progress.prevented` says why.
 */
async function attemptAtSite(
  chosen: NextAttempt,
  progress: ScrapeProgress,
  deps: RunDeps,
  request: RunRequest,
  deadline: Deadline,
  onStep: ReportStep | undefined,
): Promise<void> {
  const { task, allowUrl, reservation } = request;
  const { userId } = request.principal;
  const { tried, profile } = progress;
  const { proxyType } = chosen.step;
  const price = progress.plan.price?.(chosen.step)?.fixed ?? 0;
  const acquiring = deps.siteLimiter.acquire({ url: task.url, proxyType, userId }, deadline, price);
  if (acquiring instanceof Promise) onStep?.({ phase: 'waiting', waitingFor: 'site' });
  const slot = acquiring instanceof Promise ? await acquiring : acquiring;
  progress.queuedMs += slot.waitedMs;
  progress.pausedMs += slot.pausedMs;
  progress.prevented = slot.failure;
  if (slot.failure !== null) return;
  let result: AttemptResult | null = null;
  try {
    const robots = { task, proxyType, deadline, allowUrl, reservation, userId };
    const checking = tried.length === 0 ? deps.robots.check(deps, robots) : null;
    if (checking !== null) {
      progress.robots = await checking;
      progress.prevented = progress.robots.failure;
      if (progress.prevented !== null) return;
    }
    result = await runAttempt(deps, {
      n: tried.length + 1,
      task: profile === null ? task : withProfile(task, profile, chosen.step),
      profile,
      chosen,
      deadline,
      allowUrl,
      reservation,
      userId,
      used: tried.length === 0 ? NO_EXITS : routedAttempts(progress).flatMap(({ exit }) => exit ?? []),
      document: reusableDocument(task, chosen.step, tried[tried.length - 1]),
      clearance: await clearanceFor(deps, request, progress),
      onStep,
    });
  } finally {
    slot.release(result);
  }
  tried.push(result);
  progress.queuedMs += result.waitedMs;
  if (profile === null) deps.clearances.record(task, userId, tried);
  learnFromAttempt(deps.experience, task, routedAttempts(progress), deps.clock.now() / 1000);
  keepBestPage(tried, reservation);
}

/**
 * The document of the last attempt, if a browser can load it without fetching it again: it is complete, only its scripts did
 * not run, and a browser would send the same request. Null: there is none.
 */
function reusableDocument(task: Task, step: Step, last: AttemptResult | undefined): FetchedPage | null {
  if (last === undefined || task.method !== 'GET' || task.body !== null || needsBrowser(task.requested))
    return null;
  if (!isBrowser(step.scraper) || !task.options.javascript) return null;
  if (isBrowser(last.step.scraper) || last.step.proxyType !== step.proxyType) return null;
  if (last.fullVerdict.kind !== 'js_shell' || last.fetched === null || last.fetched.page === null)
    return null;
  // The resources of the document would need the same cookies, which a browser does not get.
  if (usesClearance(last)) return null;
  const { page } = last.fetched;
  // The memory of a large body may have been freed.
  const hasBody = page.body.length > 0 && page.body.length <= SMALL_BYTES;
  const whole = page.cut === null && !page.undecoded;
  return hasBody && whole && page.statusCode < 300 ? last.fetched : null;
}

/** Keeps only the page that would be delivered in memory. */
function keepBestPage(tried: AttemptResult[], reservation: MemoryReservation): void {
  const best = tried.length === 1 ? tried[0]! : chooseDelivered(tried);
  for (const [index, result] of tried.entries()) {
    if (result === best || result.delivered === null) continue;
    if (result.delivered.content !== null) reservation.free(result.delivered.content.bytes.buffer);
    tried[index] = { ...result, fetched: null, delivered: null };
  }
  const size = best?.delivered?.content?.bytes.length ?? 0;
  reservation.retain(size > SMALL_BYTES ? size : 0);
}

/** Lets a probe find out in the background whether a cheaper route works, unless robots.txt disallows the page. */
function probeCheaperRoute(
  { plan, tried, robots }: ScrapeProgress,
  { probes }: RunDeps,
  { task, allowUrl, principal }: RunRequest,
): void {
  if (probes === null || task.options.profile !== null || (robots !== null && robots.result.allowed !== true))
    return;
  probes.afterScrape({ task, steps: plan.steps, tried, allowUrl, userId: principal.userId });
}
