import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { Role } from '../domain/account.ts';
import type { AuditAction, AuditActor, AuditEvent } from '../domain/audit.ts';
import { type Failure, failure } from '../domain/failure.ts';

/** Who reads: a `Principal` is a `Reader`. */
export interface Reader {
  /** null: the operator at the command line. */
  readonly userId: string | null;
  readonly role: Role;
}

/** Who makes a change: a caller, or the operator at the command line. */
export interface Actor extends Reader {
  readonly keyId: string | null;
  /** IP address; null: the command line. */
  readonly address: string | null;
  /** Absent: by the key, in the session, or at the command line. */
  readonly via?: AuditActor['via'];
}

export const OPERATOR: Actor = { userId: null, keyId: null, role: 'admin', address: null };

type AuditOptions = Pick<AuditEvent, 'userId'> & Partial<Pick<AuditEvent, 'target' | 'details'>>;

/** An event of the audit log that happens now. Without `target`, the target is the user. */
export function auditEvent(
  clock: Clock,
  action: AuditAction,
  actor: Omit<Actor, 'role'>,
  { userId, target, details = {} }: AuditOptions,
): AuditEvent {
  const at = clock.now();
  const via = actor.keyId !== null ? 'key' : actor.userId === null ? 'command_line' : 'session';
  return {
    id: uuid7(at),
    at,
    action,
    actor: { userId: actor.userId, keyId: actor.keyId, via: actor.via ?? via },
    userId,
    target: target ?? (userId === null ? null : { type: 'user', id: userId }),
    address: actor.address,
    details,
  };
}

/** The names that members of settings have in the API: `dailyBudget` is `daily_budget`. */
export const fieldNames = (settings: object): readonly string[] =>
  Object.keys(settings).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

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

export const notFound = (what: 'key' | 'user' | 'session' | 'invitation'): Failure =>
  failure('request.not_found', `There is no such ${what}.`);

export const ADMINS_ONLY: Failure = failure('auth.scope', 'Only an administrator may do this.');
