import type { AccountResult } from '../../account/account-actions.ts';
import { type Failure, type FailureCode, failure } from '../../domain/failure.ts';
import type { Candidate } from '../../domain/scrape.ts';
import type { ParsedBody } from '../../wire/schema/body-parser.ts';

/** A request that is refused before a scrape begins. Thrown by hooks and handlers; `sendRefusal` turns it into problem+json. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Not empty; the first one is the cause. */
  readonly errors: readonly Failure[];
  /** For refusals by the router: the candidate steps with their reasons. */
  readonly candidates: readonly Candidate[] | undefined;
  /** Number of all errors, if `errors` may have only the first. */
  readonly errorsTotal: number | undefined;
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    errors: readonly Failure[],
    rest: {
      candidates?: readonly Candidate[] | undefined;
      errorsTotal?: number;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(errors[0]!.message);
    this.errors = errors;
    this.candidates = rest.candidates;
    this.errorsTotal = rest.errorsTotal;
    this.headers = rest.headers ?? {};
  }

  /** A refusal for one reason. */
  static of(...reason: Parameters<typeof failure>): Refusal {
    return new Refusal([failure(...reason)]);
  }

  get code(): FailureCode {
    return this.errors[0]!.code;
  }
}

/** Throws a Refusal unless `failure` is null. */
export function refuseIf(failure: Failure | null): void {
  if (failure !== null) throw new Refusal([failure]);
}

/** The parsed value. @throws Refusal if the body or query is invalid */
export function unwrapParsed<T>(parsed: ParsedBody<T>): T {
  if (parsed.problems !== null) throw new Refusal(parsed.problems);
  return parsed.value;
}

/** The result of a change to accounts. @throws Refusal if it failed; with `Retry-After` if the wait is known */
export function unwrapAccountResult<T>(result: AccountResult<T>): T {
  if (result.failures === null) return result.value;
  const wait = result.failures[0]?.details?.retry_after_s;
  throw new Refusal(result.failures, wait === undefined ? {} : { headers: { 'retry-after': String(wait) } });
}

export const notFoundRefusal = (
  what: 'key' | 'user' | 'session' | 'site' | 'template' | 'saved request' | 'profile' | 'pool' | 'vendor',
): Refusal => Refusal.of('request.not_found', `There is no such ${what}, or it is not yours.`);
