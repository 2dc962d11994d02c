import { type IpRange, parseIpRange } from '../base/ip-range.ts';
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
import type { AccountStore } from '../ports/store.ts';
import type { SessionActivity, SessionActivityTracker } from './session-activity.ts';
import type { KeyUsage, UsageTracker } from './usage.ts';

/** A key that is not revoked, with its user, ready for use. Frozen in spirit: a change makes a new one. */
export interface Caller {
  readonly failure: null;
  readonly principal: Principal;
  /** SHA-256 of the key text. */
  readonly hash: Uint8Array;
  /** ms since the epoch; null: never. */
  readonly expiresAt: number | null;
  /** Where the key may be used from; empty: anywhere. */
  readonly ips: readonly IpRange[];
  readonly disabled: boolean;
  readonly usage: KeyUsage;
}

/** A session with its user, ready for use. */
export interface SessionCaller {
  readonly failure: null;
  readonly principal: Principal;
  readonly session: SessionRow;
  /** `session.lastSeenAt` is as of the last reading; this one is of now. */
  readonly seen: SessionActivity;
  /** From anywhere. */
  readonly ips: readonly IpRange[];
  readonly disabled: boolean;
}

export interface AuthenticationFailure {
  readonly failure: Failure;
  readonly principal: null;
}

/** All users, keys and sessions as of one version of the store. */
export interface AccountSnapshot {
  readonly version: number;
  readonly users: ReadonlyMap<string, UserRow>;
  /** By id, revoked ones too. */
  readonly keys: ReadonlyMap<string, KeyRow>;
  /** By hash (latin1), without revoked ones. */
  readonly callers: ReadonlyMap<string, Caller>;
  /** By hash (latin1); expired ones may be among them. */
  readonly sessions: ReadonlyMap<string, SessionCaller>;
  /** By hash (latin1); expired ones may be among them. */
  readonly links: ReadonlyMap<string, SetUpLinkRow>;
}

/** What a snapshot is made of. */
interface StoredAccounts {
  readonly version: number;
  readonly users: readonly UserRow[];
  readonly keys: readonly KeyRow[];
  readonly sessions: readonly SessionRow[];
  readonly links: readonly SetUpLinkRow[];
}

/** What outlives snapshots. */
interface SnapshotDeps {
  /** Of users without a number of their own. */
  readonly defaultConcurrency: number;
  readonly usage: UsageTracker;
  readonly seen: SessionActivityTracker;
}

/** A hash as the key of a Map. */
export const hashText = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

function makeSnapshot(
  stored: StoredAccounts,
  { defaultConcurrency, usage, seen }: SnapshotDeps,
): AccountSnapshot {
  const { version, users, keys } = stored;
  const userById = new Map(users.map((user) => [user.id, user]));
  const callers = new Map<string, Caller>();
  for (const key of keys) {
    const user = userById.get(key.userId);
    if (key.revokedAt !== null || user === undefined) continue;
    callers.set(hashText(key.hash), makeCaller(key, user, defaultConcurrency, usage));
  }
  const sessions = new Map<string, SessionCaller>();
  for (const session of stored.sessions) {
    const user = userById.get(session.userId);
    if (user !== undefined)
      sessions.set(hashText(session.hash), makeSession(session, user, defaultConcurrency, seen));
  }
  seen.retainOnly(stored.sessions);
  return {
    version,
    users: userById,
    keys: new Map(keys.map((key) => [key.id, key])),
    callers,
    sessions,
    links: new Map(stored.links.map((link) => [hashText(link.hash), link])),
  };
}

function makeSession(
  session: SessionRow,
  user: UserRow,
  defaultConcurrency: number,
  seen: SessionActivityTracker,
): SessionCaller {
  return {
    failure: null,
    principal: Object.freeze({
      userId: user.id,
      role: user.role,
      concurrency: user.concurrency ?? defaultConcurrency,
      keyId: null,
      keyConcurrency: null,
      scopes: SCOPES,
      domains: [],
      dailyBudget: null,
    }),
    session,
    seen: seen.of(session),
    ips: [],
    disabled: user.disabledAt !== null,
  };
}

function makeCaller(key: KeyRow, user: UserRow, defaultConcurrency: number, usage: UsageTracker): Caller {
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
    ips: key.ips.map(readRange),
    disabled: user.disabledAt !== null,
    usage: usage.of(key.id),
  };
}

/** A list with an entry that cannot be read must not become an empty list, which would mean "anywhere". */
const EMPTY_RANGE: IpRange = { bytes: new Uint8Array(0), bits: 0 };

function readRange(text: string): IpRange {
  return parseIpRange(text) ?? EMPTY_RANGE;
}

const POLL_MS = 250;

/**
 * A copy of all users, keys and sessions in memory. A change by another process is seen within `POLL_MS` and the time of
 * reading; while the store fails, the last copy stays in use.
 */
export class AccountDirectory {
  readonly #store: AccountStore;
  readonly #trackers: SnapshotDeps;
  #snapshot: AccountSnapshot;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<void> | null = null;
  #catchingUp: Promise<void> | null = null;

  constructor(store: AccountStore, trackers: SnapshotDeps) {
    this.#store = store;
    this.#trackers = trackers;
    this.#snapshot = makeSnapshot(
      { version: Number.NaN, users: [], keys: [], sessions: [], links: [] },
      trackers,
    );
  }

  get snapshot(): AccountSnapshot {
    return this.#snapshot;
  }

  /**
   * Resolves when everything that was stored before this call is in memory. Rejects with StorageError.
   * Readings follow one another: one that began before a change must not overwrite one that began after it.
   */
  refresh(): Promise<void> {
    const before = this.#reading;
    const next = (
      before === null
        ? this.#read()
        : before.then(
            () => this.#read(),
            () => this.#read(),
          )
    ).finally(() => {
      if (this.#reading === next) this.#reading = null;
    });
    this.#reading = next;
    return next;
  }

  async #read(): Promise<void> {
    // The version first: a change during the reading then leads to one more reading.
    const version = await this.#store.version();
    const [users, keys, sessions, links] = await Promise.all([
      this.#store.users(),
      this.#store.keys(),
      this.#store.sessions(),
      this.#store.setUpLinks(),
    ]);
    this.#snapshot = makeSnapshot({ version, users, keys, sessions, links }, this.#trackers);
  }

  startPolling(): void {
    this.#timer ??= setInterval(() => void this.#pollOnce(), POLL_MS).unref();
  }

  /**
   * Resolves when a change by another process before this call is in memory, or the store has failed. Who asks while a
   * look is under way shares the next one with all others: unknown keys, however many, cost one look at a time.
   */
  catchUp(): Promise<void> {
    const running = this.#polling;
    if (running === null) return this.#pollOnce();
    // It may have looked before the change.
    this.#catchingUp ??= running.then(() => {
      this.#catchingUp = null;
      return this.#pollOnce();
    });
    return this.#catchingUp;
  }

  #pollOnce(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  async #poll(): Promise<void> {
    try {
      if ((await this.#store.version()) !== this.#snapshot.version && this.#timer !== null)
        await this.refresh();
    } catch {
      // The store is away for the moment; the next poll asks again.
    }
  }

  /** Resolves when nothing of this is running any more. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#polling;
    await this.#reading?.catch(() => {});
  }
}
