import { isRepeatable, type Job } from '../domain/job.ts';
import type { Micro } from '../domain/micro.ts';
import type { Stopped } from '../domain/scrape.ts';
import type { Ended } from './ended.ts';
import { freshOf, isFinal } from './next.ts';
import type { Plan } from './plan.ts';
import { hasTime, WAYS, wayOf } from './ways.ts';

/**
 * Why `auto` made no further attempt although there is a way that it has not tried; null: it got the page, or nothing is
 * left that may bring it.
 */
export function stoppedBy(
  plan: Plan,
  job: Job,
  ended: readonly Ended[],
  remainingMs: number,
  spent: Micro,
): Stopped | null {
  const last = ended[ended.length - 1];
  if (plan.named || last === undefined || last.satisfied || isFinal(last)) return null;
  const { affords } = plan;
  const left = freshOf(plan, ended);
  if (left.length === 0) return null;
  const of = (reason: Stopped['reason'], why: string): Stopped => ({
    reason,
    message: `${why} Not tried: ${left.map((one) => `${one.scraper}/${one.proxyType}`).join(', ')}.`,
  });
  if (ended.length >= plan.maxAttempts)
    return of('max_attempts', `The limit of ${plan.maxAttempts} attempts was reached.`);
  if (!isRepeatable(job.method) && job.router.maxAttempts === null && ended.some((one) => one.sent))
    return of('method', `${job.method} is sent only once, and may have reached the target.`);
  if (affords !== null && !left.some((one) => affords(one, spent)))
    return of('max_cost', 'The rest of `max_cost` does not pay for another method.');
  if (!left.some((one) => hasTime(WAYS[wayOf(one)]!, remainingMs / 1000)))
    return of('timeout', 'Not enough time was left for another method.');
  if (job.router.sort === 'cheapest')
    return of('sort', 'With `sort: cheapest`, no other method was worth its cost.');
  return of('refused_before', 'The other methods recently failed several times on this kind of page.');
}
