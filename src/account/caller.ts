import { type IpRange, parseIpRange } from '../base/ip-range.ts';
import type { KeyRow, UserRow } from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';
import { type Principal, SCOPES, type Scope } from '../domain/principal.ts';
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

export interface NoCaller {
  readonly failure: Failure;
  readonly principal: null;
}

/** All users and keys as of one version of the store. */
export interface Snapshot {
  readonly version: number;
  readonly users: ReadonlyMap<string, UserRow>;
  /** By id, revoked ones too. */
  readonly keys: ReadonlyMap<string, KeyRow>;
  /** By hash (latin1), without revoked ones. */
  readonly callers: ReadonlyMap<string, Caller>;
}

/** A hash as the key of a Map. */
export const hashText = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

/** @param defaultConcurrency of users without a number of their own */
export function makeSnapshot(
  version: number,
  users: readonly UserRow[],
  keys: readonly KeyRow[],
  defaultConcurrency: number,
  usage: UsageTracker,
): Snapshot {
  const userById = new Map(users.map((user) => [user.id, user]));
  const callers = new Map<string, Caller>();
  for (const key of keys) {
    const user = userById.get(key.userId);
    if (key.revokedAt !== null || user === undefined) continue;
    callers.set(hashText(key.hash), makeCaller(key, user, defaultConcurrency, usage));
  }
  return { version, users: userById, keys: new Map(keys.map((key) => [key.id, key])), callers };
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
