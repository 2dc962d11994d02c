import { uuid7 } from '../base/uuid7.ts';
import type { SessionRow, UserRow } from '../domain/account.ts';
import type { AuditEvent } from '../domain/audit.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { AuditStore } from '../ports/audit.ts';
import type { SharedValues } from '../ports/coordination.ts';
import {
  type AccountResult,
  type Actor,
  auditEvent,
  invalid,
  notFound,
  refusedWith,
  succeeded,
} from './account-actions.ts';
import { type ActiveSession, hashAsMapKey } from './account-directory.ts';
import { BoundedSemaphore, type LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { passwordProblems } from './passwords.ts';
import {
  CODE_NEEDED,
  confirmSecondFactor,
  enrolSecondFactor,
  hasSecondFactor,
  type NewSecondFactor,
  removeSecondFactor,
  type SecondFactorDeps,
  useCode,
  WRONG_CODE,
} from './second-factor.ts';
import { MAX_SESSIONS, type SessionActivityTracker, sessionExpiry } from './session-activity.ts';
import { type CreatedSetUpLink, createLink, findLink, INVALID_LINK } from './set-up-links.ts';
import { generateToken, hashToken } from './tokens.ts';
import { emailKey, userByEmail } from './users.ts';

export interface SessionDeps extends SecondFactorDeps {
  readonly audit: AuditStore;
  readonly activity: SessionActivityTracker;
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
  /** Of the second factor. */
  readonly code?: string;
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
    const refused = signInEvent(deps, 'session.refused', user, request.ip);
    await deps.audit.append(refused);
    deps.onAudit(refused);
    return refusedWith(WRONG_CREDENTIALS);
  }
  if (hasSecondFactor(deps, user.id)) {
    const refusal = await checkCode(deps, guard, user, attempt, request);
    if (refusal !== null) return refusedWith(refusal);
  }
  const hash = check.needsRehash ? await rehashPassword(deps, user, stored, request.password) : stored;
  const signedIn = await beginSession(deps, user, hash, request, 'password');
  // While the password was verified, another one was set or the user was disabled.
  if (signedIn === null) return refusedWith(WRONG_CREDENTIALS);
  await guard.throttle.recordSuccess(attempt);
  return succeeded(signedIn);
}

/** The password was right, or a link is. A wrong code counts as a wrong password. */
async function checkCode(
  deps: SessionDeps,
  { throttle }: PasswordGuard,
  user: UserRow,
  attempt: LoginAttempt,
  { code, ip }: { readonly code?: string; readonly ip: string },
): Promise<Failure | null> {
  if (code === undefined || code === '') {
    await throttle.withdraw(attempt);
    return CODE_NEEDED;
  }
  if (await useCode(deps, user, code, ip)) return null;
  await throttle.recordFailure(attempt);
  const event = signInEvent(deps, 'session.refused', user, ip);
  await deps.audit.append(event);
  deps.onAudit(event);
  return WRONG_CODE;
}

/**
 * @param passwordHash what is stored; null: the user has no password
 * @param method how the person signed in, for the audit log
 * @returns null: the user was disabled, or now has another password
 */
