import { orTimeout } from '../base/wait.ts';
import type { KeyRow, SessionRow, SetUpLinkRow, UserRow } from '../domain/account.ts';
import type { AuditEvent } from '../domain/audit.ts';
import type {
  NewRecord,
  RecordFilter,
  RecordPage,
  RecordTotalsPage,
  StoredRecord,
} from '../domain/record.ts';
import type {
  HostBlocks,
  HostShare,
  HostStep,
  SiteCostsRequest,
  SiteIncrements,
  SiteListRequest,
  SiteMonthCost,
  SiteMonthCount,
  SiteSummary,
  SitesRequest,
} from '../domain/site-stats.ts';
import type { StatCount, StatsRequest, StatsResult } from '../domain/stats.ts';
import type {
  UsageDetail,
  UsageDetailRequest,
  UsageFigures,
  UsageIncrement,
  UsageRequest,
  UsageSplitRequest,
} from '../domain/usage.ts';
import type { AlertStore } from './alerts.ts';
import type { AuditStore } from './audit.ts';
import type { DatasetStore } from './datasets.ts';
import type { ExperienceLog } from './experience-log.ts';
import type { ExportStore } from './exports.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { IdentityStore } from './identities.ts';
import type { JobStore } from './jobs.ts';
import type { MonitorStore } from './monitors.ts';
import type { ChannelStore, NotificationStore } from './notifications.ts';
import type { ProfileStore } from './profiles.ts';
import type { SampleStore } from './samples.ts';
import type { SavedRequestStore } from './saved-requests.ts';
import type { ScheduleStore } from './schedules.ts';
import type { SecondFactorStore } from './second-factors.ts';
import type { SecretStore } from './secrets.ts';
import type { SettingStore } from './settings.ts';
import type { WebhookStore } from './webhooks.ts';

/** The error of Store and BlobStore if the storage fails (full, read-only, missing). `cause` is the original error. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The storage of large contents fails, such as S3. What is in the database alone can be stored. */
export class ContentsError extends StorageError {}

/** Another service uses the data folder. */
export class DataInUse extends StorageError {}

const FULL_CODES = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

/** Whether the storage is full, but otherwise works. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && FULL_CODES.has(code);
}

export const STORAGE_TIMEOUT_MS = 5_000;

/** Settles like `work`, but rejects with `StorageError` if the storage does not respond within `ms`. */
export async function withStorageTimeout<T>(work: Promise<T>, ms = STORAGE_TIMEOUT_MS): Promise<T> {
  const done = work.then((value) => ({ value }));
  const inTime = await orTimeout(done, ms, null);
  if (inTime === null) throw new StorageError('the disk does not respond');
  return inTime.value;
}

/**
 * Contents too large for the database. Every implementation guarantees: after `put` has resolved, `get` returns the bytes
 * until `delete`, also after a crash; nobody sees a partly written blob; `delete` of a missing blob succeeds. Keys match
 * `[0-9a-f-]{1,64}`. All methods reject with `StorageError` if the storage fails.
 */
