import type { Failure, FailureCode } from '../domain/failure.ts';
import type { Candidate } from '../domain/scrape.ts';

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
