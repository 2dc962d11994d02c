import type { UserRow } from '../domain/account.ts';
import type { AuditAction } from '../domain/audit.ts';
import { failure } from '../domain/failure.ts';
import { ConflictError } from '../ports/store.ts';
import {
  type AccountResult,
  type Actor,
  ADMINS_ONLY,
  auditEvent,
  invalid,
  notFound,
  refusedWith,
  succeeded,
} from './account-actions.ts';
import { hashAsMapKey } from './account-directory.ts';
import { USER_DISABLED } from './authenticate.ts';
import { SET_UP_LINK_MS } from './session-activity.ts';
import { generateToken, hashToken } from './tokens.ts';
import type { UserDeps } from './users.ts';

export interface CreatedSetUpLink {
  /** Only its hash is stored. */
  readonly token: string;
  /** ms since the epoch. */
  readonly expiresAt: number;
}

export const INVALID_LINK = failure(
  'auth.invalid',
  'This link is no longer valid: it was used, has expired, or a newer one was created. Ask for another.',
);

interface LinkKind {
  readonly action: AuditAction;
  readonly lifetimeMs: number;
}

const SET_UP: LinkKind = { action: 'link.created', lifetimeMs: SET_UP_LINK_MS };

/** Creates a link that sets the password of a user. An earlier link of the user becomes invalid. For administrators. */
export async function createLink(
  { store, directory, clock, onAudit }: UserDeps,
  actor: Actor,
  userId: string,
  { action, lifetimeMs }: LinkKind = SET_UP,
): Promise<AccountResult<CreatedSetUpLink>> {
  if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  const user = directory.snapshot.users.get(userId);
  if (user === undefined) return refusedWith(notFound('user'));
  if (user.disabledAt !== null)
    return refusedWith(invalid('', 'The user is disabled; enable the user first.'));
  const { text, hash } = generateToken();
  const createdAt = clock.now();
  const expiresAt = createdAt + lifetimeMs;
  const event = auditEvent(clock, action, actor, { userId, details: { email: user.email } });
  try {
    await store.putSetUpLink({ userId, hash, createdAt, expiresAt }, event);
  } catch (error) {
    // The invitation of the user was revoked at the same time.
    if (error instanceof ConflictError) return refusedWith(notFound('user'));
    throw error;
  }
  await directory.refresh();
  onAudit(event);
  return succeeded({ token: text, expiresAt });
}

export function findLink(
  { directory, clock }: UserDeps,
  token: string,
): AccountResult<{ readonly user: UserRow; readonly expiresAt: number }> {
  const link = directory.snapshot.links.get(hashAsMapKey(hashToken(token)));
  const user = link === undefined ? undefined : directory.snapshot.users.get(link.userId);
  if (link === undefined || user === undefined || link.expiresAt <= clock.now())
    return refusedWith(INVALID_LINK);
  if (user.disabledAt !== null) return refusedWith(USER_DISABLED);
  return succeeded({ user, expiresAt: link.expiresAt });
}

/** The page on which the user sets a password. The token is in the fragment, which is neither sent nor logged. */
export function setUpUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/set-up#${token}`;
}
