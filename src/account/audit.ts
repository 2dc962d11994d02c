import type { Role } from '../domain/principal.ts';

/** Who manages: a caller (a `Principal` is one), or the operator at the command line. */
export interface Actor {
  /** null: the operator. */
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly role: Role;
}

export const OPERATOR: Actor = { userId: null, keyId: null, role: 'admin' };

/** A change of users, keys or limits, for the log. Never holds a secret. */
export interface AuditEvent {
  readonly action:
    | 'user.created'
    | 'user.updated'
    | 'key.created'
    | 'key.updated'
    | 'key.revoked'
    | 'key.rotated';
  readonly actorUserId: string | null;
  readonly actorKeyId: string | null;
  /** Whose account was changed. */
  readonly userId: string;
  readonly keyId: string | null;
  /** Names of the members that were given. */
  readonly changed: readonly string[];
}
