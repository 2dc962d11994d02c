import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { type BlobStore, StorageError } from '../../ports/store.ts';
import { archivedBlob, archivedKeys, dropArchivedBlobs } from './backup.ts';
import { fsyncPath, MIGRATIONS, newestVersion, readVersion, type SqliteConnection } from './database.ts';
import { takeDatabaseLock } from './file-locks.ts';
import { translateErrors } from './sqlite-errors.ts';

/** How many API keys open the service: neither revoked nor expired, and of a user who is not disabled. */
function countActiveKeys(db: SqliteConnection): number {
  return db
    .prepare(
      `SELECT count(*) FROM api_keys JOIN users ON users.id = api_keys.user_id
        WHERE revoked_at IS NULL AND disabled_at IS NULL
          AND (expires_at IS NULL OR expires_at > unixepoch() * 1000)`,
    )
    .pluck()
    .get() as number;
}

/** Somebody who only looks something up is waited for; a running service is not. */
const USER_WAIT_MS = 1_000;

interface RestoreOptions {
  /** A backup. */
  readonly from: string;
  /** The database file of the service. */
  readonly to: string;
  /** Replace a database that exists; it is kept aside. One in use is never replaced. */
  readonly force?: boolean;
}

export interface RestoreResult {
  readonly blobs: number;
  /** Where the old database is now; null: there was none. */
  readonly keptAside: string | null;
  /** API keys that work now, also those that were revoked after the backup had been made. */
  readonly liveKeys: number;
}

/** Throws `StorageError` when the file is no backup. It may still be damaged: to read all of it takes its time. */
export function assertBackup(file: string): void {
  if (!existsSync(file)) throw new StorageError(`${file} does not exist`);
  openBackup(file).close();
}

/** Puts a backup without its blobs in place. Rejects with `StorageError`, and then the target is as it was. */
export function restoreSqlite(order: RestoreOptions): Promise<RestoreResult> {
  return restore(order, null);
}

/**
 * Puts a whole backup in place: the blobs first, then the database in one step. Blobs of the old database that the
 * new one does not name become orphans. Rejects with `StorageError`, and then the target database is as it was.
 */
export function restoreAll(order: RestoreOptions & { readonly blobs: BlobStore }): Promise<RestoreResult> {
  return restore(order, order.blobs);
}

async function restore(order: RestoreOptions, blobs: BlobStore | null): Promise<RestoreResult> {
  const to = resolve(order.to);
  assertBackup(order.from);
  translateErrors(() => mkdirSync(dirname(to), { recursive: true, mode: 0o700 }));
  if (order.force !== true && existsSync(to)) throw new StorageError(`${to} exists; --force replaces it`);
  const lock = lockUnused(to);
  const part = `${to}.restoring`;
  try {
    const count = await extractBackup(order.from, part, blobs);
    return { blobs: count, ...translateErrors(() => replaceDatabase(part, to)) };
  } finally {
    for (const path of [part, `${part}-journal`]) rmSync(path, { force: true });
    lock.release();
  }
}

function lockUnused(to: string) {
  try {
    return takeDatabaseLock(to, 'exclusive', USER_WAIT_MS);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code !== 'SQLITE_BUSY') throw error;
    throw new StorageError(`${to} is in use: stop the service first`, { cause: error });
  }
}

/** Checks the backup, writes its blobs out and its database to `part`. */
async function extractBackup(from: string, part: string, blobs: BlobStore | null): Promise<number> {
  const backup = openBackup(from);
  try {
    translateErrors(() => assertIntact(backup, from));
    const keys = blobs === null ? [] : translateErrors(() => archivedKeys(backup));
    for (const key of keys)
      await blobs?.put(
        key,
        translateErrors(() => archivedBlob(backup, key)),
      );
    translateErrors(() => {
      rmSync(part, { force: true });
      backup.prepare('VACUUM INTO ?').run(part);
    });
    return keys.length;
  } finally {
    backup.close();
  }
}

function openBackup(file: string): SqliteConnection {
  return translateErrors(() => {
    const backup = new Database(resolve(file), { readonly: true, fileMustExist: true });
    try {
      const version = readVersion(backup, file, newestVersion(MIGRATIONS));
      if (version === null || version === 0) throw new StorageError(`${file} is no backup of Sluice`);
      return backup;
    } catch (error) {
      backup.close();
      throw error;
    }
  });
}

function assertIntact(backup: SqliteConnection, from: string): void {
  const report = backup.pragma('integrity_check(3)', { simple: true });
  if (report !== 'ok') throw new StorageError(`${from} is damaged: ${String(report)}`);
}

/** The name `to` is at every moment either the old database or the new one, also when the process is killed. */
function replaceDatabase(part: string, to: string): Pick<RestoreResult, 'keptAside' | 'liveKeys'> {
  const copy = new Database(part);
  let liveKeys: number;
  try {
    dropArchivedBlobs(copy);
    liveKeys = countActiveKeys(copy);
  } finally {
    copy.close();
  }
  fsyncPath(part);
  const aside = existsSync(to) ? unusedName(`${to}.before-restore`) : null;
  if (aside !== null) {
    detachLog(to, aside);
    linkSync(to, aside);
  }
  renameSync(part, to);
  fsyncPath(dirname(to));
  return { keptAside: aside, liveKeys };
}

/** The log of the old database must not be applied to the new one: it goes into the old, or aside with it. */
function detachLog(to: string, aside: string): void {
  try {
    const old = new Database(to);
    try {
      old.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      old.close();
    }
  } catch {
    // Too damaged to be opened: that may be why it is replaced.
  }
  if (existsSync(`${to}-wal`)) renameSync(`${to}-wal`, `${aside}-wal`);
  rmSync(`${to}-shm`, { force: true });
}

function unusedName(wish: string): string {
  let name = wish;
  for (let n = 2; existsSync(name); n++) name = `${wish}-${n}`;
  return name;
}
