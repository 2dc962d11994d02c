import type { MemoryReservation } from '../base/memory-budget.ts';
import type { MicroUnits } from '../base/numbers.ts';
import type { Clock } from '../base/time.ts';
import { EFFORT_UNIT, type Prices, sumCosts } from '../domain/cost.ts';
import { FAILURES, type Failure, WARNINGS, type Warning } from '../domain/failure.ts';
import { NO_TIMING } from '../domain/fetch-result.ts';
import { isRepeatable, type Job, type RouterOptions } from '../domain/job.ts';
import type { EarlyStop, Outcome, Scrape } from '../domain/scrape.ts';
import { isBlocked, VERDICT_RANK } from '../domain/verdict.ts';
import { candidatesAfter, type Plan } from '../router/plan.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { RobotsCheck } from './robots.ts';

/** How far a scrape has come. */
export interface ScrapeProgress {
  /** null: it is not going to be stored. */
  readonly id: string | null;
  readonly createdAt: number;
  plan: Plan;
  readonly tried: AttemptResult[];
  /** Waiting for what others find out about the site, for a slot there, and for a proxy to be free. */
  queuedMs: number;
  /** Pauses that the site asked for, and those before another try. */
  pausedMs: number;
  /** Why there was no (further) attempt, when it was not the router that said so. */
  prevented: Failure | null;
  /** Why the router stopped although something is left that may bring the page. */
  stopped: EarlyStop | null;
  /** null: robots.txt was not asked. */
  robots: RobotsCheck | null;
}

interface ComposeRequest {
  readonly job: Job;
  readonly requestId: string;
  readonly startedAt: number;
  readonly reservation: MemoryReservation;
}

/** Unpriced attempts count as free: a ceiling only lets priced steps be taken. */
export const spentOn = (tried: readonly AttemptResult[]): MicroUnits =>
  tried.length === 0 ? 0 : (sumCosts(tried.map(({ attempt }) => attempt)) ?? 0);

/** The scrape as it is answered and recorded. */
export function composeScrape(
  { clock, prices }: { readonly clock: Clock; readonly prices: Prices | null },
  request: ComposeRequest,
  progress: ScrapeProgress,
): Scrape {
  const { job, requestId, startedAt } = request;
  const { id, createdAt, plan, tried, stopped, robots } = progress;
  const total = clock.monotonic() - startedAt;
  const attempts = tried.map(({ attempt }) => attempt);
  return {
    id,
    createdAt,
    job,
    requestId,
    candidates: candidatesAfter(plan, tried, spentOn(tried)),
    attempts,
    cost: prices === null ? null : sumCosts(attempts),
    costUnit: prices === null ? EFFORT_UNIT : prices.currency,
    stopped,
    robots: robots?.result ?? null,
    ...(tried.length === 0
      ? endingWithoutAttempt(progress, total)
      : endingAfterAttempts(request, progress, total)),
  };
}

function endingWithoutAttempt({ prevented, queuedMs, pausedMs }: ScrapeProgress, total: number) {
  return {
    httpStatus: prevented === null ? 200 : FAILURES[prevented.code].status,
    outcome: prevented === null ? 'planned' : 'failed',
    delivered: null,
    errors: prevented === null ? [] : [prevented],
    warnings: [],
    verdict: null,
    redirects: [],
    requestHeaders: null,
    remoteIp: null,
    timing: { ...NO_TIMING, queue: nullIfZero(queuedMs), pause: nullIfZero(pausedMs), total },
    scraper: null,
    proxyType: null,
    sentOnce: false,
  } satisfies Partial<Scrape>;
}

/** Only where it is reported: respected, it would have ended the scrape. */
const DISALLOWED: Warning = { code: 'robots.disallowed', message: WARNINGS['robots.disallowed'] };

function endingAfterAttempts(
  { job, reservation }: ComposeRequest,
  { tried, prevented, robots, queuedMs, pausedMs }: ScrapeProgress,
  total: number,
) {
  const ending = endingOf(tried, job.router.onBlocked, prevented);
  const shown = ending.chosen ?? tried[tried.length - 1]!;
  const { fetched } = shown;
  return {
    httpStatus: ending.httpStatus,
    outcome: ending.outcome,
    delivered: ending.chosen?.delivered ?? null,
    errors: ending.errors,
    warnings: robots?.result.allowed === false ? [...shown.warnings, DISALLOWED] : shown.warnings,
    verdict: shown.fullVerdict,
    redirects: fetched?.redirects ?? [],
    requestHeaders: fetched?.requestHeaders ?? null,
    remoteIp: fetched?.remoteIp ?? null,
    timing: {
      ...(fetched?.timing ?? NO_TIMING),
      queue: queueTime(reservation, queuedMs, fetched?.queuedMs),
      pause: nullIfZero(pausedMs),
      total,
    },
    scraper: shown.step.scraper,
    proxyType: shown.step.proxyType,
    sentOnce: sentOnce(job, tried),
  };
}

const nullIfZero = (ms: number): number | null => (ms > 0 ? ms : null);

