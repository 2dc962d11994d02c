import type { Role } from '../domain/principal.ts';

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