export async function beginSession(
  deps: SessionDeps,
  user: UserRow,
  passwordHash: string | null,
  { ip, userAgent }: ClientInfo,
  method: 'password' | 'link' | 'openid_connect',
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
  const event = auditEvent(
    deps.clock,
    'session.created',
    { userId: user.id, keyId: null, address: ip, via: 'sign_in' },
    { userId: user.id, target: { type: 'session', id: row.id }, details: { method } },
  );
  if (!(await deps.store.insertSession(row, passwordHash, MAX_SESSIONS, event))) return null;
  await deps.directory.refresh();
  const activeSession = deps.directory.snapshot.sessions.get(hashAsMapKey(hash));
  if (activeSession === undefined) return null;
  deps.onAudit(event);
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

/** What a person does who is not signed in. @param user null: unknown */
function signInEvent(
  { clock }: SessionDeps,
  action: AuditEvent['action'],
  user: UserRow | null,
  ip: string,
): AuditEvent {
  const userId = user?.id ?? null;
  const details = user === null ? {} : { email: user.email };
  return auditEvent(clock, action, { userId, keyId: null, address: ip, via: 'sign_in' }, { userId, details });
}

interface SetUpRequest extends ClientInfo {
  readonly token: string;
  readonly password: string;
  /** Of the second factor. */
  readonly code?: string;
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
  if (hasSecondFactor(deps, user.id)) {
    // A link replaces the password, but not the second factor.
    const attempt = loginAttempt(deps, user, user.email, request.ip);
    const pauseMs = await guard.throttle.begin(attempt);
    if (pauseMs > 0) return refusedWith(tooManyAttempts(pauseMs));
    const refusal = await checkCode(deps, guard, user, attempt, request);
    if (refusal !== null) return refusedWith(refusal);
  }
  const passwordHash = await guard.semaphore.run(() => deps.passwords.hash(request.password));
  if (passwordHash === null) return refusedWith(tooManyAttempts(HASH_RETRY_MS));
  // The link is used up here: of two concurrent requests, one succeeds.
  const event = signInEvent(deps, 'link.used', user, request.ip);
  const hash = hashToken(request.token);
  const userId = await deps.store.useSetUpLink(hash, deps.clock.now(), passwordHash, event);
  if (userId === null) return refusedWith(INVALID_LINK);
  deps.onAudit(event);
  const signedIn = await beginSession(deps, user, passwordHash, request, 'link');
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
  if (user === undefined) return refusedWith(notFound('user'));
  const { passwordHash: stored } = user;
  if (stored === null)
    return refusedWith(
      invalid('/current_password', 'You have no password. An administrator can send you a link to set one.'),
    );
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
  const actor = { userId: user.id, keyId: null, address: request.ip };
  const event = auditEvent(deps.clock, 'password.changed', actor, { userId: user.id });
  const changed = await deps.store.updateUser(
    user.id,
    { passwordHash },
    { exceptSessionId: session.id },
    precondition,
    event,
  );
  await deps.directory.refresh();
  if (!changed)
    return refusedWith(failure('auth.invalid', 'The session has ended, or the password was changed.'));
  deps.onAudit(event);
  return succeeded(null);
}

/** Checks the password of a person who is signed in, and the code if there is one. Wrong ones are 400 with their pointer. */
async function checkOwnPassword(
  deps: SessionDeps,
  { throttle, semaphore }: PasswordGuard,
  { userId, address }: OwnActor,
  { password, code }: { readonly password: string; readonly code?: string },
): Promise<AccountResult<UserRow>> {
  const user = deps.directory.snapshot.users.get(userId);
  if (user === undefined) return refusedWith(notFound('user'));
  const { passwordHash } = user;
  if (passwordHash === null) return refusedWith(invalid('/password', 'You have no password. Set one first.'));
  const attempt = { ...loginAttempt(deps, user, user.email, address), known: true };
  const pauseMs = await throttle.begin(attempt);
  if (pauseMs > 0) return refusedWith(tooManyAttempts(pauseMs));
  const check = await semaphore.run(() => deps.passwords.verify(password, passwordHash));
  if (check === null) {
    await throttle.withdraw(attempt);
    return refusedWith(tooManyAttempts(BUSY_RETRY_MS));
  }
  const problem = !check.matches
    ? invalid('/password', 'The password is wrong.')
    : code !== undefined && !(await useCode(deps, user, code, address))
      ? invalid('/code', WRONG_CODE.message)
      : null;
  if (problem !== null) {
    await throttle.recordFailure(attempt);
    return refusedWith(problem);
  }
  await throttle.recordSuccess(attempt);
  return succeeded(user);
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
  /** Begins to add an authenticator app, after a check of the password. */
  enrolSecondFactor(
    actor: OwnActor,
    request: { readonly password: string },
  ): Promise<AccountResult<NewSecondFactor>>;
  /** Turns the second factor on. @returns the recovery codes */
  confirmSecondFactor(actor: OwnActor, code: string): Promise<AccountResult<readonly string[]>>;
  /** Turns the second factor off, after a check of password and code. */
  disableSecondFactor(
    actor: OwnActor,
    request: { readonly password: string; readonly code: string },
  ): Promise<AccountResult<null>>;
  /** For administrators. */
  resetSecondFactor(actor: Actor, userId: string): Promise<AccountResult<null>>;
  secondFactor(userId: string): Promise<SecondFactorState>;
  hasSecondFactor(userId: string): boolean;
}

/** A person who acts on their own account in a session. */
export interface OwnActor extends Actor {
  readonly userId: string;
  readonly address: string;
}

interface SecondFactorState {
  /** When it was turned on, ms since the epoch; null: it is off. */
  readonly enabledAt: number | null;
  readonly recoveryCodesLeft: number;
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
    async enrolSecondFactor(actor, request) {
      const checked = await checkOwnPassword(deps, guard, actor, request);
      return checked.failures === null ? enrolSecondFactor(deps, checked.value) : checked;
    },
    confirmSecondFactor: (actor, code) => confirmSecondFactor(deps, actor, code),
    async disableSecondFactor(actor, request) {
      const checked = await checkOwnPassword(deps, guard, actor, request);
      return checked.failures === null ? removeSecondFactor(deps, actor, actor.userId) : checked;
    },
    resetSecondFactor: (actor, userId) => removeSecondFactor(deps, actor, userId),
    async secondFactor(userId) {
      const enabledAt = deps.directory.snapshot.secondFactors.get(userId)?.confirmedAt ?? null;
      return { enabledAt, recoveryCodesLeft: await deps.store.recoveryCodesLeft(userId) };
    },
    hasSecondFactor: (userId) => hasSecondFactor(deps, userId),
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
  { store, directory, clock, activity, onAudit }: SessionDeps,
  actor: Actor,
  userId: string,
  which: 'only' | 'allExcept',
  id: string,
): Promise<number> {
  // The last use of a deleted session is lost unless it is stored (as the last use of the user).
  await activity.flush();
  const about = which === 'only' ? { target: { type: 'session', id } as const } : { details: { kept: id } };
  const event = auditEvent(clock, 'session.ended', actor, { userId, ...about });
  const ended = await store.deleteSessions(userId, which, id, event);
  if (ended === 0) return 0;
  await directory.refresh();
  onAudit(event);
  return ended;
}
