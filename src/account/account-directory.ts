import { type IpRange, parseIpRange } from '../base/ip-range.ts';
import { orTimeout } from '../base/wait.ts';
import {
  type KeyRow,
  type Principal,
  SCOPES,
  type Scope,
  type SessionRow,
  type SetUpLinkRow,
  type UserRow,
} from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';
import type { IdentityRow } from '../ports/identities.ts';
import type { SecondFactorRow } from '../ports/second-factors.ts';
import type { AccountStore } from '../ports/store.ts';
import type { SessionActivity, SessionActivityTracker } from './session-activity.ts';
import type { KeyUsage, UsageTracker } from './usage.ts';

/** A key that is not revoked, with its user. Immutable, apart from `usage`. */
export interface ActiveKey {
  /** Tells the key from an `AuthenticationFailure`. */
  readonly failure: null;
  readonly principal: Principal;
  /** SHA-256 of the key text. */
  readonly hash: Uint8Array;
  /** ms since the epoch; null: never. */
  readonly expiresAt: number | null;
  /** Addresses from which the key may be used; empty: any. */
  readonly ips: readonly IpRange[];
  readonly disabled: boolean;
  readonly usage: KeyUsage;
}

/** A session with its user. It may have expired. */
export interface ActiveSession {
  /** Tells the session from an `AuthenticationFailure`. */
  readonly failure: null;
  readonly principal: Principal;
  readonly session: SessionRow;
  /** The last use. `session.lastSeenAt` may be older: it is not updated after the row was read. */
  readonly activity: SessionActivity;
  /** Always empty: any address. */
  readonly ips: readonly IpRange[];
  readonly disabled: boolean;
}

export interface AuthenticationFailure {
  readonly failure: Failure;
  readonly principal: null;
}

/** All users, keys and sessions, as read from the store. */
export interface AccountSnapshot {
  readonly version: number;
  readonly users: ReadonlyMap<string, UserRow>;
  /** By id, including revoked keys. */
  readonly keys: ReadonlyMap<string, KeyRow>;
  /** By hash (latin1), without revoked keys; may include expired ones. */
  readonly activeKeys: ReadonlyMap<string, ActiveKey>;
  /** By hash (latin1); may include expired ones. */
  readonly sessions: ReadonlyMap<string, ActiveSession>;
  /** Set-up links by hash (latin1); may include expired ones. */
  readonly links: ReadonlyMap<string, SetUpLinkRow>;
  /** By the id of the user. */
  readonly secondFactors: ReadonlyMap<string, SecondFactorRow>;
  /** Accounts at OpenID providers. */
  readonly identities: readonly IdentityRow[];
  /** Ids of the users that have an account at an OpenID provider. */
  readonly linkedUserIds: ReadonlySet<string>;
}

/** The data of a snapshot. */
interface StoredAccounts {
  readonly version: number;
  readonly users: readonly UserRow[];
  readonly keys: readonly KeyRow[];
  readonly sessions: readonly SessionRow[];
  readonly links: readonly SetUpLinkRow[];
  readonly secondFactors: readonly SecondFactorRow[];
  readonly identities: readonly IdentityRow[];
}

/** What all snapshots of a directory share. */
interface SnapshotDeps {
  /** Limit of requests in flight for users without a limit of their own. */
  readonly defaultConcurrency: number;
  readonly usage: UsageTracker;
  readonly activity: SessionActivityTracker;
}

/** The form (latin1) in which a hash is the key of a Map. */
export const hashAsMapKey = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

function createSnapshot(
  stored: StoredAccounts,
  { defaultConcurrency, usage, activity }: SnapshotDeps,
): AccountSnapshot {
  const { version, users, keys } = stored;
  const userById = new Map(users.map((user) => [user.id, user]));
  const activeKeys = new Map<string, ActiveKey>();
  for (const key of keys) {
    const user = userById.get(key.userId);
    if (key.revokedAt !== null || user === undefined) continue;
    activeKeys.set(hashAsMapKey(key.hash), activeKeyOf(key, user, defaultConcurrency, usage));
  }
  const sessions = new Map<string, ActiveSession>();
  for (const session of stored.sessions) {
    const user = userById.get(session.userId);
    if (user !== undefined)
      sessions.set(hashAsMapKey(session.hash), activeSessionOf(session, user, defaultConcurrency, activity));
  }
  activity.retainOnly(stored.sessions);
  return {
    version,
    users: userById,
    keys: new Map(keys.map((key) => [key.id, key])),
    activeKeys,
    sessions,
    links: new Map(stored.links.map((link) => [hashAsMapKey(link.hash), link])),
    secondFactors: new Map(stored.secondFactors.map((factor) => [factor.userId, factor])),
    identities: stored.identities,
    linkedUserIds: new Set(stored.identities.map(({ userId }) => userId)),
  };
}

function activeSessionOf(
  session: SessionRow,
  user: UserRow,
  defaultConcurrency: number,
  activity: SessionActivityTracker,
): ActiveSession {
  return {
    failure: null,
    principal: sessionPrincipal(user, defaultConcurrency),
    session,
    activity: activity.forSession(session),
    ips: [],
    disabled: user.disabledAt !== null,
  };
}

function sessionPrincipal(user: UserRow, defaultConcurrency: number): Principal {
  return Object.freeze({
    userId: user.id,
    role: user.role,
    concurrency: user.concurrency ?? defaultConcurrency,
    keyId: null,
    keyConcurrency: null,
    scopes: SCOPES,
    domains: [],
    dailyBudget: null,
  });
}

