import { orTimeout } from '../base/wait.ts';
import type { KeyRow, SessionRow, SetUpLinkRow, UserRow } from '../domain/account.ts';
import type { NewRecord, RecordFilter, RecordPage, StoredRecord } from '../domain/record.ts';
import type { StatCount, StatsRequest, StatsResult } from '../domain/stats.ts';

/** The one error of Store and BlobStore: the medium failed (full, read-only, gone). Foreign errors go in `cause`. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

const FULL_CODES = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

/** Whether the medium is well, and only full. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && FULL_CODES.has(code);
}

/** A medium that does not answer at all is not well either. */
const STORAGE_TIMEOUT_MS = 5_000;

/** The same, but rejects with `StorageError` when the medium has not answered after five seconds. */
export async function withStorageTimeout<T>(work: Promise<T>): Promise<T> {
  const done = work.then((value) => ({ value }));
  const inTime = await orTimeout(done, STORAGE_TIMEOUT_MS, null);
  if (inTime === null) throw new StorageError('the disk does not respond');
  return inTime.value;
}

/**
 * Contents too large for the database. Every implementation keeps this: what `put` has resolved for is what `get`
 * gives until `delete`, also after a crash; a half-written blob is never seen; `delete` of what is not there is fine.
 * Keys are `[0-9a-f-]{1,64}`.
 */
