import type { AuditEvent } from '../domain/audit.ts';

/** An account at an OpenID provider that signs in a user. */
export interface IdentityRow {
  readonly issuer: string;
  /** The claim `sub`: unique at the issuer, and never given to another account. */
  readonly subject: string;
  readonly userId: string;
  /** ms since the epoch. */
  readonly createdAt: number;
}

/** A part of `AccountStore`, with its guarantees. */
export interface IdentityStore {
  identities(): Promise<readonly IdentityRow[]>;
  /**
   * Also deletes the set-up link of the user, who does not need it to sign in.
   * @returns false: the identity signs in somebody already, or the user has another identity of the issuer
   */
  insertIdentity(row: IdentityRow, audit: AuditEvent): Promise<boolean>;
  /** Removes all identities of a user. @returns false: there is none */
  deleteIdentities(userId: string, audit: AuditEvent): Promise<boolean>;
}
