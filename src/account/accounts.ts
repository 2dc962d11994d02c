import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import type { Clock } from '../base/time.ts';
import type { KeyRow, Principal, UserRow } from '../domain/account.ts';
import type { AuditEvent } from '../domain/audit.ts';
import { EFFORT_UNIT } from '../domain/cost.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Sealer } from '../domain/sealing.ts';
import { USER_LIMITS, type UserLimits } from '../domain/user-limits.ts';
import type { AuditStore } from '../ports/audit.ts';
import type { SharedCounters, SharedValues } from '../ports/coordination.ts';
import type { AccountStore } from '../ports/store.ts';
import { type AccountResult, type Actor, auditEvent, type Reader } from './account-actions.ts';
import type { ActiveKey, ActiveSession, AuthenticationFailure } from './account-directory.ts';
import { AccountDirectory } from './account-directory.ts';
import { findKeyByAuthorization, findSession } from './authenticate.ts';
import { ensureFirstUser, type FirstUser, type FirstUserOptions } from './first-user.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import type { KeySettings } from './key-settings.ts';
import {
  type CreatedKey,
  createKey,
  findKey,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  updateKey,
} from './keys.ts';
import {
  createOpenIdSignIn,
  type OpenIdOptions,
  type OpenIdSignIn,
  removeIdentities,
} from './open-id-sign-in.ts';
import { createPasswordHasher } from './passwords.ts';
import {
  EXPIRED_LINK_MS,
  SESSION_IDLE_MS,
  SESSION_MAX_AGE_MS,
  SessionActivityTracker,
} from './session-activity.ts';
import { createLoginSessions, type LoginSessions } from './sessions.ts';
import { SharedBudgets } from './shared-budgets.ts';
import { UsageTracker } from './usage.ts';
import { createUser, findUser, listUsers, type NewUser, type UserSettings, updateUser } from './users.ts';

/**
 * Users, keys and sessions, for HTTP, the command line and the dashboard. Methods that change something reject with
 * StorageError if the store fails. When they resolve, the change is in effect in this process.
 */
export interface Accounts {
  /**
   * Finds the key and its user, and marks the key as used. This is the first of two steps; the second is `authorise` of
   * authenticate.ts.
   * @param authorization the header field; undefined: there is none
   */
  authenticate(authorization: string | undefined): ActiveKey | AuthenticationFailure;
  /** Like `authenticate`, for the token of a session. */
  authenticateSession(token: string): ActiveSession | AuthenticationFailure;
  /**
   * Whether keys and sessions that other replicas ended more than a second ago are known to have ended. If not, `catchUp` must be
   * awaited before a caller is admitted. Always true if there are no other replicas.
   */
  isCurrent(): boolean;
  /**
   * Resolves when all changes by other processes so far are known. Never rejects.
   * @returns false: the store has failed, or has not answered within a second
   */
  catchUp(): Promise<boolean>;
  readonly sessions: LoginSessions;
  readonly invitations: Invitations;
  /** null: the operator has set no provider. */
  readonly openId: OpenIdSignIn | null;
  /** Unlinks a user from the OpenID provider. */
  removeIdentities(actor: Actor, userId: string): Promise<AccountResult<null>>;
  /** Whether the user signs in by the OpenID provider. */
  hasIdentity(userId: string): boolean;
  /**
   * The caller of a job's scrapes: the user, with the rights of the key.
   * @param keyId null: the rights of the user's session
   * @returns `key`: it was revoked or has expired; `user`: disabled, or a viewer
   */
  jobPrincipal(userId: string, keyId: string | null): Principal | 'key' | 'user';
  /** The same, after reading what other processes have changed if the key or the user would be refused. */
  currentJobPrincipal(userId: string, keyId: string | null): Promise<Principal | 'key' | 'user'>;
  /** Items of a user's jobs that may run at once. */
  jobConcurrency(userId: string): number;
  /** The limits of the user; the defaults if there is none. */
  limits(userId: string): UserLimits;
  /**
   * Counts one scrape of the key. Rejects with StorageError if the counters that replicas share fail.
   * @returns `budget.exhausted`, or null if the budget allows the scrape
   */
  reserveBudget(principal: Principal): Promise<Failure | null>;
  /** `budget.exhausted` if nothing is left of the daily budget; otherwise null. Counts nothing. */
  budgetLeft(principal: Principal): Promise<Failure | null>;
  /** Adds the cost of a scrape. @param cost null: not known; nothing is added */
  spend(principal: Principal, cost: MicroUnits | null): void;
  /** Undoes `reserveBudget` if the request was refused afterwards. */
  releaseBudget(principal: Principal): void;
  ensureFirstUser(options: FirstUserOptions): Promise<FirstUser>;
  createUser(actor: Actor, settings: NewUser): Promise<AccountResult<UserRow>>;
  updateUser(actor: Actor, id: string, change: Partial<UserSettings>): Promise<AccountResult<UserRow>>;
  listUsers(reader: Reader): readonly UserRow[];
  findUser(reader: Reader, idOrEmail: string): UserRow | null;
  /** Last use of any session in ms since the epoch, accurate to a minute; null: never. */
  lastSeenAt(user: UserRow): number | null;
  createKey(actor: Actor, settings: NewKey): Promise<AccountResult<CreatedKey>>;
  updateKey(actor: Actor, id: string, change: Partial<KeySettings>): Promise<AccountResult<KeyRow>>;
  /** @returns false: there is no such key, or it has been revoked before */
  revokeKey(actor: Actor, id: string): Promise<boolean>;
  rotateKey(actor: Actor, id: string, overlapHours: number): Promise<AccountResult<CreatedKey>>;
  /** @param userId null: all users that the reader may see */
  listKeys(reader: Reader, userId: string | null): readonly KeyRow[];
  findKey(reader: Reader, id: string): KeyRow | null;
  /** Writes an event that concerns no account, such as a change of a setting. */
  audit(actor: Actor, event: Pick<AuditEvent, 'action' | 'target' | 'details'>): Promise<void>;
  /** Number of scrapes with the key since 00:00 UTC. */
  requestsToday(keyId: string): number;
  /** Cost of the scrapes with the key since 00:00 UTC, in the operator's currency. */
  costToday(keyId: string): number;
  /** Stores last uses and counts now. */
  flush(): Promise<void>;
  /** Deletes expired sessions and set-up links, and old events of the audit log. This also happens every hour. */
  sweep(): Promise<void>;
  /** Stops the timers and stores last uses and counts. The store must still be open. */
  close(): Promise<void>;
}