export interface BlobStore {
  /** Resolves when it is stored. Rejects with `StorageError`. Once it has settled nobody looks at `bytes` any more. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or null when there is no such blob. */
  get(key: string): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
  /** Keys in no particular order, for sweeping orphans. */
  keys(): AsyncIterable<string>;
  /** Bytes that all blobs take. The first call looks at every blob, later ones only add up what this process does. */
  usage(): Promise<number>;
  /** Resolves when the medium takes a blob of a MiB now; rejects with `StorageError`. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export type ExperienceKind = 'site' | 'tables' | 'pin';

/** One thing that is remembered, as text that only the router reads. */
export interface ExperienceRow {
  readonly name: string;
  /** Seconds since the epoch, of the last change. */
  readonly at: number;
  readonly data: string;
}

/** What the router has learned. The same promise as RecordStore. */
export interface ExperienceStore {
  /** Replaces what there was under these names; all of it, or rejects and changes nothing. */
  put(kind: ExperienceKind, rows: readonly ExperienceRow[]): Promise<void>;
  /** The latest first, of the same instant by name. @param skip so many of them are passed over */
  list(kind: ExperienceKind, limit: number, skip: number): Promise<readonly ExperienceRow[]>;
  delete(kind: ExperienceKind, name: string): Promise<void>;
  /** Deletes what was last changed before `before` (s). */
  sweep(kind: ExperienceKind, before: number): Promise<void>;
}

/**
 * Scrape records. Every implementation keeps this: `put` resolves only when the record survives `kill -9` of the
 * process (with durability `full`: loss of power); records of other users are as if they were not there; every method
 * rejects with `StorageError` when the medium fails, and with nothing else.
 */
export interface RecordStore {
  put(record: NewRecord): Promise<void>;
  /** @param userId null: of any user. */
  get(id: string, userId: string | null): Promise<StoredRecord | null>;
  /** The request as JSON text; null when there is no such record, or it was not retained. */
  request(id: string, userId: string | null): Promise<string | null>;
  /**
   * One call looks at a bounded number of records: a page may be short or empty although `next` is not null.
   * @param after `next` of the page before. @param limit 1–200
   */
  list(filter: RecordFilter, limit: number, after: string | null): Promise<RecordPage>;
  /** Keys of the blobs of the record that was deleted, which are then to be deleted too; null: there is none. */
  delete(id: string, userId: string | null): Promise<{ readonly blobs: readonly string[] } | null>;
  /** Deletes at most `limit` of the records older than `before` (ms); gives the keys of their blobs, and the count. */
  sweep(
    before: number,
    limit: number,
  ): Promise<{ readonly deleted: number; readonly blobs: readonly string[] }>;
  /**
   * Takes the contents or the pictures of the oldest records away, whose lines and answers stay: `content` and
   * `contentEncoding` become null, `contentBytes` still tells how much it was; or `pictures` becomes empty and
   * `hasScreenshot` false. Looks behind the id `after` (null: from the oldest on), takes those of at most `limit`
   * records, and may take less although there are more.
   */
  discard(what: 'contents' | 'pictures', after: string | null, limit: number): Promise<DiscardResult>;
  /** Of these keys of blobs, those that a record has: to find orphans. */
  referencedBlobs(keys: readonly string[]): Promise<readonly string[]>;
}

interface DiscardResult {
  /** Of how many records something was taken. */
  readonly count: number;
  /** Keys of the blobs that are to be deleted. */
  readonly blobs: readonly string[];
  /** The newest record that was looked at, where to go on; null: there is none behind `after`. */
  readonly last: string | null;
}

export interface UsageRow {
  readonly keyId: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly scrapes: number;
  /** Micro-units of the operator's currency. */
  readonly cost: number;
}

/** What ends together with a change of a user: the set-up link, and the sessions but one. */
export interface Revocations {
  /** Id of the session that stays; null: none. */
  readonly exceptSessionId: string | null;
}

/** What must be so in the moment of a change, or else nothing of it happens. */
export interface UserPrecondition {
  /** The password is still this one. */
  readonly passwordHash?: string;
  /** This session has not ended. */
  readonly session?: string;
  /** Another administrator remains who is not disabled. */
  readonly otherAdmin?: true;
}

/**
 * Users, keys and sessions. The same promise as RecordStore; also: `version` changes with every change of a user, key,
 * session or set-up link made by any process, so that holders of copies know when to read again.
 */
export interface AccountStore {
  version(): Promise<number>;
  users(): Promise<readonly UserRow[]>;
  /** Rejects with `ConflictError` when the e-mail (compared without case) is taken. */
  insertUser(user: UserRow): Promise<void>;
  /** False when there is no such user, or the condition does not hold. @param endings absent: nothing ends */
  updateUser(
    id: string,
    change: Partial<Omit<UserRow, 'id' | 'createdAt' | 'lastSeenAt'>>,
    endings?: Revocations,
    only?: UserPrecondition,
  ): Promise<boolean>;
  keys(): Promise<readonly KeyRow[]>;
  insertKey(key: KeyRow): Promise<void>;
  updateKey(
    id: string,
    change: Partial<Omit<KeyRow, 'id' | 'userId' | 'hash' | 'createdAt'>>,
  ): Promise<boolean>;
  /** Sets last_used_at of many keys, without changing `version`. */
  touchKeys(used: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  /** Adds to the counts of the day, without changing `version`. */
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  usage(day: string): Promise<readonly UsageRow[]>;

  sessions(): Promise<readonly SessionRow[]>;
  /**
   * False when the user is disabled, or has by now another password than the one that was checked. Keeps the `most`
   * newest sessions of the user, this one included, and sets the user's `lastSeenAt`.
   */
  insertSession(session: SessionRow, passwordHash: string, most: number): Promise<boolean>;
  /** The one of this id, or all but that one, if they are this user's. Gives how many there were. */
  deleteSessions(userId: string, which: 'only' | 'but', id: string): Promise<number>;
  /** Sets lastSeenAt of sessions and of their users, never back, without changing `version`. */
  touchSessions(seen: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  setUpLinks(): Promise<readonly SetUpLinkRow[]>;
  /** Replaces the one that the user had. */
  putSetUpLink(link: SetUpLinkRow): Promise<void>;
  /**
   * Uses a link up: sets the password of its user, and ends all sessions of that user; all of it or nothing. Gives the
   * id of the user; null when there is no such link, it had expired at `now`, or the user is disabled.
   */
  useSetUpLink(hash: Uint8Array, now: number, passwordHash: string): Promise<string | null>;
  /** Deletes, without changing `version`, sessions begun or last seen before these times, and links expired at `now`. */
  sweepSessions(ask: {
    readonly now: number;
    readonly createdBefore: number;
    readonly seenBefore: number;
  }): Promise<void>;
}

/** Counters of ended scrapes. The same promise as RecordStore; deleting records does not change them. */
export interface StatsStore {
  /** Adds all of it, or rejects and adds nothing. The same counter may be named more than once. */
  add(counts: readonly StatCount[]): Promise<void>;
  read(ask: StatsRequest): Promise<StatsResult>;
  /** Deletes the steps of this length that began before `before` (ms since the epoch). */
  sweep(step: number, before: number): Promise<void>;
}

export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** What the database takes of its medium, in bytes. */
export interface StoreUsage {
  /** Holds something. */
  readonly used: number;
  /** Taken, but free for what comes. */
  readonly spare: number;
}

export interface Store {
  readonly records: RecordStore;
  readonly accounts: AccountStore;
  readonly stats: StatsStore;
  readonly experience: ExperienceStore;
  /** Resolves when the medium takes a write now and nothing that was put off is failing; rejects with `StorageError`. */
  check(): Promise<void>;
  /** Cheap: to be asked every second. */
  usage(): Promise<StoreUsage>;
  /**
   * Gives a part of what is spare beyond `keep` bytes back to the medium, in a step so small that it holds up nobody.
   * False: there is no more.
   */
  shrink(keep: number): Promise<boolean>;
  /** The number that is kept under this name; the given one, and from now on kept, when there was none. */
  getOrInsert(name: string, value: number): Promise<number>;
  /** A consistent copy of the database while it is in use, to a file that must not exist. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** What is known of the media that records are stored on, so that no target is bothered for what cannot be kept. */
export interface StorageHealth {
  /** Why nothing can be stored; null: as far as is known, everything can. */
  trouble(): string | null;
  /** Something could not be stored: from now on it is looked every half second whether it is well again. */
  failed(error: StorageError): void;
  /** What is known, or where that is nothing bad and older than a second, what a look now tells. Rejects with `StorageError`. */
  check(): Promise<void>;
  stop(): void;
}