export interface BlobStore {
  /** Time after which the caller of `put` no longer waits, in ms. */
  readonly putTimeoutMs: number;
  /** Apart from the database: it can fail alone, and then rejects with `ContentsError`. */
  readonly isApart: boolean;
  /** Resolves when the blob is stored. After it has settled, `bytes` is not accessed. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns null: there is no such blob */
  get(key: string): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
  /** Keys in no particular order, to find orphans. */
  keys(): AsyncIterable<string>;
  /**
   * Total size of all blobs in bytes. The first call examines every blob, later calls add up the changes of this process; those of
   * other processes are seen later.
   */
  usage(): Promise<number>;
  /** Resolves if blobs can be written. A good result may be a minute old. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `site`: one row for each site; `tables`: statistics of all sites; `pin`: the route that an administrator chose for a site;
 * `rule`: one row for each user, site and rule of `extract`.
 */
export type ExperienceKind = 'site' | 'tables' | 'pin' | 'rule';

export interface ExperienceRow {
  /** The site, the version of the tables, or the user, site and rule. */
  readonly name: string;
  /** Time of the last change, in seconds since the epoch. */
  readonly at: number;
  /** Only the router knows the format. */
  readonly data: string;
}

/** What the router has learned about sites. The same guarantees as RecordStore. */
export interface ExperienceStore {
  /** Inserts or replaces all rows, or rejects and changes nothing. */
  put(kind: ExperienceKind, rows: readonly ExperienceRow[]): Promise<void>;
  /** The latest rows first; rows of the same second by name. @param skip number of rows to leave out at the beginning */
  list(kind: ExperienceKind, limit: number, skip: number): Promise<readonly ExperienceRow[]>;
  delete(kind: ExperienceKind, name: string): Promise<void>;
  /** Deletes rows whose last change was before `before` (s). */
  sweep(kind: ExperienceKind, before: number): Promise<void>;
}

/** A named set of rules of `extract`. */
export interface TemplateRow {
  readonly name: string;
  readonly rulesJson: string;
  /** 1, and one more with each change. */
  readonly version: number;
  /** ms since the epoch. */
  readonly updatedAt: number;
}

/** Templates of users. The same guarantees as RecordStore. Names are compared exactly. */
export interface TemplateStore {
  /** By name. */
  list(userId: string): Promise<readonly TemplateRow[]>;
  get(userId: string, name: string): Promise<TemplateRow | null>;
  /** @returns `exists`: the user has one of this name; `full`: the user has `max` templates already */
  create(userId: string, row: TemplateRow, max: number): Promise<'created' | 'exists' | 'full'>;
  /** Replaces the rules, and increases the version. @returns null: there is no such template */
  replace(userId: string, name: string, rulesJson: string, at: number): Promise<TemplateRow | null>;
  /** @returns false: there is no such template */
  delete(userId: string, name: string): Promise<boolean>;
}

/**
 * Scrape records. Every implementation guarantees: `put` resolves only when the record survives `kill -9` of the process
 * (with durability `full`: loss of power); records of other users than `userId` are not found (null: those of all
 * users are); if the storage fails, every method rejects with `StorageError`.
 */
export interface RecordStore {
  put(record: NewRecord): Promise<void>;
  get(id: string, userId: string | null): Promise<StoredRecord | null>;
  /** Id of the job that the record belongs to; null: none, or there is no such record. */
  jobOf(id: string): Promise<string | null>;
  /** The request as JSON text; null if there is no such record, or its request was not retained. */
  request(id: string, userId: string | null): Promise<string | null>;
  /**
   * A call examines a limited number of records: a page may be short or empty although `next` is not null.
   * @param limit 1–200
   * @param after `next` of the previous page
   */
  list(filter: RecordFilter, limit: number, after: string | null): Promise<RecordPage>;
  /**
   * Adds up the records that a filter matches. A call examines a limited number of records, as `list` does.
   * @param after `next` of the previous call
   */
  totals(filter: RecordFilter, after: string | null): Promise<RecordTotalsPage>;
  /** @returns keys of the record's blobs, which the caller must delete; null: there is no such record */
  delete(id: string, userId: string | null): Promise<{ readonly blobs: readonly string[] } | null>;
  /**
   * Deletes at most `limit` records older than `before` (ms), but none whose job is stored: they are kept as long as its
   * results.
   * @returns how many were deleted, and the keys of their blobs, which the caller must delete
   */
  sweep(
    before: number,
    limit: number,
  ): Promise<{ readonly deleted: number; readonly blobs: readonly string[] }>;
  /** Deletes at most `limit` records of a job, of any age. */
  sweepJob(
    jobId: string,
    limit: number,
  ): Promise<{ readonly deleted: number; readonly blobs: readonly string[] }>;
  /**
   * Removes the contents, the files or the pictures of the oldest records, but not of those of a job that has not ended; the rest of the records stays. `content` and
   * `contentEncoding` become null, `contentBytes` stays; or `files` becomes empty; or `pictures` becomes empty and
   * `hasScreenshot` false. Changes at most `limit` records, perhaps fewer although there are more.
   * @param after begin after the record of this id; null: with the oldest
   */
  discard(
    what: 'contents' | 'files' | 'pictures',
    after: string | null,
    limit: number,
  ): Promise<DiscardResult>;
  /** @returns those of the keys that a record refers to. The blobs of the others are orphans. */
  referencedBlobs(keys: readonly string[]): Promise<readonly string[]>;
}

interface DiscardResult {
  /** Number of records changed. */
  readonly count: number;
  /** Keys of the blobs that the caller must delete. */
  readonly blobs: readonly string[];
  /** Id of the newest record examined, to continue with; null: there are no more. */
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

/** Sessions that end with the change of a user. The user's set-up link is deleted too. */
export interface Revocations {
  /** Id of the only session that does not end; null: all end. */
  readonly exceptSessionId: string | null;
}

/** What must be true at the moment of a change. If it is not, nothing is changed. */
export interface UserPrecondition {
  /** The current password hash. */
  readonly passwordHash?: string;
  /** Id of a session that has not ended. */
  readonly session?: string;
  /** There is another administrator who is not disabled. */
  readonly otherAdmin?: true;
}

/**
 * Users, keys and sessions. The same guarantees as RecordStore. In addition, `version` changes with every change of a user,
 * key, session or set-up link by any process, so that caches know when to read again. `audit` is stored in the transaction of
 * the change, if there is one.
 */
export interface AccountStore extends SecondFactorStore, IdentityStore {
  version(): Promise<number>;
  users(): Promise<readonly UserRow[]>;
  /** Rejects with `ConflictError` if the e-mail address (compared without case) is taken. */
  insertUser(user: UserRow, audit?: AuditEvent): Promise<void>;
  /** @returns false: there is no such user, or the precondition is not met */
  updateUser(
    id: string,
    change: Partial<Omit<UserRow, 'id' | 'createdAt' | 'lastSeenAt'>>,
    revocations?: Revocations,
    precondition?: UserPrecondition,
    audit?: AuditEvent,
  ): Promise<boolean>;
  /**
   * Deletes a user who has neither signed in nor got a key, with the set-up link.
   * @returns false: there is no such user
   */
  deleteInvitedUser(id: string, audit: AuditEvent): Promise<boolean>;
  keys(): Promise<readonly KeyRow[]>;
  insertKey(key: KeyRow, audit?: AuditEvent): Promise<void>;
  updateKey(
    id: string,
    change: Partial<Omit<KeyRow, 'id' | 'userId' | 'hash' | 'createdAt'>>,
    audit?: AuditEvent,
  ): Promise<boolean>;
  /** Sets `lastUsedAt` of keys, without changing `version`. */
  touchKeys(used: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  /** Adds to the usage of each key and day, without changing `version`. */
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  /** Usage of all keys on a day. */
  usage(day: string): Promise<readonly UsageRow[]>;

  sessions(): Promise<readonly SessionRow[]>;
  /**
   * Also sets `lastSeenAt` of the user, and deletes the oldest sessions of the user beyond `maxSessions`.
   * @param passwordHash the stored hash that the password was checked against, or that was read before; null: no password
   * @returns false: the user is disabled, or the password has changed since it was checked
   */
  insertSession(
    session: SessionRow,
    passwordHash: string | null,
    maxSessions: number,
    audit?: AuditEvent,
  ): Promise<boolean>;
  /** Deletes the session of this id, or all others of the user. @returns how many were deleted */
  deleteSessions(
    userId: string,
    which: 'only' | 'allExcept',
    id: string,
    audit?: AuditEvent,
  ): Promise<number>;
  /** Sets `lastSeenAt` of sessions and of their users, but never to an earlier time. Does not change `version`. */
  touchSessions(seen: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  setUpLinks(): Promise<readonly SetUpLinkRow[]>;
  /** Replaces an earlier link of the same user. */
  putSetUpLink(link: SetUpLinkRow, audit?: AuditEvent): Promise<void>;
  /**
   * Uses a link, which is then deleted: sets the password of its user and ends all sessions of that user, in one transaction.
   * @returns the id of the user; null: there is no such link, it had expired at `now`, or the user is disabled
   */
  useSetUpLink(
    hash: Uint8Array,
    now: number,
    passwordHash: string,
    audit?: AuditEvent,
  ): Promise<string | null>;
  /** Deletes sessions created or last seen before these times, and links that expired by then. Does not change `version`. */
  sweepSessions(limits: {
    readonly linksExpiredBy: number;
    readonly createdBefore: number;
    readonly seenBefore: number;
  }): Promise<void>;
}

/** Counters of finished scrapes. The same guarantees as RecordStore. Deleting records does not change them. */
export interface StatsStore {
  /** Adds all counts, or rejects and adds none. A counter may occur more than once. */
  add(counts: readonly StatCount[]): Promise<void>;
  read(request: StatsRequest): Promise<StatsResult>;
  /** Deletes the counters of time steps of the length `step` (s) that began before `before` (ms since the epoch). */
  sweep(step: number, before: number): Promise<void>;
  /** Counters of these hosts over the wanted steps together. */
  hostBlocks(request: StatsRequest & { readonly hosts: readonly string[] }): Promise<readonly HostBlocks[]>;
  /**
   * Hosts with at least `minScrapes` in the steps that begin from `from` on and before `to`, the most frequent first, at most 1,000.
   * Further hosts of a step are counted together, as `OTHER_HOSTS`, which is left out.
   */
  hostShares(
    request: Pick<StatsRequest, 'userId' | 'step'> & {
      readonly from: number;
      readonly to: number;
      readonly minScrapes: number;
    },
  ): Promise<readonly HostShare[]>;
  /** These hosts in each of the steps that begin from `from` on and before `to`, in the order of time. Steps without scrapes are missing. */
  hostSteps(
    request: Pick<StatsRequest, 'userId' | 'step'> & {
      readonly from: number;
      readonly to: number;
      readonly hosts: readonly string[];
    },
  ): Promise<readonly HostStep[]>;
  /** Adds all increments, or rejects and adds none. */
  addSites(increments: SiteIncrements): Promise<void>;
  /** The hosts with the most scrapes first; equal ones by name. */
  sites(request: SiteListRequest): Promise<readonly SiteSummary[]>;
  /** The scrapes at one host by month. Months without any are missing. */
  siteMonths(request: SitesRequest & { readonly host: string }): Promise<readonly SiteMonthCount[]>;
  /** What attempts at these hosts cost, by host, month and route. */
  siteCosts(request: SiteCostsRequest): Promise<readonly SiteMonthCost[]>;
  /**
   * Deletes months of sites before `before` (ms since the epoch), and merges the hosts of a month and user with the fewest
   * scrapes into one, `OTHER_HOSTS`, so that no more than `limits` are left.
   */
  sweepSites(before: number, limits: { readonly perUser: number; readonly all: number }): Promise<void>;
  /** Adds all increments, or rejects and adds none. */
  addUsage(counts: readonly UsageIncrement[]): Promise<void>;
  /** By step, ms since the epoch, in the order of time. Steps without usage are missing. */
  usageSteps(
    request: UsageRequest,
  ): Promise<readonly { readonly at: number; readonly figures: UsageFigures }[]>;
  /** By name, over all steps; those with the most come first. Scrapers that are no vendors have the vendor `NO_NAME`. */
  usageBy(
    request: UsageSplitRequest,
  ): Promise<readonly { readonly name: string; readonly figures: UsageFigures }[]>;
  /** Sums with the durations of scrapes, those with the most scrapes first; by steps in the order of time. */
  usageDetails(request: UsageDetailRequest): Promise<readonly UsageDetail[]>;
  /** Start of the oldest step of each length (s) that is stored, of all users, ms since the epoch; null: there is none. */
  usageSince(steps: readonly number[]): Promise<readonly (number | null)[]>;
  /**
   * Deletes steps that began before `before` (ms since the epoch). In those that began at `mergedFrom` or later, merges the
   * hosts and the keys with the fewest scrapes into one, `OTHER_HOSTS`, so that each step has no more than `limits`. Users share
   * these equally.
   */
  sweepUsage(
    steps: { readonly step: number; readonly before: number; readonly mergedFrom: number },
    limits: { readonly hosts: number; readonly keys: number },
  ): Promise<void>;
}

/** A unique value, such as an e-mail address, is taken. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** Size of the database, in bytes. */
export interface StoreUsage {
  readonly used: number;
  /** Free space inside the file, for further data; 0 if the database is not a file. */
  readonly free: number;
}

export interface Store {
  /** Versions of the schema: before the store was opened (null: there was none), and now. */
  readonly schema: { readonly before: number | null; readonly now: number };
  /**
   * Whether other services may use the store at the same time. Then what one of them had under way when it died is taken over
   * when its leases have ended; otherwise at the next start.
   */
  readonly isShared: boolean;
  readonly records: RecordStore;
  readonly accounts: AccountStore;
  readonly audit: AuditStore;
  readonly stats: StatsStore;
  readonly experience: ExperienceStore;
  /** null: this process alone uses the store. */
  readonly experienceLog: ExperienceLog | null;
  readonly jobs: JobStore;
  readonly monitors: MonitorStore;
  readonly schedules: ScheduleStore;
  readonly exports: ExportStore;
  readonly datasets: DatasetStore;
  readonly webhooks: WebhookStore;
  readonly alerts: AlertStore;
  readonly channels: ChannelStore;
  readonly notifications: NotificationStore;
  readonly templates: TemplateStore;
  readonly savedRequests: SavedRequestStore;
  readonly profiles: ProfileStore;
  readonly secrets: SecretStore;
  readonly settings: SettingStore;
  readonly samples: SampleStore;
  readonly idempotency: IdempotencyStore;
  /** Resolves if the database and its WAL can be written now (a checkpoint works too); else rejects with `StorageError`. */
  check(): Promise<void>;
  /** Cheap enough to be called every second. */
  usage(): Promise<StoreUsage>;
  /**
   * Shrinks the file by a part of its free space beyond `keepFree` bytes, in a step so small that it delays no other work.
   * @returns false: there is no free space beyond `keepFree`, or the database is not a file
   */
  shrink(keepFree: number): Promise<boolean>;
  /** The number stored under this name. If there is none, stores `value` and returns it. */
  getOrInsert(name: string, value: number): Promise<number>;
  /**
   * Does a step of what an update has left to do on the rows that existed before it. A step takes a few ms, and what it did
   * survives `kill -9`.
   * @returns false: nothing is left
   */
  backfill(): Promise<boolean>;
  /** Copies the database consistently, while it is in use, to a file that must not exist. Rejects if the database is not a file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Whether records can be stored. If not, no target is visited, because the result would be lost. */
export interface StorageHealth {
  /** Why nothing can be stored; null if records can, as far as is known. */
  problem(): string | null;
  /** Why large contents alone cannot be stored; null if they can, as far as is known. */
  contentsProblem(): string | null;
  /** Reports that something could not be stored. The storage is then checked every half second until it works again. */
  reportFailure(error: StorageError): void;
  /**
   * Rejects with `StorageError` if nothing can be stored, as far as is known. If all can, checks at most once a second; the storage
   * of large contents in the background.
   */
  check(): Promise<void>;
  stop(): void;
}
