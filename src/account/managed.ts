import { type Failure, failure } from '../domain/failure.ts';

/** What a change of users or keys ended with. `failures` is never empty; the first is the cause. */
export type Managed<T> =
  | { readonly value: T; readonly failures: null }
  | { readonly value: null; readonly failures: readonly Failure[] };

export const done = <T>(value: T): Managed<T> => ({ value, failures: null });
export const refused = (
  ...failures: Failure[]
): { readonly value: null; readonly failures: readonly Failure[] } => ({
  value: null,
  failures,
});

export const invalid = (pointer: string, message: string): Failure =>
  failure('request.validation', message, { pointer });

export const notFound = (what: 'key' | 'user' | 'session'): Failure =>
  failure('request.not_found', `There is no such ${what}.`);

export const adminsOnly: Failure = failure('auth.scope', 'Only an administrator may do this.');
