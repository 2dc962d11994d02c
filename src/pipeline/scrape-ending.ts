import type { MemoryReservation } from '../base/memory-budget.ts';
import type { MicroUnits } from '../base/numbers.ts';
import type { Clock } from '../base/time.ts';
import { EFFORT_UNIT, type PricedModelUse, type Prices, sumCosts } from '../domain/cost.ts';
import { FAILURES, type Failure, WARNINGS, type Warning } from '../domain/failure.ts';
import { NO_TIMING } from '../domain/fetch-result.ts';
import type { EarlyStop, Outcome, Scrape } from '../domain/scrape.ts';
import type { StorageState } from '../domain/storage-state.ts';
import { isRepeatable, type RouterOptions, type Task } from '../domain/task.ts';
import { isBlocked, VERDICT_RANK } from '../domain/verdict.ts';
import type { UsedProfile } from '../ports/profiles.ts';
import { candidatesAfter, type Plan } from '../router/plan.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { RobotsCheck } from './robots.ts';

/** The state of a running scrape. */
export interface ScrapeProgress {
  /** null: the scrape will not be stored. */
  readonly id: string | null;
  readonly createdAt: number;
  readonly startedAt: number;
  plan: Plan;
  readonly tried: AttemptResult[];
  /** Time spent waiting for the first attempts of others (RequestCoalescer), for a slot at the site, and for an exit. */
  queuedMs: number;
  /** Pauses that the site asked for, and pauses before the repetition of a step. */
  pausedMs: number;
  /** The failure that prevented a (further) attempt; null: none, or the router decided to stop. */
  prevented: Failure | null;
  /** Why the router stopped although untried steps may return the page; null: there are none, or there is a page. */
  stopped: EarlyStop | null;
  /** null: robots.txt was not checked. */
  robots: RobotsCheck | null;
  /** null: no model was asked. */
  model: PricedModelUse | null;
  /** null: the scrape uses none. */
  profile: UsedProfile | null;
  /** null: the scrape has not logged in again. */
  relogin: Relogin | null;
}

/** A scrape that had to log in again, and begins anew if it could. */
export interface Relogin {
  /** The attempts until there, with the log-in, if it succeeded; else 0. The router looks at those after them. */
  readonly attempts: number;
  /** The values of the profile before. */
  readonly values: StorageState;
  /** Why there was no log-in; null: there was one, which is in `tried`, or another scrape had logged in. */
  readonly failure: Failure | null;
}

/** The attempts that the router looks at. */
export const routedAttempts = ({ tried, relogin }: ScrapeProgress): readonly AttemptResult[] =>
  relogin === null ? tried : tried.slice(relogin.attempts).filter(({ attempt }) => attempt.isLogIn !== true);

interface ComposeRequest {
  readonly task: Task;
  readonly requestId: string;
  readonly startedAt: number;
  readonly reservation: MemoryReservation;
}

/** The price of the attempts. Those without a price count as free: a task with `max_cost` uses priced steps only. */
export const spentOn = (tried: readonly AttemptResult[]): MicroUnits =>
  tried.length === 0 ? 0 : (sumCosts(tried.map(({ attempt }) => attempt)) ?? 0);

/** The complete scrape, for the response and the record. */
export function composeScrape(
  { clock, prices }: { readonly clock: Clock; readonly prices: Prices | null },
  request: ComposeRequest,
  progress: ScrapeProgress,
): Scrape {
  const { task, requestId, startedAt } = request;
  const { id, createdAt, startedAt: began, plan, tried, stopped, robots } = progress;
  const totalMs = clock.monotonic() - startedAt;
  const attempts = tried.map(({ attempt }) => attempt);
  return {
    id,
    createdAt,
    startedAt: began,
    task,
    requestId,
    candidates: candidatesAfter(plan, tried, spentOn(tried)),
    attempts,
    cost:
      prices === null ? null : sumCosts(progress.model === null ? attempts : [...attempts, progress.model]),
    model: progress.model,
    costUnit: prices === null ? EFFORT_UNIT : prices.currency,
    stopped,
    robots: robots?.result ?? null,
    ...(tried.length === 0
      ? endingWithoutAttempt(progress, totalMs)
      : endingAfterAttempts(request, progress, totalMs)),
  };
}

function endingWithoutAttempt({ prevented, queuedMs, pausedMs }: ScrapeProgress, totalMs: number) {
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
    timing: { ...NO_TIMING, queue: nullIfZero(queuedMs), pause: nullIfZero(pausedMs), total: totalMs },
    scraper: null,
    proxyType: null,
    direct: null,
    sent: false,
    sentOnce: false,
  } satisfies Partial<Scrape>;
}

/** Only in the mode `report`: in the mode `respect` the scrape would have ended. */
const DISALLOWED: Warning = { code: 'robots.disallowed', message: WARNINGS['robots.disallowed'] };

