import type { FastifyReply } from 'fastify';
import type { AccountResult } from '../account/account-actions.ts';
import { type Failure, type FailureCode, failure } from '../domain/failure.ts';
import type { Candidate } from '../domain/scrape.ts';
import type { ParsedBody } from '../wire/accounts.ts';

/** A refusal before there is a scrape, thrown by hooks and routes; one handler turns it into problem+json. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Not empty; the first is the cause. */
  readonly errors: readonly Failure[];
  readonly candidates: readonly Candidate[] | undefined;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    errors: readonly Failure[],
    rest: { candidates?: readonly Candidate[] | undefined; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(errors[0]!.message);
    this.errors = errors;
    this.candidates = rest.candidates;
    this.headers = rest.headers ?? {};
  }

  get code(): FailureCode {
    return this.errors[0]!.code;
  }
}

/** Throws the failure, if it is one. */
export function refuseIf(failure: Failure | null): void {
  if (failure !== null) throw new Refusal([failure]);
}

/** What was asked for. @throws Refusal when the body did not fit */
export function unwrapParsed<T>(parsed: ParsedBody<T>): T {
  if (parsed.problems !== null) throw new Refusal(parsed.problems);
  return parsed.value;
}

/** What came of it. @throws Refusal when it was refused; with `reply`, `Retry-After` is set where a pause is known */
export function unwrapManaged<T>(done: AccountResult<T>, reply?: FastifyReply): T {
  if (done.failures === null) return done.value;
  const pause = done.failures[0]?.details?.retry_after_s;
  if (pause !== undefined) reply?.header('retry-after', String(pause));
  throw new Refusal(done.failures);
}

export const notFoundRefusal = (what: 'key' | 'user' | 'session' | 'site'): Refusal =>
  new Refusal([failure('request.not_found', `There is no such ${what}, or it is not yours.`)]);