export interface AccountsOptions {
  readonly store: AccountStore;
  readonly audit: AuditStore;
  readonly clock: Clock;
  /** Limit of requests in flight for users without a limit of their own. */
  readonly defaultConcurrency: number;
  /** Cost of new password hashes: log2 of scrypt's N. */
  readonly passwordCost: number;
  readonly onAudit: (event: AuditEvent) => void;
  /** Opened when it is needed for the first time. */
  readonly sealer: () => Promise<Sealer>;
  /** The operator's currency; null: no prices are configured. */
  readonly currency: () => string | null;
  /** Sign-in by OpenID Connect; null: the operator has set no provider. */
  readonly openId: OpenIdOptions | null;
  /** Of the throttle of sign-in. */
  readonly values: SharedValues;
  /** Of daily budgets; null: this process alone counts. */
  readonly counters: SharedCounters | null;
}

/** So that a revoked key ends on all replicas within a second, also if the database answers late. */
const MAX_AGE_MS = 900;
const FLUSH_INTERVAL_MS = 2000;
const SWEEP_INTERVAL_MS = 3_600_000;
/** The first sweep is early, for services that rarely run for an hour, but too late for the short runs of the command line. */
const FIRST_SWEEP_MS = 60_000;

/** How long the audit log is kept (400 days), and how many events it holds. */
const AUDIT_MS = 400 * 86_400_000;
const MAX_AUDIT_EVENTS = 500_000;

