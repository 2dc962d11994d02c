import type { Role } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';

/** Who manages: a caller (a `Principal` is one), or the operator at the command line. */
export interface Actor {
  /** null: the operator. */
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly role: Role;
}

export const OPERATOR: Actor = { userId: null, keyId: null, role: 'admin' };

/** A change of users, keys or limits, and who came in, for the log. Never holds a secret, nor what was typed. */
export interface AuditEvent {
  readonly action:
    | 'user.created'
    | 'user.updated'
    | 'key.created'
    | 'key.updated'
    | 'key.revoked'
    | 'key.rotated'
    | 'session.created'
    | 'session.refused'
    | 'session.ended'
    | 'password.changed'
    | 'link.created'
    | 'link.used';
  readonly actorUserId: string | null;
  readonly actorKeyId: string | null;
  /** Whose account was changed; null: somebody tried to sign in as a user that there is not. */
  readonly userId: string | null;
  readonly keyId: string | null;
  /** Names of the members that were given. */
  readonly changed: readonly string[];
  /** Where a caller came from, of what is done on the way in. */
  readonly ip?: string;
}

/** What a change of users or keys ended with. `failures` is never empty; the first is the cause. */
export type AccountResult<T> =
  | { readonly value: T; readonly failures: null }
  | { readonly value: null; readonly failures: readonly Failure[] };

export const succeeded = <T>(value: T): AccountResult<T> => ({ value, failures: null });
export const refusedWith = (
  ...failures: Failure[]
): { readonly value: null; readonly failures: readonly Failure[] } => ({
  value: null,
  failures,
});

export const invalid = (pointer: string, message: string): Failure =>
  failure('request.validation', message, { pointer });

export const notFound = (what: 'key' | 'user' | 'session'): Failure =>
  failure('request.not_found', `There is no such ${what}.`);

export const ADMINS_ONLY: Failure = failure('auth.scope', 'Only an administrator may do this.');
