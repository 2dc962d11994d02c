import type { Role } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';

/** Who makes a change: a caller (a `Principal` is an `Actor`), or the operator at the command line. */
export interface Actor {
  /** null: the operator at the command line. */
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly role: Role;
}

export const OPERATOR: Actor = { userId: null, keyId: null, role: 'admin' };

/** A change of users, keys or limits, or a sign-in, for the log. Never contains secrets or input of the person. */
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
  /** The user whose account was changed; null: somebody tried to sign in as an unknown user. */
  readonly userId: string | null;
  readonly keyId: string | null;
  /** Names of the changed settings. `key.rotated`: the id of the new key. `session.ended`: the id of the session. */
  readonly changed: readonly string[];
  /** Address of the person, for sign-ins and changes of passwords. */
  readonly ip?: string;
}

/** The result of a change of users or keys. `failures` is never empty; the first is the cause. */
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

/** @param pointer JSON pointer (RFC 6901) to the member of the request; empty: the whole request */
export const invalid = (pointer: string, message: string): Failure =>
  failure('request.validation', message, { pointer });

export const notFound = (what: 'key' | 'user' | 'session'): Failure =>
  failure('request.not_found', `There is no such ${what}.`);

export const ADMINS_ONLY: Failure = failure('auth.scope', 'Only an administrator may do this.');
