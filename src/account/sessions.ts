import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { SessionRow, UserRow } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { SharedValues } from '../ports/coordination.ts';
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
import { type AccountDirectory, type ActiveSession, hashAsMapKey } from './account-directory.ts';
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

interface SessionDeps {
  readonly store: AccountStore;
  readonly directory: AccountDirectory;
  readonly clock: Clock;
  readonly activity: SessionActivityTracker;
  readonly passwords: PasswordHasher;
  readonly onAudit: (event: AuditEvent) => void;
  /** Of the throttle. */
  readonly values: SharedValues;
}

/** Protection against guessing of passwords. */
interface PasswordGuard {
  readonly throttle: LoginThrottle;
  readonly semaphore: BoundedSemaphore;
}

export interface ClientInfo {
  readonly ip: string;
  readonly userAgent: string | null;
}

interface SignInRequest extends ClientInfo {
  readonly email: string;
  readonly password: string;
}

export interface NewSession {
  /** Only its hash is stored. */
  readonly token: string;
  readonly activeSession: ActiveSession;
}

const WRONG_CREDENTIALS = failure('auth.invalid', 'E-mail or password is wrong.');
const MAX_USER_AGENT_LENGTH = 300;
/** The advised pause if too many sign-ins are waiting. */
const BUSY_RETRY_MS = 2_000;
/** The advised pause if a new password cannot be hashed because too many sign-ins are waiting. */
const HASH_RETRY_MS = 1_000;

/** A wrong e-mail and a wrong password give the same message after the same time: nobody can find out which users exist. */
async function signIn(
  deps: SessionDeps,
  guard: PasswordGuard,
  request: SignInRequest,
): Promise<AccountResult<NewSession>> {
  const user = userByEmail(deps.directory.snapshot.users, request.email);
  const attempt = loginAttempt(deps, user, request.email, request.ip);
  const pauseMs = await guard.throttle.begin(attempt);
  if (pauseMs > 0) return refusedWith(tooManyAttempts(pauseMs));
  const check = await guard.semaphore.run(() =>
    deps.passwords.verify(request.password, user?.passwordHash ?? null),
  );
  // Too many sign-ins are waiting.
  if (check === null) {
    await guard.throttle.withdraw(attempt);
    return refusedWith(tooManyAttempts(BUSY_RETRY_MS));
  }
  const stored = user?.passwordHash ?? null;
  if (user === null || stored === null || !check.matches || user.disabledAt !== null) {
    await guard.throttle.recordFailure(attempt);
    auditSession(deps, 'session.refused', user, request.ip);
    return refusedWith(WRONG_CREDENTIALS);
  }
  const hash = check.needsRehash ? await rehashPassword(deps, user, stored, request.password) : stored;
  const signedIn = await beginSession(deps, user, hash, request);
  // While the password was verified, another one was set or the user was disabled.
  if (signedIn === null) return refusedWith(WRONG_CREDENTIALS);
  await guard.throttle.recordSuccess(attempt);
  return succeeded(signedIn);
}

/** @returns null: the user was disabled, or now has another password */
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
  const activeSession = deps.directory.snapshot.sessions.get(hashAsMapKey(hash));
  if (activeSession === undefined) return null;
  auditSession(deps, 'session.created', user, ip);
  return { token: text, activeSession };
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

function tooManyAttempts(pauseMs: number): Failure {
  const seconds = Math.ceil(pauseMs / 1000);
  return failure('limit.sign_in', `Too many attempts to sign in; try again in ${seconds} s.`, {
    details: { retry_after_s: seconds },
  });
}

/** Hashes a password with the current parameters. Sessions stay, because the password is the same. */
async function rehashPassword(
  { store, passwords }: SessionDeps,
  user: UserRow,
  stored: string,
  password: string,
): Promise<string> {
  const passwordHash = await passwords.hash(password);
  const revocations = undefined;
  const precondition = { passwordHash: stored };
  const updated = await store.updateUser(user.id, { passwordHash }, revocations, precondition);
  return updated ? passwordHash : stored;
}

/** Records an action by a person who signs in or is signed in. @param user null: unknown */
function auditSession(
  { onAudit }: SessionDeps,
  action: AuditEvent['action'],
  user: UserRow | null,
  ip: string,
): void {
  const userId = user?.id ?? null;
  onAudit({ action, actorUserId: userId, actorKeyId: null, userId, keyId: null, changed: [], ip });
}

interface CreatedSetUpLink {
  /** Only its hash is stored. */
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

/** Creates a link that sets the password of a user. An earlier link of the user becomes invalid. For administrators. */
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
  const link = directory.snapshot.links.get(hashAsMapKey(hashToken(token)));
  const user = link === undefined ? undefined : directory.snapshot.users.get(link.userId);
  if (link === undefined || user === undefined || link.expiresAt <= clock.now())
    return refusedWith(INVALID_LINK);
  if (user.disabledAt !== null) return refusedWith(USER_DISABLED);
  return succeeded({ user, expiresAt: link.expiresAt });
}

/** Sets the password and signs in. If the password is refused, the link stays valid. */
async function setUp(
  deps: SessionDeps,
  guard: PasswordGuard,
  request: SetUpRequest,
): Promise<AccountResult<NewSession>> {
  const found = findLink(deps, request.token);
  if (found.failures !== null) return refusedWith(...found.failures);
  const { user } = found.value;
  const problems = passwordProblems('/password', request.password);
  if (problems.length > 0) return refusedWith(...problems);
  const passwordHash = await guard.semaphore.run(() => deps.passwords.hash(request.password));
  if (passwordHash === null) return refusedWith(tooManyAttempts(HASH_RETRY_MS));
  // The link is used up here: of two concurrent requests, one succeeds.
  const userId = await deps.store.useSetUpLink(hashToken(request.token), deps.clock.now(), passwordHash);
  if (userId === null) return refusedWith(INVALID_LINK);
  auditSession(deps, 'link.used', user, request.ip);
  const signedIn = await beginSession(deps, user, passwordHash, request);
  if (signedIn === null) return refusedWith(INVALID_LINK);
  await guard.throttle.recordSuccess(loginAttempt(deps, user, user.email, request.ip));
  return succeeded(signedIn);
}

