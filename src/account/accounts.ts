import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import type { Clock } from '../base/time.ts';
import type { KeyRow, Principal, UserRow } from '../domain/account.ts';
import { EFFORT_UNIT } from '../domain/cost.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { AccountStore } from '../ports/store.ts';
import type { AccountResult, Actor, AuditEvent } from './account-actions.ts';
import type { AuthenticationFailure, Caller, SessionCaller } from './account-directory.ts';
import { AccountDirectory } from './account-directory.ts';
import { findCaller, findSession } from './authenticate.ts';
import { ensureFirstUser, type FirstUser, type FirstUserOptions } from './first-user.ts';
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
import { createPasswordHasher } from './passwords.ts';
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS, SessionActivityTracker } from './session-activity.ts';
import { createLoginSessions, type LoginSessions } from './sessions.ts';
import { UsageTracker } from './usage.ts';
import { createUser, findUser, listUsers, type NewUser, type UserSettings, updateUser } from './users.ts';

/**
 * Users, keys and sessions, for HTTP, the command line and the dashboard alike. What changes something rejects with
 * StorageError when the store fails, and is in force in this process when it resolves.
 */
export interface Accounts {
  /**
   * Whose key is this? The first of two steps; `authorise` is the second. Marks the key as used.
   * @param authorization the header as it came; undefined: there is none
   */
  authenticate(authorization: string | undefined): Caller | AuthenticationFailure;
  /** The same for the token of a session. */
  authenticateSession(token: string): SessionCaller | AuthenticationFailure;
  /** Resolves when keys and sessions that other processes have made until now are known. Never rejects. */
  catchUp(): Promise<void>;
  readonly sessions: LoginSessions;
  /** Counts one scrape of the key: null, or `budget.exhausted`. */
  reserveBudget(principal: Principal): Failure | null;
  /** Adds what a scrape has cost, in micro-units; null: it is not known, and does not count. */
  spend(principal: Principal, cost: MicroUnits | null): void;
  /** Takes the count back: what was refused afterwards was no scrape. */
  releaseBudget(principal: Principal): void;
  ensureFirstUser(ask: FirstUserOptions): Promise<FirstUser>;
  createUser(actor: Actor, ask: NewUser): Promise<AccountResult<UserRow>>;
  updateUser(actor: Actor, id: string, change: Partial<UserSettings>): Promise<AccountResult<UserRow>>;
  listUsers(actor: Actor): readonly UserRow[];
  findUser(actor: Actor, idOrEmail: string): UserRow | null;
  /** Last use of any session, ms since the epoch, to a minute; null: never. */
  lastSeenAt(user: UserRow): number | null;
  createKey(actor: Actor, ask: NewKey): Promise<AccountResult<CreatedKey>>;
  updateKey(actor: Actor, id: string, change: Partial<KeySettings>): Promise<AccountResult<KeyRow>>;
  /** False when there was no such key, or it was revoked before. */
  revokeKey(actor: Actor, id: string): Promise<boolean>;
  rotateKey(actor: Actor, id: string, overlapHours: number): Promise<AccountResult<CreatedKey>>;
  /** @param userId null: of everybody the actor may see */
  listKeys(actor: Actor, userId: string | null): readonly KeyRow[];
  findKey(actor: Actor, id: string): KeyRow | null;
  /** Scrapes with the key since 00:00 UTC. */
  requestsToday(keyId: string): number;
  /** What they cost, in the operator's currency. */
  costToday(keyId: string): number;
  /** Writes last uses and counts now. */
  flush(): Promise<void>;
  /** Deletes sessions and links that have expired, which is done every hour anyway. */
  sweep(): Promise<void>;
  /** Stops the timers and writes what has gathered; the store must still be open. */
  close(): Promise<void>;
}

export interface AccountsOptions {
  readonly store: AccountStore;
  readonly clock: Clock;
  /** Requests in flight of a user who has no number of their own. */
  readonly defaultConcurrency: number;
  /** Of new password hashes: log2 of scrypt's N. */
  readonly passwordCost: number;
  readonly onAudit: (event: AuditEvent) => void;
  /** The operator's currency; null: nothing is priced. */
  readonly currency: string | null;
}

const FLUSH_MS = 2000;
const SWEEP_MS = 3_600_000;
/** Soon after the start too, for a service that seldom runs for an hour; commands have ended by then. */
const FIRST_SWEEP_MS = 60_000;