function activeKeyOf(key: KeyRow, user: UserRow, defaultConcurrency: number, usage: UsageTracker): ActiveKey {
  return {
    failure: null,
    principal: Object.freeze({
      userId: user.id,
      role: user.role,
      concurrency: user.concurrency ?? defaultConcurrency,
      keyId: key.id,
      keyConcurrency: key.concurrency,
      scopes: key.scopes.filter((scope): scope is Scope => SCOPES.some((known) => known === scope)),
      domains: key.domains,
      dailyBudget: key.dailyBudget,
    }),
    hash: key.hash,
    expiresAt: key.expiresAt,
    ips: key.ips.map(rangeOf),
    disabled: user.disabledAt !== null,
    usage: usage.forKey(key.id),
  };
}

/** Matches no address. An entry that cannot be parsed must not lead to an empty list, which would allow all addresses. */
const EMPTY_RANGE: IpRange = { bytes: new Uint8Array(0), bits: 0 };

function rangeOf(text: string): IpRange {
  return parseIpRange(text) ?? EMPTY_RANGE;
}

const POLL_MS = 250;
const CATCH_UP_MS = 1_000;

/**
 * A copy of all users, keys and sessions in memory. Changes by other processes are noticed within `POLL_MS`. While the store
 * fails, the last copy stays in use.
 */
export class AccountDirectory {
  readonly #store: AccountStore;
  readonly #deps: SnapshotDeps;
  #snapshot: AccountSnapshot;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<boolean> | null = null;
  #catchingUp: Promise<boolean> | null = null;
  /** All that others had changed before this time is in memory. Monotonic, ms. */
  #currentAt = Number.NEGATIVE_INFINITY;

  constructor(store: AccountStore, deps: SnapshotDeps) {
    this.#store = store;
    this.#deps = deps;
    this.#snapshot = createSnapshot(
      // NaN equals no version: the first poll reads everything.
      {
        version: Number.NaN,
        users: [],
        keys: [],
        sessions: [],
        links: [],
        secondFactors: [],
        identities: [],
      },
      deps,
    );
  }

  get snapshot(): AccountSnapshot {
    return this.#snapshot;
  }

  /** See `Accounts.jobPrincipal`. */
  jobPrincipal(userId: string, keyId: string | null, now: number): Principal | 'key' | 'user' {
    const { users, keys } = this.#snapshot;
    const user = users.get(userId);
    if (user === undefined || user.disabledAt !== null || user.role === 'viewer') return 'user';
    if (keyId === null) return sessionPrincipal(user, this.#deps.defaultConcurrency);
    const key = keys.get(keyId);
    if (key === undefined || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now))
      return 'key';
    return activeKeyOf(key, user, this.#deps.defaultConcurrency, this.#deps.usage).principal;
  }

  /**
   * Reads everything. Resolves when all that was stored before this call is in memory. Rejects with StorageError. Calls are
   * executed one after the other, so that an earlier reading never overwrites a later one.
   */
  refresh(): Promise<void> {
    const previous = this.#reading;
    const next = (
      previous === null
        ? this.#read()
        : previous.then(
            () => this.#read(),
            () => this.#read(),
          )
    ).finally(() => {
      if (this.#reading === next) this.#reading = null;
    });
    this.#reading = next;
    return next;
  }

  /** How old the copy may be, in ms: it has all changes that others made longer ago. */
  get age(): number {
    return performance.now() - this.#currentAt;
  }

  async #read(): Promise<void> {
    const startedAt = performance.now();
    // The version is read first, so that a change during the reading leads to another reading.
    const version = await this.#store.version();
    const [users, keys, sessions, links, secondFactors, identities] = await Promise.all([
      this.#store.users(),
      this.#store.keys(),
      this.#store.sessions(),
      this.#store.setUpLinks(),
      this.#store.secondFactors(),
      this.#store.identities(),
    ]);
    this.#snapshot = createSnapshot(
      { version, users, keys, sessions, links, secondFactors, identities },
      this.#deps,
    );
    this.#currentAt = startedAt;
  }

  startPolling(): void {
    this.#timer ??= setInterval(() => void this.#pollOnce(), POLL_MS).unref();
  }

  /**
   * Resolves when all changes by other processes before this call are in memory. Concurrent calls share one poll, so that many
   * requests with unknown keys cost no more than one.
   * @returns false: the store has failed, or has not answered within a second
   */
  catchUp(): Promise<boolean> {
    return orTimeout(this.#catchUp(), CATCH_UP_MS, false);
  }

  #catchUp(): Promise<boolean> {
    const running = this.#polling;
    if (running === null) return this.#pollOnce();
    // The running poll may have read the version before the change.
    this.#catchingUp ??= running.then(() => {
      this.#catchingUp = null;
      return this.#pollOnce();
    });
    return this.#catchingUp;
  }

  #pollOnce(): Promise<boolean> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  /** @returns false: the store has failed */
  async #poll(): Promise<boolean> {
    const startedAt = performance.now();
    try {
      // No timer: `close` was called meanwhile, and the store may be closed soon.
      if ((await this.#store.version()) !== this.#snapshot.version && this.#timer !== null)
        await this.refresh();
      this.#currentAt = Math.max(this.#currentAt, startedAt);
      return true;
    } catch {
      // The next poll tries again.
      return false;
    }
  }

  /** Stops polling; resolves when nothing is running. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#polling;
    await this.#reading?.catch(() => {});
  }
}
