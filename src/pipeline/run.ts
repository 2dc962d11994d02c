import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import type { MicroUnits } from '../base/numbers.ts';
import { deadlineOf } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import { sleep } from '../base/wait.ts';
import type { Principal } from '../domain/account.ts';
import { EFFORT_UNIT, type Prices, sumCosts } from '../domain/cost.ts';
import { FAILURES, type Failure, WARNINGS, type Warning } from '../domain/failure.ts';
import { type FetchedPage, NO_TIMING } from '../domain/fetch-result.ts';
import type { Job, RobotsResult } from '../domain/job.ts';
import { needsReading, READING_MEMORY_FACTOR } from '../domain/reading.ts';
import type { EarlyStop, Scrape, Step } from '../domain/scrape.ts';
import { isBrowser } from '../domain/scrapers.ts';
import type { UsedExit } from '../ports/proxies.ts';
import type { Experience } from '../router/experience.ts';
import { earlyStop, nextAttempt } from '../router/next.ts';
import { candidatesAfter, type Plan, planWithClearance } from '../router/plan.ts';
import { type AttemptDeps, type AttemptResult, runAttempt, usesClearance } from './attempt.ts';
import type { ClearanceCache } from './clearance-cache.ts';
import { learnFromAttempt } from './learn.ts';
import type { Probes } from './probes.ts';
import type { RequestCoalescer } from './request-coalescer.ts';
import { checkRobots, type RobotsCheck, type RobotsChecker } from './robots.ts';
import { chooseDelivered, endingOf, sentOnce } from './scrape-ending.ts';
import type { SiteLimiter } from './site-limiter.ts';

/**
 * The document of the attempt before that a browser can show without fetching it again: it came whole, lacks nothing but
 * its scripts, and would be asked for in the same way.
 */
function reusableDocument(job: Job, step: Step, last: AttemptResult | undefined): FetchedPage | null {
  if (last === undefined || job.method !== 'GET' || job.body !== null || job.browserOnly.length > 0)
    return null;
  if (!isBrowser(step.scraper) || !job.browser.javascript) return null;
  if (isBrowser(last.step.scraper) || last.step.proxyType !== step.proxyType) return null;
  if (last.fullVerdict.kind !== 'js_shell' || last.fetched === null || last.fetched.page === null)
    return null;
  // What it loads would have to bring the same cookies.
  if (usesClearance(last)) return null;
  const { page } = last.fetched;
  // The memory of a large body may be gone.
  const there = page.body.length > 0 && page.body.length <= SMALL_BYTES;
  const whole = page.cut === null && !page.undecoded;
  return there && whole && page.statusCode < 300 ? last.fetched : null;
}

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

const NO_EXITS: readonly UsedExit[] = [];

export interface RunDeps extends AttemptDeps {
  readonly experience: Experience;
  readonly coalescer: RequestCoalescer;
  readonly siteLimiter: SiteLimiter;
  readonly robots: RobotsChecker;
  /** null: the operator gives nothing for them. */
  readonly probes: Pick<Probes, 'after'> | null;
  readonly clearances: ClearanceCache;
}

