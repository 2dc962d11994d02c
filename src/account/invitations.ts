import type { UserRow } from '../domain/account.ts';
import { readsAll } from '../domain/account.ts';
import { ConflictError } from '../ports/store.ts';
import {
  type AccountResult,
  type Actor,
  ADMINS_ONLY,
  auditEvent,
  invalid,
  notFound,
  type Reader,
  refusedWith,
  succeeded,
} from './account-actions.ts';
import { INVITATION_MS } from './session-activity.ts';
import { type CreatedSetUpLink, createLink } from './set-up-links.ts';
import { createUser, type NewUser, type UserDeps } from './users.ts';

/** A user who has not signed in yet, and can by a link. */
export interface Invitation {
  readonly user: UserRow;
  /** Of the link, ms since the epoch, also if it has expired; null: there is no link. */
  readonly expiresAt: number | null;
  readonly isPending: boolean;
}

export interface SentInvitation extends Invitation {
  readonly link: CreatedSetUpLink;
}

/** For administrators, apart from `list`, which is also for viewers. */
export interface Invitations {
  /** The oldest first; empty for users. */
  list(reader: Reader): readonly Invitation[];
  /** Creates the user, and a link that sets the password. */
  invite(actor: Actor, settings: Pick<NewUser, 'email' | 'role'>): Promise<AccountResult<SentInvitation>>;
  /** Creates a new link. The earlier one stops working. */
  resend(actor: Actor, userId: string): Promise<AccountResult<SentInvitation>>;
  /** Deletes the user, with the link. */
  revoke(actor: Actor, userId: string): Promise<AccountResult<null>>;
}

/** On PostgreSQL, a link or key that another service creates at this moment is in the way. */
const CHANGED_MEANWHILE = invalid('', 'The invitation was changed at the same time. Try again.');

export function createInvitations(deps: UserDeps): Invitations {
  const { directory, store, clock, onAudit } = deps;

  function expiryOf({ id }: UserRow): number | null {
    for (const { userId, expiresAt } of directory.snapshot.links.values())
      if (userId === id) return expiresAt;
    return null;
  }

  function invitationOf(user: UserRow): Invitation {
    const expiresAt = expiryOf(user);
    return { user, expiresAt, isPending: expiresAt !== null && expiresAt > clock.now() };
  }

  async function send(
    actor: Actor,
    user: UserRow,
    action: 'invitation.created' | 'invitation.resent',
  ): Promise<AccountResult<SentInvitation>> {
    const created = await createLink(deps, actor, user.id, { action, lifetimeMs: INVITATION_MS });
    if (created.failures !== null) return refusedWith(...created.failures);
    return succeeded({ user, expiresAt: created.value.expiresAt, isPending: true, link: created.value });
  }

  /** @returns null: there is no such user, or they are no longer only invited */
  function findInvited(userId: string): UserRow | null {
    const { users, keys, linkedUserIds } = directory.snapshot;
    const user = users.get(userId);
    if (user === undefined || user.passwordHash !== null || user.lastSeenAt !== null) return null;
    const isUsed =
      user.disabledAt !== null ||
      linkedUserIds.has(userId) ||
      [...keys.values()].some((key) => key.userId === userId);
    return isUsed ? null : user;
  }

  return {
    list(reader) {
      if (!readsAll(reader.role)) return [];
      return [...directory.snapshot.users.values()]
        .filter(({ id }) => findInvited(id) !== null)
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        .map(invitationOf);
    },
    async invite(actor, settings) {
      const created = await createUser(deps, actor, settings);
      return created.failures === null ? send(actor, created.value, 'invitation.created') : created;
    },
    async resend(actor, userId) {
      if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
      const user = findInvited(userId);
      return user === null ? refusedWith(notFound('invitation')) : send(actor, user, 'invitation.resent');
    },
    async revoke(actor, userId) {
      if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
      const user = findInvited(userId);
      if (user === null) return refusedWith(notFound('invitation'));
      const details = { email: user.email };
      const event = auditEvent(clock, 'invitation.revoked', actor, { userId, details });
      try {
        if (!(await store.deleteInvitedUser(userId, event))) return refusedWith(notFound('invitation'));
      } catch (error) {
        if (error instanceof ConflictError) return refusedWith(CHANGED_MEANWHILE);
        throw error;
      }
      await directory.refresh();
      onAudit(event);
      return succeeded(null);
    },
  };
}