/** Reads all users, keys and sessions. Rejects with StorageError. The result must be closed. */
export async function createAccounts(options: AccountsOptions): Promise<Accounts> {
  const { store, clock } = options;
  const usage = new UsageTracker(store, clock);
  const activity = new SessionActivityTracker(store, clock);
  const directory = new AccountDirectory(store, {
    defaultConcurrency: options.defaultConcurrency,
    usage,
    activity,
  });
  await Promise.all([usage.load(), directory.refresh()]);
  directory.startPolling();
  // If a flush fails, the next one stores everything.
  const flushing = setInterval(() => {
    usage.flush().catch(() => {});
    activity.flush().catch(() => {});
  }, FLUSH_INTERVAL_MS).unref();
  // Errors do not matter: expired sessions and set-up links are refused, even if they are still stored.
  const sweeping = [
    setInterval(() => void sweep().catch(() => {}), SWEEP_INTERVAL_MS).unref(),
    setTimeout(() => void sweep().catch(() => {}), FIRST_SWEEP_MS).unref(),
  ];
  const { audit, onAudit, currency, values, counters, openId } = options;
  const shared = counters === null ? null : new SharedBudgets(counters, clock);
  const passwords = createPasswordHasher(options.passwordCost);
  const { sealer } = options;
  const priced = () => currency() !== null;
  const deps = { store, audit, clock, directory, activity, passwords, onAudit, sealer, values, priced };

  async function sweep(): Promise<void> {
    const now = clock.now();
    await store.sweepSessions({
      linksExpiredBy: now - EXPIRED_LINK_MS,
      createdBefore: now - SESSION_MAX_AGE_MS,
      seenBefore: now - SESSION_IDLE_MS,
    });
    await audit.sweep(now - AUDIT_MS, MAX_AUDIT_EVENTS);
    // Polling compares `store.version()`, which does not change with `lastSeenAt`. So it misses the last uses that other
    // processes have seen.
    await directory.refresh();
  }

  const withLastUse = (row: KeyRow): KeyRow => {
    const { lastUsedAt } = usage.forKey(row.id);
    return lastUsedAt !== null && lastUsedAt > (row.lastUsedAt ?? 0) ? { ...row, lastUsedAt } : row;
  };

  async function reserveBudget({ keyId, dailyBudget }: Principal): Promise<Failure | null> {
    if (keyId === null) return null;
    const { unit, amount } = dailyBudget ?? { unit: null, amount: 0 };
    const keyUsage = usage.forKey(keyId);
    const limitInMicroUnits = Math.round(amount * 1_000_000);
    const hasCostLeft = unit !== 'cost' || usage.hasCostLeft(keyUsage, limitInMicroUnits);
    const isLeft =
      hasCostLeft &&
      (shared === null || dailyBudget === null || (await shared.reserve(keyId, dailyBudget))) &&
      usage.countScrape(keyUsage, unit === 'scrapes' ? amount : null);
    if (isLeft) return null;
    const budget = `${amount} ${unit === 'scrapes' ? 'scrapes' : (currency() ?? EFFORT_UNIT)}`;
    return failure(
      'budget.exhausted',
      `The daily budget of this key, ${budget}, is used up; it starts again at 00:00 UTC.`,
    );
  }

  const limits = (userId: string): UserLimits => ({
    ...USER_LIMITS,
    ...directory.snapshot.users.get(userId)?.limits,
  });

  function releaseBudget({ keyId, dailyBudget }: Principal): void {
    if (keyId === null) return;
    usage.uncountScrape(usage.forKey(keyId));
    if (dailyBudget !== null) shared?.release(keyId, dailyBudget);
  }

  return {
    authenticate(authorization) {
      const found = findKeyByAuthorization(directory.snapshot, authorization, clock.now());
      if (found.failure === null) usage.touch(found.usage);
      return found;
    },
    authenticateSession(token) {
      const found = findSession(directory.snapshot, token, clock.now());
      if (found.failure === null) activity.touch(found.activity);
      return found;
    },
    isCurrent: () => counters === null || directory.age <= MAX_AGE_MS,
    catchUp: () => directory.catchUp(),
    jobPrincipal: (userId, keyId) => directory.jobPrincipal(userId, keyId, clock.now()),
    async currentJobPrincipal(userId, keyId) {
      const known = directory.jobPrincipal(userId, keyId, clock.now());
      if (typeof known !== 'string') return known;
      await directory.catchUp();
      return directory.jobPrincipal(userId, keyId, clock.now());
    },
    jobConcurrency: (userId) => limits(userId).job_concurrency,
    limits,
    sessions: createLoginSessions(deps),
    invitations: createInvitations(deps),
    openId: openId === null ? null : createOpenIdSignIn(deps, openId),
    removeIdentities: (actor, userId) => removeIdentities(deps, actor, userId),
    hasIdentity: (userId) => directory.snapshot.linkedUserIds.has(userId),
    reserveBudget,
    async budgetLeft(principal) {
      const exhausted = await reserveBudget(principal);
      if (exhausted === null) releaseBudget(principal);
      return exhausted;
    },
    spend({ keyId, dailyBudget }, cost) {
      if (keyId === null || cost === null || cost <= 0) return;
      usage.spend(usage.forKey(keyId), cost);
      if (dailyBudget?.unit === 'cost') shared?.spend(keyId, cost);
    },
    releaseBudget,
    ensureFirstUser: (options) => ensureFirstUser(deps, options),
    createUser: (actor, settings) => createUser(deps, actor, settings),
    updateUser: (actor, id, change) => updateUser(deps, actor, id, change),
    listUsers: (actor) => listUsers(deps, actor),
    findUser: (actor, idOrEmail) => findUser(deps, actor, idOrEmail),
    lastSeenAt(user) {
      const latest = Math.max(user.lastSeenAt ?? 0, activity.latest(user.id) ?? 0);
      return latest === 0 ? null : latest;
    },
    createKey: (actor, settings) => createKey(deps, actor, settings),
    updateKey: (actor, id, change) => updateKey(deps, actor, id, change),
    revokeKey: (actor, id) => revokeKey(deps, actor, id),
    rotateKey: (actor, id, overlapHours) => rotateKey(deps, actor, id, overlapHours),
    listKeys: (actor, userId) => listKeys(deps, actor, userId).map(withLastUse),
    findKey(actor, id) {
      const row = findKey(deps, actor, id);
      return row === null ? null : withLastUse(row);
    },
    async audit(actor, { action, target, details }) {
      const event = auditEvent(clock, action, actor, { userId: null, target, details });
      await audit.append(event);
      onAudit(event);
    },
    requestsToday: (keyId) => usage.scrapesToday(keyId),
    costToday: (keyId) => microToCurrency(usage.costToday(keyId)),
    async flush() {
      await usage.flush();
      await activity.flush();
    },
    sweep,
    async close() {
      clearInterval(flushing);
      for (const timer of sweeping) clearTimeout(timer);
      await directory.close();
      // The first call joins a flush that is running already. The second stores what was counted after that one began.
      await usage.flush().finally(() => usage.flush());
      await activity.flush().finally(() => activity.flush());
    },
  };
}