/** The way itself: attempts by the plan until one satisfies or the router says stop. Not yet stored. */
export async function runScrape(parts: RunDeps, ask: RunRequest): Promise<Scrape> {
  const { job, reservation } = ask;
  let { plan } = ask;
  let heldMs = 0;
  let pausedMs = 0;
  const { clock } = parts;
  const createdAt = clock.now();
  const id = uuid7(createdAt);
  const tried: AttemptResult[] = [];
  let prevented: Failure | null = null;
  let robots: RobotsCheck | null = null;
  let stopped: EarlyStop | null = null;
  if (!job.router.dryRun) {
    reservation.expectsAnotherBody = plan.maxAttempts > 1;
    if (needsReading(job)) reservation.memoryPerByte += READING_MEMORY_FACTOR;
    using deadline = deadlineOf(job.timeoutMs - (clock.monotonic() - ask.startedAt), ask.cancel);
    const joined = parts.coalescer.join(plan, job, deadline);
    const scouted = joined instanceof Promise ? await joined : joined;
    const { userId } = ask.principal;
    const passAtHand = () => parts.clearances.get(job, userId, clock);
    plan = passAtHand() === null ? scouted.plan : planWithClearance(scouted.plan, job);
    heldMs = scouted.waitedMs;
    for (;;) {
      const step = nextAttempt(plan, job, tried, deadline.remaining(), spentOn(tried));
      if (step === null) {
        stopped = earlyStop(plan, job, tried, deadline.remaining(), spentOn(tried));
        break;
      }
      if (step.pauseMs > 0) {
        const begun = clock.monotonic();
        await sleep(step.pauseMs, deadline.signal);
        pausedMs += clock.monotonic() - begun;
      }
      const { allowUrl } = ask;
      const n = tried.length + 1;
      const document = reusableDocument(job, step.step, tried[tried.length - 1]);
      const used = tried.length === 0 ? NO_EXITS : tried.flatMap(({ exit }) => exit ?? []);
      try {
        const visit = { url: job.url, proxyType: step.step.proxyType, userId };
        const entry = parts.siteLimiter.acquire(visit, deadline);
        const stay = entry instanceof Promise ? await entry : entry;
        heldMs += stay.waitedMs;
        pausedMs += stay.pausedMs;
        prevented = stay.failure;
        if (prevented !== null) break;
        try {
          if (n === 1 && parts.robots.effectiveMode(job) !== null) {
            const { proxyType } = step.step;
            robots = await checkRobots(parts, { job, proxyType, deadline, allowUrl, reservation, userId });
            prevented = robots?.failure ?? null;
            if (prevented !== null) break;
          }
          tried.push(
            await runAttempt(parts, {
              ...{ n, job, chosen: step, deadline, allowUrl, reservation, userId, used, document },
              clearance: passAtHand(),
            }),
          );
        } finally {
          stay.release(tried[n - 1] ?? null);
        }
        heldMs += tried[n - 1]!.waitedMs;
        parts.clearances.record(job, userId, tried, clock.monotonic());
        learnFromAttempt(parts.experience, job, tried, clock.now() / 1000);
      } finally {
        if (n === 1) scouted.leave();
      }
      keepBestPage(tried, reservation);
    }
    reservation.expectsAnotherBody = false;
    if (parts.probes !== null && (robots === null || robots.result.allowed === true)) {
      const { allowUrl, principal } = ask;
      parts.probes.after({ job, steps: plan.steps, tried, allowUrl, userId: principal.userId });
    }
  }
  const total = clock.monotonic() - ask.startedAt;
  return composeScrape(
    parts,
    { ...ask, plan },
    { id, createdAt, tried, total, heldMs, pausedMs, prevented, stopped, robots: robots?.result ?? null },
  );
}

/** What is not known is no money: a ceiling lets only priced steps be taken. */
const spentOn = (tried: readonly AttemptResult[]): MicroUnits =>
  tried.length === 0 ? 0 : (sumCosts(tried.map((t) => t.attempt)) ?? 0);

/** Of several pages only the one that would be delivered stays in memory. */
function keepBestPage(tried: AttemptResult[], room: MemoryReservation): void {
  const best = tried.length === 1 ? tried[0]! : chooseDelivered(tried);
  if (tried.length > 1)
    tried.forEach((one, at) => {
      if (one === best || one.delivered === null) return;
      if (one.delivered.content !== null) room.free(one.delivered.content.bytes.buffer);
      tried[at] = { ...one, fetched: null, delivered: null };
    });
  const size = best?.delivered?.content?.bytes.length ?? 0;
  room.retain(size > SMALL_BYTES ? size : 0);
}

