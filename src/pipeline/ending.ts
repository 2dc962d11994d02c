import { FAILURES, type Failure } from '../domain/failure.ts';
import { isRepeatable, type Job, type RouterAsk } from '../domain/job.ts';
import type { Outcome } from '../domain/scrape.ts';
import { isBlocked } from '../domain/verdict.ts';
import type { Tried } from './attempt.ts';
import { chooseDelivered } from './choose.ts';

export interface Ending {
  readonly chosen: Tried | null;
  readonly httpStatus: number | null;
  readonly outcome: Outcome;
  readonly errors: readonly Failure[];
}

/**
 * What is answered when no further attempt follows: contract §8, "What is delivered".
 * @param prevented why there was none, when it was not the router that said so
 */
export function endingOf(
  tried: readonly Tried[],
  onBlocked: RouterAsk['onBlocked'],
  prevented: Failure | null = null,
): Ending {
  const last = tried[tried.length - 1]!;
  if (prevented?.code === 'request.cancelled') return failing(prevented, tried);
  // (d): a refusal ends the scrape whatever earlier attempts gave, and nothing of a page is delivered.
  if (last.code === 'request.cancelled' || last.code?.startsWith('policy.')) return lastOf(tried, last);
  const chosen = chooseDelivered(tried);
  if (chosen === null)
    // (e): the time went into waiting. A pause that a site asked for leaves the answer at what there was (§7).
    return prevented?.code === 'service.unavailable' ? failing(prevented, tried) : lastOf(tried, last);
  const { page } = chosen.delivered!;
  const fine = chosen.verdict === 'ok' && chosen.errors.length === 0;
  const errors = fine ? [] : [...chosen.errors, ...othersOf(tried, chosen)];
  const outcome = outcomeOf(chosen, page.statusCode);
  // (f): the cause is the first of the errors.
  const fails = page.fatal !== undefined || (outcome === 'blocked' && onBlocked === 'fail');
  const httpStatus = fails ? (FAILURES[errors[0]!.code].status ?? 502) : 200;
  return { chosen, httpStatus, outcome, errors };
}

const lastOf = (tried: readonly Tried[], last: Tried): Ending => failing(last.attempt.failure!, tried, last);

/** @param of the attempt whose failure it is; null: it kept a further one from beginning */
function failing(cause: Failure, tried: readonly Tried[], of: Tried | null = null): Ending {
  return {
    chosen: null,
    httpStatus: cause.code === 'request.cancelled' ? null : (FAILURES[cause.code].status ?? 502),
    outcome: 'failed',
    errors: [cause, ...othersOf(tried, of)],
  };
}

function othersOf(tried: readonly Tried[], not: Tried | null): Failure[] {
  const others: Failure[] = [];
  for (const t of tried)
    if (t !== not && t.attempt.failure !== null) others.push({ ...t.attempt.failure, attempt: t.attempt.n });
  return others;
}

/** The first that fits (contract §4). */
function outcomeOf(chosen: Tried, status: number): Outcome {
  if (isBlocked(chosen.verdict)) return 'blocked';
  if (chosen.errors.some((e) => e.code === 'accept.unmet')) return 'unaccepted';
  if (chosen.errors.length > 0) return 'partial';
  if (status >= 400 || chosen.verdict === 'rate' || chosen.verdict === 'error_page') return 'target_error';
  return 'ok';
}

/** Nothing may be sent again with hope when a method that is sent once may have reached the target. */
export function sentOnce(job: Job, tried: readonly Tried[]): boolean {
  return !isRepeatable(job.method) && tried.some((t) => t.sent);
}