interface ChangePasswordRequest {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly ip: string;
}

/** Requires the current password, because somebody else may have found the dashboard left open. */
async function changePassword(
  deps: SessionDeps,
  guard: PasswordGuard,
  { session }: ActiveSession,
  request: ChangePasswordRequest,
): Promise<AccountResult<null>> {
  const user = deps.directory.snapshot.users.get(session.userId);
  if (user === undefined || user.passwordHash === null) return refusedWith(notFound('user'));
  const { passwordHash: stored } = user;
  const problems = passwordProblems('/new_password', request.newPassword);
  if (problems.length > 0) return refusedWith(...problems);
  // The user is signed in, although perhaps from another address.
  const attempt = { ...loginAttempt(deps, user, user.email, request.ip), known: true };
  const pauseMs = await guard.throttle.begin(attempt);
  if (pauseMs > 0) return refusedWith(tooManyAttempts(pauseMs));
  // null: too many sign-ins are waiting; false: the current password is wrong.
  const passwordHash = await guard.semaphore.run(async () => {
    const { matches } = await deps.passwords.verify(request.currentPassword, stored);
    return matches ? await deps.passwords.hash(request.newPassword) : false;
  });
  if (passwordHash === null) {
    await guard.throttle.withdraw(attempt);
    return refusedWith(tooManyAttempts(HASH_RETRY_MS));
  }
  if (passwordHash === false) {
    await guard.throttle.recordFailure(attempt);
    return refusedWith(invalid('/current_password', 'The current password is wrong.'));
  }
  await guard.throttle.recordSuccess(attempt);
  // While the password was verified, another one may have been set, which ended the session.
  const precondition = { passwordHash: stored, session: session.id };
  const changed = await deps.store.updateUser(
    user.id,
    { passwordHash },
    { exceptSessionId: session.id },
    precondition,
  );
  await deps.directory.refresh();
  if (!changed)
    return refusedWith(failure('auth.invalid', 'The session has ended, or the password was changed.'));
  auditSession(deps, 'password.changed', user, request.ip);
  return succeeded(null);
}

/** Sessions of the dashboard, and the links that set passwords. The same guarantees as `Accounts`. */
export interface LoginSessions {
  /** Fails with `auth.invalid` (e-mail, password, disabled user) or `limit.sign_in`. */
  signIn(request: SignInRequest): Promise<AccountResult<NewSession>>;
  /** The sessions of the user, the last used first. */
  list(userId: string): readonly ActiveSession[];
  /** Ends one of the user's sessions. @returns false: there is no such session */
  end(actor: Actor, userId: string, id: string): Promise<boolean>;
  /** Ends all sessions of the user except this one. */
  endOthers(actor: Actor, userId: string, id: string): Promise<void>;
  /** Also ends all other sessions of the user. */
  changePassword(current: ActiveSession, request: ChangePasswordRequest): Promise<AccountResult<null>>;
  createLink(actor: Actor, userId: string): Promise<AccountResult<CreatedSetUpLink>>;
  /** The user of a valid link; otherwise `auth.invalid` or `auth.disabled`. */
  findLink(token: string): AccountResult<{ readonly user: UserRow; readonly expiresAt: number }>;
  setUp(request: SetUpRequest): Promise<AccountResult<NewSession>>;
}

/** Hashing takes a processor core and 32 MiB for a quarter of a second. The other cores stay free for scrapes. */
const MAX_HASHING = 1;
const MAX_WAITING = 20;

export function createLoginSessions(deps: SessionDeps): LoginSessions {
  const guard: PasswordGuard = {
    throttle: new LoginThrottle(deps.values),
    semaphore: new BoundedSemaphore(MAX_HASHING, MAX_WAITING),
  };
  return {
    signIn: (request) => signIn(deps, guard, request),
    list: (userId) => listSessions(deps, userId),
    async end(actor, userId, id) {
      return (await endSessions(deps, actor, userId, 'only', id)) > 0;
    },
    async endOthers(actor, userId, id) {
      await endSessions(deps, actor, userId, 'allExcept', id);
    },
    changePassword: (current, request) => changePassword(deps, guard, current, request),
    createLink: (actor, userId) => createLink(deps, actor, userId),
    findLink: (token) => findLink(deps, token),
    setUp: (request) => setUp(deps, guard, request),
  };
}

function listSessions({ directory, clock }: SessionDeps, userId: string): readonly ActiveSession[] {
  const now = clock.now();
  return [...directory.snapshot.sessions.values()]
    .filter(
      ({ session, activity }) =>
        session.userId === userId && sessionExpiry(session.createdAt, activity.lastSeenAt) > now,
    )
    .sort((a, b) => b.activity.lastSeenAt - a.activity.lastSeenAt || (a.session.id < b.session.id ? 1 : -1));
}

async function endSessions(
  { store, directory, activity, onAudit }: SessionDeps,
  actor: Actor,
  userId: string,
  which: 'only' | 'allExcept',
  id: string,
): Promise<number> {
  // The last use of a deleted session is lost unless it is stored (as the last use of the user).
  await activity.flush();
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

/** The page on which the user sets a password. The token is in the fragment, which is neither sent nor logged. */
export function setUpUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/set-up#${token}`;
}