function endingAfterAttempts(
  { task, reservation }: ComposeRequest,
  { tried, prevented, robots, queuedMs, pausedMs, relogin }: ScrapeProgress,
  totalMs: number,
) {
  const ending = endingOf(tried, task.router.onBlocked, prevented);
  /** The delivered attempt, or else the last one. */
  const reported = ending.deliveredAttempt ?? tried[tried.length - 1]!;
  const { fetched } = reported;
  return {
    httpStatus: ending.httpStatus,
    outcome: ending.outcome,
    delivered: ending.deliveredAttempt?.delivered ?? null,
    errors: relogin?.failure == null ? ending.errors : [...ending.errors, relogin.failure],
    warnings: robots?.result.allowed === false ? [...reported.warnings, DISALLOWED] : reported.warnings,
    verdict: reported.fullVerdict,
    redirects: fetched?.redirects ?? [],
    requestHeaders: fetched?.requestHeaders ?? null,
    remoteIp: fetched?.remoteIp ?? null,
    timing: {
      ...(fetched?.timing ?? NO_TIMING),
      queue: queueTime(reservation, queuedMs, fetched?.queuedMs),
      pause: nullIfZero(pausedMs),
      total: totalMs,
    },
    scraper: reported.step.scraper,
    proxyType: reported.step.proxyType,
    direct: reported.attempt.direct,
    sent: tried.some(({ sent }) => sent),
    sentOnce: sentOnce(task, tried),
  };
}

const nullIfZero = (ms: number): number | null => (ms > 0 ? ms : null);

/** Time spent waiting for memory, before the attempts, and in the scraper; null: none of them waited. */
const queueTime = (
  { waitedMs }: MemoryReservation,
  queuedMs: number,
  scraperQueuedMs?: number,
): number | null =>
  waitedMs > 0 || queuedMs > 0 || scraperQueuedMs !== undefined
    ? waitedMs + queuedMs + (scraperQueuedMs ?? 0)
    : null;

/**
 * The attempt whose page is delivered (contract §8 a): the last one that is whole, `ok` and accepted; else that with the best
 * verdict. Of equal verdicts, an accepted page is preferred, then a whole one, then the later one. Null if there is no page.
 */
export function chooseDelivered(tried: readonly AttemptResult[]): AttemptResult | null {
  let best: AttemptResult | null = null;
  for (const result of tried) {
    if (result.delivered === null) continue;
    if (best === null || !isPreferred(best, result)) best = result;
  }
  return best;
}

/** Whether the earlier attempt is preferred to the later one. */
function isPreferred(earlier: AttemptResult, later: AttemptResult): boolean {
  if (isGood(earlier) !== isGood(later)) return isGood(earlier);
  const [rank, laterRank] = [VERDICT_RANK.indexOf(earlier.verdict), VERDICT_RANK.indexOf(later.verdict)];
  if (rank !== laterRank) return rank < laterRank;
  // By contract §7, the outcome `unaccepted` means that no attempt met `accept`.
  if (earlier.unmet !== later.unmet) return later.unmet;
  return isWhole(earlier) && !isWhole(later);
}

const isWhole = ({ delivered }: AttemptResult): boolean => delivered?.page.cut === null;
const isGood = ({ verdict, errors }: AttemptResult): boolean => verdict === 'ok' && errors.length === 0;

interface ScrapeEnding {
  /** The attempt whose page is delivered; null: no page is delivered. */
  readonly deliveredAttempt: AttemptResult | null;
  readonly httpStatus: number | null;
  readonly outcome: Outcome;
  readonly errors: readonly Failure[];
}

/**
 * The ending of a scrape by contract §8, "What is delivered". The letters below are those of its list.
 * @param prevented the failure that prevented a further attempt; null: the router decided to stop
 */
export function endingOf(
  tried: readonly AttemptResult[],
  onBlocked: RouterOptions['onBlocked'],
  prevented: Failure | null = null,
): ScrapeEnding {
  const last = tried[tried.length - 1]!;
  if (prevented?.code === 'request.cancelled') return failedEnding(prevented, tried);
  // (d): a policy failure ends the scrape, and no page is delivered, not even that of an earlier attempt.
  if (last.code === 'request.cancelled' || last.code?.startsWith('policy.')) return endedByLast(tried, last);
  const chosen = chooseDelivered(tried);
  if (chosen === null)
    // (e): if the time was spent waiting for a slot, or the limits of the site allow no more, that is the cause. After a pause
    // that the site asked for, the last attempt is the cause (§7).
    return prevented?.code === 'service.unavailable' || prevented?.code === 'limit.site'
      ? failedEnding(prevented, tried)
      : endedByLast(tried, last);
  const { page } = chosen.delivered!;
  const errors = isGood(chosen) ? [] : [...chosen.errors, ...otherFailures(tried, chosen)];
  const outcome = outcomeOf(chosen, page.statusCode);
  // (f): the first error is the cause.
  const fails = page.fatal !== undefined || (outcome === 'blocked' && onBlocked === 'fail');
  const httpStatus = fails ? (FAILURES[errors[0]!.code].status ?? 502) : 200;
  return { deliveredAttempt: chosen, httpStatus, outcome, errors };
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
    deliveredAttempt: null,
    httpStatus: cause.code === 'request.cancelled' ? null : (FAILURES[cause.code].status ?? 502),
    outcome: 'failed',
    errors: [failed === null ? cause : byScraper(cause, failed), ...otherFailures(tried, failed)],
  };
}

/** A failure without a page says by which scraper: the same may have happened to several. */
const byScraper = (error: Failure, { step }: AttemptResult): Failure => ({ ...error, scraper: step.scraper });

/** The failures of the other attempts, each with the number of its attempt. */
function otherFailures(tried: readonly AttemptResult[], reported: AttemptResult | null): Failure[] {
  const others: Failure[] = [];
  for (const result of tried) {
    const { failure, n } = result.attempt;
    if (result !== reported && failure !== null) others.push(byScraper({ ...failure, attempt: n }, result));
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

/** Whether a request with a method that must not be repeated may have reached the target: the caller should not retry it. */
export function sentOnce(task: Task, tried: readonly AttemptResult[]): boolean {
  return !isRepeatable(task.method) && tried.some(({ sent }) => sent);
}