/** Reads all users, keys and sessions. Rejects with StorageError. The caller closes it. */
export async function createAccounts(options: AccountsOptions): Promise<Accounts> {
  const { store, clock } = options;
  const usage = new UsageTracker(store, clock);
  const seen = new SessionActivityTracker(store, clock);
  const directory = new AccountDirectory(store, {
    defaultConcurrency: options.defaultConcurrency,
    usage,
    seen,
  });
  await Promise.all([usage.load(), directory.refresh()]);
  directory.startPolling();
  // A failed flush keeps everything for the next one.
  const flushing = setInterval(() => {
    usage.flush().catch(() => {});
    seen.flush().catch(() => {});
  }, FLUSH_MS).unref();
  // Nothing hangs on it: what has expired is refused whether it is there or not.
  const sweeping = [
    setInterval(() => void sweep().catch(() => {}), SWEEP_MS).unref(),
    setTimeout(() => void sweep().catch(() => {}), FIRST_SWEEP_MS).unref(),
  ];
  const { onAudit, currency } = options;
  const passwords = createPasswordHasher(options.passwordCost);
  const deps = { store, clock, directory, seen, passwords, onAudit, priced: currency !== null };

  async function sweep(): Promise<void> {
    const now = clock.now();
    await store.sweepSessions({
      now,
      createdBefore: now - SESSION_MAX_AGE_MS,
      seenBefore: now - SESSION_IDLE_MS,
    });
    // Also, copies learn when other processes last saw a session.
    await directory.refresh();
  }

  const withLastUse = (row: KeyRow): KeyRow => {
    const at = usage.of(row.id).lastUsedAt;
    return at !== null && at > (row.lastUsedAt ?? 0) ? { ...row, lastUsedAt: at } : row;
  };

  return {
    authenticate(authorization) {
      const found = findCaller(directory.snapshot, authorization, clock.now());
      if (found.failure === null) usage.touch(found.usage);
      return found;
    },
    authenticateSession(token) {
      const found = findSession(directory.snapshot, token, clock.now());
      if (found.failure === null) seen.touch(found.seen);
      return found;
    },
    catchUp: () => directory.catchUp(),
    sessions: createLoginSessions(deps),
    reserveBudget({ keyId, dailyBudget }) {
      if (keyId === null) return null;
      const { unit, amount } = dailyBudget ?? { unit: null, amount: 0 };
      const key = usage.of(keyId);
      const hasLeft = unit !== 'cost' || usage.hasBudgetLeft(key, Math.round(amount * 1_000_000));
      if (hasLeft && usage.countScrape(key, unit === 'scrapes' ? amount : null)) return null;
      const budget = `${amount} ${unit === 'scrapes' ? 'scrapes' : (currency ?? EFFORT_UNIT)}`;
      return failure(
        'budget.exhausted',
        `The daily budget of this key, ${budget}, is used up; it starts again at 00:00 UTC.`,
      );
    },
    spend({ keyId }, cost) {
      if (keyId !== null && cost !== null && cost > 0) usage.spend(usage.of(keyId), cost);
    },
    releaseBudget({ keyId }) {
      if (keyId !== null) usage.uncountScrape(usage.of(keyId));
    },
    ensureFirstUser: (ask) => ensureFirstUser(deps, ask),
    createUser: (actor, ask) => createUser(deps, actor, ask),
    updateUser: (actor, id, change) => updateUser(deps, actor, id, change),
    listUsers: (actor) => listUsers(deps, actor),
    findUser: (actor, idOrEmail) => findUser(deps, actor, idOrEmail),
    lastSeenAt(user) {
      const latest = Math.max(user.lastSeenAt ?? 0, seen.latest(user.id) ?? 0);
      return latest === 0 ? null : latest;
    },
    createKey: (actor, ask) => createKey(deps, actor, ask),
    updateKey: (actor, id, change) => updateKey(deps, actor, id, change),
    revokeKey: (actor, id) => revokeKey(deps, actor, id),
    rotateKey: (actor, id, overlapHours) => rotateKey(deps, actor, id, overlapHours),
    listKeys: (actor, userId) => listKeys(deps, actor, userId).map(withLastUse),
    findKey(actor, id) {
      const row = findKey(deps, actor, id);
      return row === null ? null : withLastUse(row);
    },
    requestsToday: (keyId) => usage.scrapesToday(keyId),
    costToday: (keyId) => microToCurrency(usage.costToday(keyId)),
    async flush() {
      await usage.flush();
      await seen.flush();
    },
    sweep,
    async close() {
      clearInterval(flushing);
      for (const timer of sweeping) clearTimeout(timer);
      await directory.close();
      await usage.flush().finally(() => usage.flush());
      await seen.flush().finally(() => seen.flush());
    },
  };
}
