import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { SessionRow, UserRow } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { AccountStore } from '../ports/store.ts';
import {
  type AccountResult,
  type Actor,
  ADMINS_ONLY,
  type AuditEvent,
  invalid,
  notFound,
  refusedWith,
  succeeded,
} from './account-actions.ts';
import { type AccountDirectory, hashText, type SessionCaller } from './account-directory.ts';
import { USER_DISABLED } from './authenticate.ts';
import { BoundedSemaphore, type LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { type PasswordHasher, passwordProblems } from './passwords.ts';
import {
  MAX_SESSIONS,
  SET_UP_LINK_MS,
  type SessionActivityTracker,
  sessionExpiry,
} from './session-activity.ts';
import { generateToken, hashToken } from './tokens.ts';
import { emailKey, userByEmail } from './users.ts';

/** What everything about sessions works with. */
interface SessionDeps {
  readonly store: AccountStore;
  readonly directory: AccountDirectory;
  readonly clock: Clock;
  readonly seen: SessionActivityTracker;
  readonly passwords: PasswordHasher;
  readonly onAudit: (event: AuditEvent) => void;
}

/** What stands between passwords and those who guess. */
interface PasswordGuard {
  readonly throttle: LoginThrottle;
  readonly semaphore: BoundedSemaphore;
}

/** Where somebody comes from. */
export interface ClientInfo {
  readonly ip: string;
  readonly userAgent: string | null;
}

interface SignInRequest extends ClientInfo {
  readonly email: string;
  readonly password: string;
}

/** The token is in no other place, and never again. */
export interface NewSession {
  readonly token: string;
  readonly caller: SessionCaller;
}

const WRONG_CREDENTIALS = failure('auth.invalid', 'E-mail or password is wrong.');
const MAX_USER_AGENT_LENGTH = 300;
/** While a crowd waits for its passwords to be compared. */
const BUSY_RETRY_MS = 2_000;

/** Whatever is wrong, the words and the work are the same, so that nobody learns which users there are. */
async function signIn(
  deps: SessionDeps,
  door: PasswordGuard,
  ask: SignInRequest,
): Promise<AccountResult<NewSession>> {
  const user = userByEmail(deps.directory.snapshot.users, ask.email);
  const attempt = loginAttempt(deps, user, ask.email, ask.ip);
  const pauseMs = door.throttle.begin(attempt);
  if (pauseMs > 0) return refusedWith(tooManyAttempts(pauseMs));
  const check = await door.semaphore.run(() =>
    deps.passwords.verify(ask.password, user?.passwordHash ?? null),
  );
  if (check === null) {
    door.throttle.withdraw(attempt);
    return refusedWith(tooManyAttempts(BUSY_RETRY_MS));
  }
  const stored = user?.passwordHash ?? null;
  if (user === null || stored === null || !check.fits || user.disabledAt !== null) {
    door.throttle.recordFailure(attempt);
    auditSession(deps, 'session.refused', user, ask.ip);
    return refusedWith(WRONG_CREDENTIALS);
  }
  const hash = check.outdated ? await rehashPassword(deps, user, stored, ask.password) : stored;
  const signedIn = await beginSession(deps, user, hash, ask);
  // Meanwhile another password was set, or the user was disabled.
  if (signedIn === null) return refusedWith(WRONG_CREDENTIALS);
  door.throttle.recordSuccess(attempt);
  return succeeded(signedIn);
}

/** Null when the user is disabled by now, or has another password than this. */
async function beginSession(
  deps: SessionDeps,
  user: UserRow,
  passwordHash: string,
  { ip, userAgent }: ClientInfo,
): Promise<NewSession | null> {
  const { text, hash } = generateToken();
  const now = deps.clock.now();
  const row: SessionRow = {
    id: uuid7(now),
    userId: user.id,
    hash,
    createdAt: now,
    lastSeenAt: now,
    ip,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  };
  if (!(await deps.store.insertSession(row, passwordHash, MAX_SESSIONS))) return null;
  await deps.directory.refresh();
  const caller = deps.directory.snapshot.sessions.get(hashText(hash));
  if (caller === undefined) return null;
  auditSession(deps, 'session.created', user, ip);
  return { token: text, caller };
}

function loginAttempt(
  { directory }: SessionDeps,
  user: UserRow | null,
  email: string,
  ip: string,
): LoginAttempt {
  let known = false;
  if (user !== null) {
    for (const { session } of directory.snapshot.sessions.values())
      if (session.userId === user.id && session.ip === ip) known = true;
  }
  return { account: emailKey(email), ip, known };
}

/** `details.retry_after_s`: whole seconds. */
function tooManyAttempts(pauseMs: number): Failure {
  const seconds = Math.ceil(pauseMs / 1000);
  return failure('limit.sign_in', `Too many attempts to sign in; try again in ${seconds} s.`, {
    details: { retry_after_s: seconds },
  });
}

/** Today's parameters for a password that was hashed with others. It is the same password: nothing ends. */
async function rehashPassword(
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
function auditSession(
  { onAudit }: SessionDeps,
  action: AuditEvent['action'],
  user: UserRow | null,
  ip: string,
): void {
  const userId = user?.id ?? null;
  onAudit({ action, actorUserId: userId, actorKeyId: null, userId, keyId: null, changed: [], ip });
}

/** The token is in no other place, and never again. */
interface CreatedSetUpLink {
  readonly token: string;
  /** ms since the epoch. */
  readonly expiresAt: number;
}

interface SetUpRequest extends ClientInfo {
  readonly token: string;
  readonly password: string;
}

const INVALID_LINK = failure(
  'auth.invalid',
  'This link is no longer valid: it was used, has expired, or a newer one was created. Ask for another.',
);

/** For an administrator: a link that sets the password of a user; one made before is void. */
async function createLink(
  { store, directory, clock, onAudit }: SessionDeps,
  actor: Actor,
  userId: string,
): Promise<AccountResult<CreatedSetUpLink>> {
  if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  const user = directory.snapshot.users.get(userId);
  if (user === undefined) return refusedWith(notFound('user'));
  if (user.disabledAt !== null)
    return refusedWith(invalid('', 'The user is disabled; enable the user first.'));
  const { text, hash } = generateToken();
  const createdAt = clock.now();
  const expiresAt = createdAt + SET_UP_LINK_MS;
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
  return succeeded({ token: text, expiresAt });
}

function findLink(
  { directory, clock }: SessionDeps,
  token: string,
): AccountResult<{ readonly user: UserRow; readonly expiresAt: number }> {
  const link = directory.snapshot.links.get(hashText(hashToken(token)));
  const user = link === undefined ? undefined : directory.snapshot.users.get(link.userId);
  if (link === undefined || user === undefined || link.expiresAt <= clock.now())
    return refusedWith(INVALID_LINK);
  if (user.disabledAt !== null) return refusedWith(USER_DISABLED);
  return succeeded({ user, expiresAt: link.expiresAt });
}

/** Sets the password and signs in. A password that is refused leaves the link as it is. */
async function setUp(
  deps: SessionDeps,
  door: PasswordGuard,
  ask: SetUpRequest,
): Promise<AccountResult<NewSession>> {
  const found = findLink(deps, ask.token);
  if (found.failures !== null) return refusedWith(...found.failures);
  const { user } = found.value;
  const problems = passwordProblems('/password', ask.password);
  if (problems.length > 0) return refusedWith(...problems);
  const passwordHash = await door.semaphore.run(() => deps.passwords.hash(ask.password));
  if (passwordHash === null) return refusedWith(tooManyAttempts(1_000));
  // Only now it is used up: of two at the same time one comes through.
  const userId = await deps.store.useSetUpLink(hashToken(ask.token), deps.clock.now(), passwordHash);
  if (userId === null) return refusedWith(INVALID_LINK);
  auditSession(deps, 'link.used', user, ask.ip);
  const signedIn = await beginSession(deps, user, passwordHash, ask);
  if (signedIn === null) return refusedWith(INVALID_LINK);
  door.throttle.recordSuccess(loginAttempt(deps, user, user.email, ask.ip));
  return succeeded(signedIn);
}

interface ChangePasswordRequest {
  readonly current: string;
  readonly next: string;
  readonly ip: string;
}

/** The old password once more, for a session may have been left open at somebody else's desk. */
async function changePassword(
  deps: SessionDeps,
  door: PasswordGuard,
  { session }: SessionCaller,
  ask: ChangePasswordRequest,
): Promise<AccountResult<null>> {
  const user = deps.directory.snapshot.users.get(session.userId);
  if (user === undefined || user.passwordHash === null) return refusedWith(notFound('user'));
  const { passwordHash: stored } = user;
  const problems = passwordProblems('/new_password', ask.next);
  if (problems.length > 0) return refusedWith(...problems);
  // Whoever has a session is no stranger, wherever it was begun.
  const attempt = { ...loginAttempt(deps, user, user.email, ask.ip), known: true };
  const pauseMs = door.throttle.begin(attempt);
  if (pauseMs > 0) return refusedWith(tooManyAttempts(pauseMs));
  const made = await door.semaphore.run(async () => {
    const { fits } = await deps.passwords.verify(ask.current, stored);
    return fits ? await deps.passwords.hash(ask.next) : false;
  });
  if (made === null) {
    door.throttle.withdraw(attempt);
    return refusedWith(tooManyAttempts(1_000));
  }
  if (made === false) {
    door.throttle.recordFailure(attempt);
    return refusedWith(invalid('/current_password', 'The current password is wrong.'));
  }
  door.throttle.recordSuccess(attempt);
  // While this waited for its turn another password may have been set, which ended the session.
  const only = { passwordHash: stored, session: session.id };
  const changed = await deps.store.updateUser(
    user.id,
    { passwordHash: made },
    { exceptSessionId: session.id },
    only,
  );
  await deps.directory.refresh();
  if (!changed)
    return refusedWith(failure('auth.invalid', 'The session has ended, or the password was changed.'));
  auditSession(deps, 'password.changed', user, ask.ip);
  return succeeded(null);
}

/** Sessions of the dashboard, and the links that set passwords. Rejections and force as of `Accounts`. */
export interface LoginSessions {
  /** `auth.invalid`, the same whatever was wrong, or `limit.sign_in`. */
  signIn(ask: SignInRequest): Promise<AccountResult<NewSession>>;
  /** Of the user, latest use first. */
  list(userId: string): readonly SessionCaller[];
  /** Ends one of the user's sessions; false when there is none of that id. */
  end(actor: Actor, userId: string, id: string): Promise<boolean>;
  /** Ends all of the user's but this one. */
  endOthers(actor: Actor, userId: string, id: string): Promise<void>;
  /** Null when it is done; all other sessions have ended then. */
  changePassword(caller: SessionCaller, ask: ChangePasswordRequest): Promise<AccountResult<null>>;
  createLink(actor: Actor, userId: string): Promise<AccountResult<CreatedSetUpLink>>;
  /** The user of a link that is good: `auth.invalid` or `auth.disabled` when it is not. */
  findLink(token: string): AccountResult<{ readonly user: UserRow; readonly expiresAt: number }>;
  setUp(ask: SetUpRequest): Promise<AccountResult<NewSession>>;
}

/** Comparing a password takes all of a core, and 32 MiB, for a quarter of a second: the others are for scrapes. */
const MAX_HASHING = 1;
const MAX_WAITING = 20;

export function createLoginSessions(deps: SessionDeps): LoginSessions {
  const door: PasswordGuard = {
    throttle: new LoginThrottle(deps.clock),
    semaphore: new BoundedSemaphore(MAX_HASHING, MAX_WAITING),
  };
  return {
    signIn: (ask) => signIn(deps, door, ask),
    list: (userId) => listSessions(deps, userId),
    async end(actor, userId, id) {
      return (await endSessions(deps, actor, userId, 'only', id)) > 0;
    },
    async endOthers(actor, userId, id) {
      await endSessions(deps, actor, userId, 'allExcept', id);
    },
    changePassword: (caller, ask) => changePassword(deps, door, caller, ask),
    createLink: (actor, userId) => createLink(deps, actor, userId),
    findLink: (token) => findLink(deps, token),
    setUp: (ask) => setUp(deps, door, ask),
  };
}

function listSessions({ directory, clock }: SessionDeps, userId: string): readonly SessionCaller[] {
  const now = clock.now();
  return [...directory.snapshot.sessions.values()]
    .filter(
      ({ session, seen }) => session.userId === userId && sessionExpiry(session.createdAt, seen.at) > now,
    )
    .sort((a, b) => b.seen.at - a.seen.at || (a.session.id < b.session.id ? 1 : -1));
}

async function endSessions(
  { store, directory, seen, onAudit }: SessionDeps,
  actor: Actor,
  userId: string,
  which: 'only' | 'allExcept',
  id: string,
): Promise<number> {
  // When the user was seen last is read from the store once the session is gone.
  await seen.flush();
  const ended = await store.deleteSessions(userId, which, id);
  if (ended === 0) return 0;
  await directory.refresh();
  onAudit({
    action: 'session.ended',
    actorUserId: actor.userId,
    actorKeyId: actor.keyId,
    userId,
    keyId: null,
    changed: which === 'only' ? [id] : ['all but', id],
  });
  return ended;
}

/** The page that takes the new password. A fragment stands in no log, and is sent to nobody. */
export function setUpUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/set-up#${token}`;
}
