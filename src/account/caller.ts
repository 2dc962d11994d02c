import { type IpRange, parseIpRange } from '../base/ip-range.ts';
import type { KeyRow, SessionRow, SetUpLinkRow, UserRow } from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';
import { type Principal, SCOPES, type Scope } from '../domain/principal.ts';
import type { Seen, SeenTracker } from './seen.ts';
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
  readonly seen: Seen;
  /** From anywhere. */
  readonly ips: readonly IpRange[];
  readonly disabled: boolean;
}

export interface NoCaller {
  readonly failure: Failure;
  readonly principal: null;
}

/** All users, keys and sessions as of one version of the store. */
export interface Snapshot {
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
export interface Stored {
  readonly version: number;
  readonly users: readonly UserRow[];
  readonly keys: readonly KeyRow[];
  readonly sessions: readonly SessionRow[];
  readonly links: readonly SetUpLinkRow[];
}

/** What outlives snapshots. */
export interface Trackers {
  /** Of users without a number of their own. */
  readonly defaultConcurrency: number;
  readonly usage: UsageTracker;
  readonly seen: SeenTracker;
}

/** A hash as the key of a Map. */
export const hashText = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

export function makeSnapshot(stored: Stored, { defaultConcurrency, usage, seen }: Trackers): Snapshot {
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
  seen.keepOnly(stored.sessions);
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
  seen: SeenTracker,
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
const NOWHERE: IpRange = { bytes: new Uint8Array(0), bits: 0 };

function readRange(text: string): IpRange {
  return parseIpRange(text) ?? NOWHERE;
}
