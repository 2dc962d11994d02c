import type { UserRow } from '../domain/account.ts';
import { failure } from '../domain/failure.ts';
import type { Actor } from './audit.ts';
import { DISABLED } from './authenticate.ts';
import { hashText } from './caller.ts';
import { adminsOnly, done, invalid, type Managed, notFound, refused } from './managed.ts';
import { passwordProblems } from './password-rule.ts';
import { makeToken, tokenHash } from './secret-token.ts';
import type { Door, SessionDeps } from './session-deps.ts';
import { LINK_MS } from './session-life.ts';
import { attemptOf, beginSession, type SignedIn, tell, tooOften, type Visitor } from './sign-in.ts';

/** The token is in no other place, and never again. */
export interface CreatedLink {
  readonly token: string;
  /** ms since the epoch. */
  readonly expiresAt: number;
}

export interface SetUpAsk extends Visitor {
  readonly token: string;
  readonly password: string;
}

const NOT_GOOD = failure(
  'auth.invalid',
  'This link is no longer valid: it was used, has expired, or a newer one was created. Ask for another.',
);

/** For an administrator: a link that sets the password of a user; one made before is void. */
export async function createLink(
  { store, directory, clock, onAudit }: SessionDeps,
  actor: Actor,
  userId: string,
): Promise<Managed<CreatedLink>> {
  if (actor.role !== 'admin') return refused(adminsOnly);
  const user = directory.snapshot.users.get(userId);
  if (user === undefined) return refused(notFound('user'));
  if (user.disabledAt !== null) return refused(invalid('', 'The user is disabled; enable the user first.'));
  const { text, hash } = makeToken();
  const createdAt = clock.now();
  const expiresAt = createdAt + LINK_MS;
  await store.putSetUpLink({ userId, hash, createdAt, expiresAt });
  await directory.refresh();
  onAudit({
    action: 'link.created',
    actorUserId: actor.userId,
    actorKeyId: actor.keyId,
    userId,
    keyId: null,
    changed: [],
  });
  return done({ token: text, expiresAt });
}

export function findLink(
  { directory, clock }: SessionDeps,
  token: string,
): Managed<{ readonly user: UserRow; readonly expiresAt: number }> {
  const link = directory.snapshot.links.get(hashText(tokenHash(token)));
  const user = link === undefined ? undefined : directory.snapshot.users.get(link.userId);
  if (link === undefined || user === undefined || link.expiresAt <= clock.now()) return refused(NOT_GOOD);
  if (user.disabledAt !== null) return refused(DISABLED);
  return done({ user, expiresAt: link.expiresAt });
}

/** Sets the password and signs in. A password that is refused leaves the link as it is. */
export async function setUp(deps: SessionDeps, door: Door, ask: SetUpAsk): Promise<Managed<SignedIn>> {
  const found = findLink(deps, ask.token);
  if (found.failures !== null) return refused(...found.failures);
  const { user } = found.value;
  const problems = passwordProblems('/password', ask.password);
  if (problems.length > 0) return refused(...problems);
  const passwordHash = await door.turns.run(() => deps.passwords.hash(ask.password));
  if (passwordHash === null) return refused(tooOften(1_000));
  // Only now it is used up: of two at the same time one comes through.
  const userId = await deps.store.useSetUpLink(tokenHash(ask.token), deps.clock.now(), passwordHash);
  if (userId === null) return refused(NOT_GOOD);
  tell(deps, 'link.used', user, ask.ip);
  const signedIn = await beginSession(deps, user, passwordHash, ask);
  if (signedIn === null) return refused(NOT_GOOD);
  door.throttle.succeeded(attemptOf(deps, user, user.email, ask.ip));
  return done(signedIn);
}
