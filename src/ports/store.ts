import type { Outcome } from '../domain/scrape.ts';

/** The line of a scrape in lists. Times are ms since the epoch, ids UUID text. */
export interface RecordSummary {
  readonly id: string;
  readonly userId: string;
  readonly keyId: string | null;
  readonly createdAt: number;
  /** null when `retain: none`. */
  readonly url: string | null;
  readonly host: string;
  readonly method: string | null;
  readonly requestedScraper: string | null;
  readonly scraper: string | null;
  readonly proxyType: string | null;
  /** Status of our answer; null: the caller had hung up. */
  readonly httpStatus: number | null;
  /** Status of the target. */
  readonly statusCode: number | null;
  readonly outcome: Outcome;
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** Length of the content as stored; null when there was none. */
  readonly contentBytes: number | null;
  readonly requestCost: number | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly hasScreenshot: boolean;
}

export interface NewRecord extends RecordSummary {
  /** The request as JSON text, secrets masked; null when not retained. */
  readonly requestJson: string | null;
  /** The answer as JSON text without `content`; null when not retained. */
  readonly answerJson: string | null;
  readonly contentEncoding: 'utf-8' | 'base64' | null;
  /** In the row, at most 256 KiB; null when there is none or it is in a blob. */
  readonly content: Uint8Array | null;
  /** The content is in the BlobStore under the record's id. */
  readonly contentInBlob: boolean;
}

/** What is kept of a record, without its content. */
export interface StoredRecord extends RecordSummary {
  readonly answerJson: string | null;
  readonly contentEncoding: 'utf-8' | 'base64' | null;
  readonly content: Uint8Array | null;
  readonly contentInBlob: boolean;
}

/** All given members must hold. */
export interface RecordFilter {
  /** null: of every user (admin). */
  readonly userId: string | null;
  /** createdAt ≥ from (ms). */
  readonly from: number | null;
  /** createdAt < to (ms). */
  readonly to: number | null;
  readonly host: string | null;
  /** Status of the target. */
  readonly status: number | null;
  readonly outcome: string | null;
  readonly scraper: string | null;
  readonly errorCode: string | null;
  readonly keyId: string | null;
  readonly tag: { readonly name: string; readonly value: string } | null;
}

export interface RecordPage {
  /** Newest first. */
  readonly items: readonly RecordSummary[];
  /** Id after which the next page begins; null: there is none. */
  readonly next: string | null;
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
  /** @param after id of the last item of the page before. @param limit 1–200 */
  list(filter: RecordFilter, limit: number, after: string | null): Promise<RecordPage>;
  /** The record that was deleted (whose blob is then to be deleted too), or null when there is none. */
  delete(id: string, userId: string | null): Promise<{ readonly contentInBlob: boolean } | null>;
  /** Deletes at most `limit` of the records older than `before` (ms); gives the ids that had a blob, and the count. */
  sweep(
    before: number,
    limit: number,
  ): Promise<{ readonly deleted: number; readonly blobs: readonly string[] }>;
  /** Of these ids, those that have a record with a blob: to find orphans. */
  withBlob(ids: readonly string[]): Promise<readonly string[]>;
}

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly role: 'admin' | 'user';
  /** null: no password set yet. */
  readonly passwordHash: string | null;
  /** null: the default of the service. */
  readonly concurrency: number | null;
  readonly disabledAt: number | null;
  readonly createdAt: number;
}

export interface KeyRow {
  /** As in the key text. */
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** SHA-256 of the whole key text, 32 bytes. */
  readonly hash: Uint8Array;
  /** The first characters of the key, for people. */
  readonly prefix: string;
  readonly last4: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly scopes: readonly string[];
  readonly domains: readonly string[];
  readonly ips: readonly string[];
  readonly dailyBudget: { readonly amount: number; readonly unit: 'scrapes' | 'cost' } | null;
  /** Share of the user's concurrency; null: all. */
  readonly concurrency: number | null;
}

export interface UsageRow {
  readonly keyId: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly scrapes: number;
}

/**
 * Users and keys. The same promise as RecordStore; also: `version` changes with every change of a user or key made by
 * any process, so that holders of copies know when to read again.
 */
export interface AccountStore {
  version(): Promise<number>;
  users(): Promise<readonly UserRow[]>;
  /** Rejects with `ConflictError` when the e-mail (compared without case) is taken. */
  insertUser(user: UserRow): Promise<void>;
  /** False when there is no such user. */
  updateUser(id: string, change: Partial<Omit<UserRow, 'id' | 'createdAt'>>): Promise<boolean>;
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
}

export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

export interface Store {
  readonly records: RecordStore;
  readonly accounts: AccountStore;
  /** Resolves when the medium takes a write now; rejects with `StorageError`. For /readyz. */
  check(): Promise<void>;
  /** A consistent copy of the database while it is in use, to a file that must not exist. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
