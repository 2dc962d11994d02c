import { uuid7 } from '../base/uuid7.ts';
import type { SessionRow, UserRow } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { AuditEvent } from './audit.ts';
import { hashText, type SessionCaller } from './caller.ts';
import { done, type Managed, refused } from './managed.ts';
import { makeToken } from './secret-token.ts';
import type { Door, SessionDeps } from './session-deps.ts';
import { MOST_SESSIONS } from './session-life.ts';
import type { Attempt } from './throttle.ts';
import { emailKey, userByEmail } from './users.ts';

/** Where somebody comes from. */
export interface Visitor {
  readonly ip: string;
  readonly userAgent: string | null;
}

export interface SignInAsk extends Visitor {
  readonly email: string;
  readonly password: string;
}

/** The token is in no other place, and never again. */
export interface SignedIn {
  readonly token: string;
  readonly caller: SessionCaller;
}

const WRONG = failure('auth.invalid', 'E-mail or password is wrong.');
const MOST_AGENT = 300;
/** While a crowd waits for its passwords to be compared. */
const CROWD_MS = 2_000;

/** Whatever is wrong, the words and the work are the same, so that nobody learns which users there are. */
export async function signIn(deps: SessionDeps, door: Door, ask: SignInAsk): Promise<Managed<SignedIn>> {
  const user = userByEmail(deps.directory.snapshot.users, ask.email);
  const attempt = attemptOf(deps, user, ask.email, ask.ip);
  const pauseMs = door.throttle.begin(attempt);
  if (pauseMs > 0) return refused(tooOften(pauseMs));
  const check = await door.turns.run(() => deps.passwords.verify(ask.password, user?.passwordHash ?? null));
  if (check === null) {
    door.throttle.takeBack(attempt);
    return refused(tooOften(CROWD_MS));
  }
  const stored = user?.passwordHash ?? null;
  if (user === null || stored === null || !check.fits || user.disabledAt !== null) {
    door.throttle.failed(attempt);
    tell(deps, 'session.refused', user, ask.ip);
    return refused(WRONG);
  }
  const hash = check.outdated ? await renewedHash(deps, user, stored, ask.password) : stored;
  const signedIn = await beginSession(deps, user, hash, ask);
  // Meanwhile another password was set, or the user was disabled.
  if (signedIn === null) return refused(WRONG);
  door.throttle.succeeded(attempt);
  return done(signedIn);
}

/** Null when the user is disabled by now, or has another password than this. */
export async function beginSession(
  deps: SessionDeps,
  user: UserRow,
  passwordHash: string,
  { ip, userAgent }: Visitor,
): Promise<SignedIn | null> {
  const { text, hash } = makeToken();
  const now = deps.clock.now();
  const row: SessionRow = {
    id: uuid7(now),
    userId: user.id,
    hash,
    createdAt: now,
    lastSeenAt: now,
    ip,
    userAgent: userAgent?.slice(0, MOST_AGENT) ?? null,
  };
  if (!(await deps.store.insertSession(row, passwordHash, MOST_SESSIONS))) return null;
  await deps.directory.refresh();
  const caller = deps.directory.snapshot.sessions.get(hashText(hash));
  if (caller === undefined) return null;
  tell(deps, 'session.created', user, ip);
  return { token: text, caller };
}

export function attemptOf(
  { directory }: SessionDeps,
  user: UserRow | null,
  email: string,
  ip: string,
): Attempt {
  let known = false;
  if (user !== null) {
    for (const { session } of directory.snapshot.sessions.values())
      if (session.userId === user.id && session.ip === ip) known = true;
  }
  return { account: emailKey(email), ip, known };
}

/** `details.retry_after_s`: whole seconds. */
export function tooOften(pauseMs: number): Failure {
  const seconds = Math.ceil(pauseMs / 1000);
  return failure('limit.sign_in', `Too many attempts to sign in; try again in ${seconds} s.`, {
    details: { retry_after_s: seconds },
  });
}

/** Today's parameters for a password that was hashed with others. It is the same password: nothing ends. */
async function renewedHash(
  { store, passwords }: SessionDeps,
  user: UserRow,
  stored: string,
  password: string,
): Promise<string> {
  const passwordHash = await passwords.hash(password);
  const renewed = await store.updateUser(user.id, { passwordHash }, undefined, { passwordHash: stored });
  return renewed ? passwordHash : stored;
}

/** What a user, or who pretends to be one, did on the way in. */
export function tell(
  { onAudit }: SessionDeps,
  action: AuditEvent['action'],
  user: UserRow | null,
  ip: string,
): void {
  const userId = user?.id ?? null;
  onAudit({ action, actorUserId: userId, actorKeyId: null, userId, keyId: null, changed: [], ip });
}