/** A scrape that ends before any attempt, and cannot be stored either: no target was asked. */
export function scrapeWithoutAttempt(
  parts: Pick<AttemptDeps, 'clock' | 'prices'>,
  ask: RunRequest,
  cause: Failure,
): Scrape {
  const { clock } = parts;
  const total = clock.monotonic() - ask.startedAt;
  const done = {
    id: null,
    createdAt: clock.now(),
    tried: [],
    total,
    heldMs: 0,
    pausedMs: 0,
    prevented: cause,
    stopped: null,
    robots: null,
  };
  return composeScrape(parts, ask, done);
}

interface RunResult {
  readonly id: string | null;
  readonly createdAt: number;
  readonly tried: readonly AttemptResult[];
  readonly total: number;
  /** Waiting for what others find out about the site, for its sake, and for a proxy to be free. */
  readonly heldMs: number;
  /** Pauses that the site asked for, and those before another try. */
  readonly pausedMs: number;
  /** Why there was no (further) attempt, when it was not the router that said so. */
  readonly prevented: Failure | null;
  readonly stopped: EarlyStop | null;
  readonly robots: RobotsResult | null;
}

function composeScrape(
  { prices }: { readonly prices: Prices | null },
  ask: RunRequest,
  { id, createdAt, tried, total, heldMs, pausedMs, prevented, stopped, robots }: RunResult,
): Scrape {
  const { job, plan, requestId } = ask;
  const attempts = tried.map((t) => t.attempt);
  const cost = prices === null ? null : sumCosts(attempts);
  const costUnit = prices === null ? EFFORT_UNIT : prices.currency;
  const common = {
    id,
    createdAt,
    job,
    requestId,
    candidates: candidatesAfter(plan, tried, spentOn(tried)),
    attempts,
    cost,
    costUnit,
    stopped,
    robots,
  };
  if (tried.length === 0)
    return {
      ...common,
      httpStatus: prevented === null ? 200 : FAILURES[prevented.code].status,
      outcome: prevented === null ? 'planned' : 'failed',
      delivered: null,
      errors: prevented === null ? [] : [prevented],
      warnings: [],
      verdict: null,
      redirects: [],
      requestHeaders: null,
      remoteIp: null,
      timing: { ...NO_TIMING, queue: orNull(heldMs), pause: orNull(pausedMs), total },
      scraper: null,
      proxyType: null,
      sentOnce: false,
    };
  const ending = endingOf(tried, job.router.onBlocked, prevented);
  const shown = ending.chosen ?? tried[tried.length - 1]!;
  const { fetched } = shown;
  return {
    ...common,
    httpStatus: ending.httpStatus,
    outcome: ending.outcome,
    delivered: ending.chosen?.delivered ?? null,
    errors: ending.errors,
    warnings: robots?.allowed === false ? [...shown.warnings, DISALLOWED] : shown.warnings,
    verdict: shown.fullVerdict,
    redirects: fetched?.redirects ?? [],
    requestHeaders: fetched?.requestHeaders ?? null,
    remoteIp: fetched?.remoteIp ?? null,
    timing: {
      ...(fetched?.timing ?? NO_TIMING),
      queue: queueTime(ask.reservation, heldMs, fetched?.queuedMs),
      pause: orNull(pausedMs),
      total,
    },
    scraper: shown.step.scraper,
    proxyType: shown.step.proxyType,
    sentOnce: sentOnce(job, tried),
  };
}

/** Only where it is reported: respected, it would have ended the scrape. */
const DISALLOWED: Warning = { code: 'robots.disallowed', message: WARNINGS['robots.disallowed'] };

const orNull = (ms: number): number | null => (ms > 0 ? ms : null);

const queueTime = ({ waitedMs }: MemoryReservation, heldMs: number, queuedMs?: number): number | null =>
  waitedMs > 0 || heldMs > 0 || queuedMs !== undefined ? waitedMs + heldMs + (queuedMs ?? 0) : null;
