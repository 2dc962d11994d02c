import { FAILURES, type Failure } from '../domain/failure.ts';
import { isRepeatable, type Job, type RouterOptions } from '../domain/job.ts';
import type { Outcome } from '../domain/scrape.ts';
import { isBlocked, VERDICT_RANK } from '../domain/verdict.ts';
import type { AttemptResult } from './attempt.ts';

/**
 * Which attempt is delivered (contract §8 a): the last that is whole, `ok` and accepted, else the best verdict, of
 * equal ones what is accepted, then whole before cut, then the later one. Null when no attempt gave a page.
 */
export function chooseDelivered(tried: readonly AttemptResult[]): AttemptResult | null {
  let best: AttemptResult | null = null;
  for (const t of tried) {
    if (t.delivered === null) continue;
    if (best === null || !isBetter(best, t)) best = t;
  }
  return best;
}

/** Whether `a`, the earlier one, is to be kept against `b`. */
function isBetter(a: AttemptResult, b: AttemptResult): boolean {
  const whole = Number(isComplete(b)) - Number(isComplete(a));
  const good = Number(isGood(b)) - Number(isGood(a));
  if (good !== 0) return good < 0;
  const rank = VERDICT_RANK.indexOf(b.verdict) - VERDICT_RANK.indexOf(a.verdict);
  if (rank !== 0) return rank > 0;
  // `unaccepted` means: unmet everywhere (§7).
  if (a.unmet !== b.unmet) return b.unmet;
  return whole < 0;
}

const isComplete = (t: AttemptResult): boolean => t.delivered?.page.cut === null;
const isGood = (t: AttemptResult): boolean => t.verdict === 'ok' && t.errors.length === 0;

interface ScrapeEnding {
  readonly chosen: AttemptResult | null;
  readonly httpStatus: number | null;
  readonly outcome: Outcome;
  readonly errors: readonly Failure[];
}

/**
 * What is answered when no further attempt follows: contract §8, "What is delivered".
 * @param prevented why there was none, when it was not the router that said so
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
  const fine = chosen.verdict === 'ok' && chosen.errors.length === 0;
  const errors = fine ? [] : [...chosen.errors, ...otherFailures(tried, chosen)];
  const outcome = outcomeOf(chosen, page.statusCode);
  // (f): the cause is the first of the errors.
  const fails = page.fatal !== undefined || (outcome === 'blocked' && onBlocked === 'fail');
  const httpStatus = fails ? (FAILURES[errors[0]!.code].status ?? 502) : 200;
  return { chosen, httpStatus, outcome, errors };
}

const endedByLast = (tried: readonly AttemptResult[], last: AttemptResult): ScrapeEnding =>
  failedEnding(last.attempt.failure!, tried, last);

/** @param of the attempt whose failure it is; null: it kept a further one from beginning */
function failedEnding(
  cause: Failure,
  tried: readonly AttemptResult[],
  of: AttemptResult | null = null,
): ScrapeEnding {
  return {
    chosen: null,
    httpStatus: cause.code === 'request.cancelled' ? null : (FAILURES[cause.code].status ?? 502),
    outcome: 'failed',
    errors: [cause, ...otherFailures(tried, of)],
  };
}

function otherFailures(tried: readonly AttemptResult[], not: AttemptResult | null): Failure[] {
  const others: Failure[] = [];
  for (const t of tried)
    if (t !== not && t.attempt.failure !== null) others.push({ ...t.attempt.failure, attempt: t.attempt.n });
  return others;
}

/** The first that fits (contract §4). */
function outcomeOf(chosen: AttemptResult, status: number): Outcome {
  if (isBlocked(chosen.verdict)) return 'blocked';
  if (chosen.errors.some((e) => e.code === 'accept.unmet')) return 'unaccepted';
  if (chosen.errors.length > 0) return 'partial';
  if (status >= 400 || chosen.verdict === 'rate' || chosen.verdict === 'error_page') return 'target_error';
  return 'ok';
}

/** Nothing may be sent again with hope when a method that is sent once may have reached the target. */
export function sentOnce(job: Job, tried: readonly AttemptResult[]): boolean {
  return !isRepeatable(job.method) && tried.some((t) => t.sent);
}
