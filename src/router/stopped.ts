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
  if (ended.length >= plan.maxAttempts) return of('max_attempts', `It had ${plan.maxAttempts} attempts.`);
  if (!isRepeatable(job.method) && job.router.maxAttempts === null && ended.some((one) => one.sent))
    return of('method', `${job.method} is sent once, and may have reached the target.`);
  if (affords !== null && !left.some((one) => affords(one, spent)))
    return of('max_cost', 'What is left of `max_cost` pays for no other way.');
  if (!left.some((one) => hasTime(WAYS[wayOf(one)]!, remainingMs / 1000)))
    return of('timeout', 'There was not enough time left for another way.');
  if (job.router.sort === 'cheapest')
    return of('sort', 'No other way is worth its price, and `sort` is `cheapest`.');
  return of('refused_before', 'The other ways failed several times at this kind of page lately.');
}