/** Waiting for memory, before the attempts, and in the scraper; null: for nothing. */
const queueTime = (
  { waitedMs }: MemoryReservation,
  queuedMs: number,
  scraperQueuedMs?: number,
): number | null =>
  waitedMs > 0 || queuedMs > 0 || scraperQueuedMs !== undefined
    ? waitedMs + queuedMs + (scraperQueuedMs ?? 0)
    : null;

/**
 * Which attempt is delivered (contract §8 a): the last that is whole, `ok` and accepted, else the best verdict, of
 * equal ones what is accepted, then whole before cut, then the later one. Null when no attempt gave a page.
 */
export function chooseDelivered(tried: readonly AttemptResult[]): AttemptResult | null {
  let best: AttemptResult | null = null;
  for (const result of tried) {
    if (result.delivered === null) continue;
    if (best === null || !isBetter(best, result)) best = result;
  }
  return best;
}

/** Whether the earlier attempt is delivered rather than the later one. */
function isBetter(earlier: AttemptResult, later: AttemptResult): boolean {
  if (isGood(earlier) !== isGood(later)) return isGood(earlier);
  const [rank, laterRank] = [VERDICT_RANK.indexOf(earlier.verdict), VERDICT_RANK.indexOf(later.verdict)];
  if (rank !== laterRank) return rank < laterRank;
  // `unaccepted` means that no attempt met `accept` (§7).
  if (earlier.unmet !== later.unmet) return later.unmet;
  return isWhole(earlier) && !isWhole(later);
}

const isWhole = ({ delivered }: AttemptResult): boolean => delivered?.page.cut === null;
const isGood = ({ verdict, errors }: AttemptResult): boolean => verdict === 'ok' && errors.length === 0;

interface ScrapeEnding {
  readonly chosen: AttemptResult | null;
  readonly httpStatus: number | null;
  readonly outcome: Outcome;
  readonly errors: readonly Failure[];
}

/**
 * What is answered when no further attempt follows: contract §8, "What is delivered".
 * @param prevented why there was no further attempt, when it was not the router that decided so
 */
export function endingOf(
  tried: readonly AttemptResult[],
  onBlocked: RouterOptions['onBlocked'],
  prevented: Failure | null = null,
): ScrapeEnding {
  const last = tried[tried.length - 1]!;
  if (prevented?.code === 'request.cancelled') return failedEnding(prevented, tried);
  // (d): a refusal ends the scrape whatever earlier attempts gave, and nothing of a page is delivered.
  if (last.code === 'request.cancelled' || last.code?.startsWith('policy.')) return endedByLast(tried, last);
  const chosen = chooseDelivered(tried);
  if (chosen === null)
    // (e): the time went into waiting. A pause that a site asked for leaves the answer at what there was (§7).
    return prevented?.code === 'service.unavailable'
      ? failedEnding(prevented, tried)
      : endedByLast(tried, last);
  const { page } = chosen.delivered!;
  const errors = isGood(chosen) ? [] : [...chosen.errors, ...otherFailures(tried, chosen)];
  const outcome = outcomeOf(chosen, page.statusCode);
  // (f): the cause is the first of the errors.
  const fails = page.fatal !== undefined || (outcome === 'blocked' && onBlocked === 'fail');
  const httpStatus = fails ? (FAILURES[errors[0]!.code].status ?? 502) : 200;
  return { chosen, httpStatus, outcome, errors };
}

const endedByLast = (tried: readonly AttemptResult[], last: AttemptResult): ScrapeEnding =>
  failedEnding(last.attempt.failure!, tried, last);

/** @param failed the attempt that failed with the cause; null: the cause prevented a further attempt */
function failedEnding(
  cause: Failure,
  tried: readonly AttemptResult[],
  failed: AttemptResult | null = null,
): ScrapeEnding {
  return {
    chosen: null,
    httpStatus: cause.code === 'request.cancelled' ? null : (FAILURES[cause.code].status ?? 502),
    outcome: 'failed',
    errors: [cause, ...otherFailures(tried, failed)],
  };
}

/** The failures of the other attempts, each with the number of its attempt. */
function otherFailures(tried: readonly AttemptResult[], reported: AttemptResult | null): Failure[] {
  const others: Failure[] = [];
  for (const result of tried) {
    const { failure, n } = result.attempt;
    if (result !== reported && failure !== null) others.push({ ...failure, attempt: n });
  }
  return others;
}

/** The first outcome that applies (contract §4). */
function outcomeOf({ verdict, errors }: AttemptResult, status: number): Outcome {
  if (isBlocked(verdict)) return 'blocked';
  if (errors.some(({ code }) => code === 'accept.unmet')) return 'unaccepted';
  if (errors.length > 0) return 'partial';
  if (status >= 400 || verdict === 'rate' || verdict === 'error_page') return 'target_error';
  return 'ok';
}

/** Whether a method that is sent only once may have reached the target: then the caller should not retry. */
export function sentOnce(job: Job, tried: readonly AttemptResult[]): boolean {
  return !isRepeatable(job.method) && tried.some(({ sent }) => sent);
}
