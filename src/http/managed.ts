import type { FastifyReply } from 'fastify';
import type { Managed } from '../account/managed.ts';
import { failure } from '../domain/failure.ts';
import type { Parsed } from '../wire/account/parse-account.ts';
import { Refusal } from './problem.ts';

/** What was asked for. @throws Refusal when the body did not fit */
export function given<T>(parsed: Parsed<T>): T {
  if (parsed.problems !== null) throw new Refusal(parsed.problems);
  return parsed.value;
}

/** What came of it. @throws Refusal when it was refused; with `reply`, `Retry-After` is set where a pause is known */
export function managed<T>(done: Managed<T>, reply?: FastifyReply): T {
  if (done.failures === null) return done.value;
  const pause = done.failures[0]?.details?.retry_after_s;
  if (pause !== undefined) reply?.header('retry-after', String(pause));
  throw new Refusal(done.failures);
}

export const noSuch = (what: 'key' | 'user' | 'session' | 'site'): Refusal =>
  new Refusal([failure('request.not_found', `There is no such ${what}, or it is not yours.`)]);
