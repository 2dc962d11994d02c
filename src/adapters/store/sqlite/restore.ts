import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { type BlobStore, StorageError } from '../../../ports/store.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { archivedBlob, archivedKeys, dropArchivedBlobs } from './backup.ts';
import { fsyncPath, type SqliteConnection } from './database.ts';
import { takeDatabaseLock } from './file-locks.ts';
import { newestVersion, readVersion } from './prepare-database.ts';
import { translateErrors } from './sqlite-errors.ts';

/** Number of usable API keys: neither revoked nor expired, and the user is not disabled. */
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

/** Long enough for another command that uses the database. A running service keeps its lock longer, so it is an error. */
const LOCK_WAIT_MS = 1_000;

interface RestoreOptions {
  /** The backup. */
  readonly from: string;
  /** The database file of the service. */
  readonly to: string;
  /** Replace an existing database, after renaming it. A database in use is never replaced. */
  readonly force?: boolean;
}

export interface RestoreResult {
  readonly blobs: number;
  /** The new name of the old database; null: there was none. */
  readonly keptAside: string | null;
  /** Number of API keys that work now. A key that was revoked after the backup works again. */
  readonly activeKeys: number;
}

/** Throws `StorageError` if the file is not a backup. Does not detect all damage, because that would take long. */
export function assertBackup(file: string): void {
  if (!existsSync(file)) throw new StorageError(`${file} does not exist`);
  openBackup(file).close();
}

/** Restores a backup without its blobs. If it rejects with `StorageError`, the target is unchanged. */
export function restoreSqlite(options: RestoreOptions): Promise<RestoreResult> {
  return restore(options, null);
}

/**
 * Restores a backup: first the blobs, then the database in one step. Blobs that only the old database refers to become
 * orphans. If it rejects with `StorageError`, the target database is unchanged.
 */
export function restoreAll(options: RestoreOptions & { readonly blobs: BlobStore }): Promise<RestoreResult> {
  return restore(options, options.blobs);
}

async function restore(options: RestoreOptions, blobs: BlobStore | null): Promise<RestoreResult> {
  const to = resolve(options.to);
  assertBackup(options.from);
  translateErrors(() => mkdirSync(dirname(to), { recursive: true, mode: 0o700 }));
  if (options.force !== true && existsSync(to)) throw new StorageError(`${to} exists; --force replaces it`);
  const lock = lockUnused(to);
  const temporaryFile = `${to}.restoring`;
  try {
    const blobCount = await extractBackup(options.from, temporaryFile, blobs);
    return { blobs: blobCount, ...translateErrors(() => replaceDatabase(temporaryFile, to)) };
  } finally {
    for (const path of [temporaryFile, `${temporaryFile}-journal`]) rmSync(path, { force: true });
    lock.release();
  }
}

/** Throws `StorageError` if the database is in use. */
function lockUnused(to: string) {
  try {
    return takeDatabaseLock(to, 'exclusive', LOCK_WAIT_MS);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code !== 'SQLITE_BUSY') throw error;
    throw new StorageError(`${to} is in use: stop the service first`, { cause: error });
  }
}

/**
 * Checks the backup, and writes its blobs to the blob store and its database to the temporary file.
 * @returns the number of blobs
 */
async function extractBackup(from: string, temporaryFile: string, blobs: BlobStore | null): Promise<number> {
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
      rmSync(temporaryFile, { force: true });
      backup.prepare('VACUUM INTO ?').run(temporaryFile);
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
  // At most 3 faults are searched for; the message has the first one.
  const report = backup.pragma('integrity_check(3)', { simple: true });
  if (report !== 'ok') throw new StorageError(`${from} is damaged: ${String(report)}`);
}

/** At any moment, even if the process is killed, `to` is either the old database or the new one. */
function replaceDatabase(temporaryFile: string, to: string): Pick<RestoreResult, 'keptAside' | 'activeKeys'> {
  const copy = new Database(temporaryFile);
  let activeKeys: number;
  try {
    dropArchivedBlobs(copy);
    activeKeys = countActiveKeys(copy);
  } finally {
    copy.close();
  }
  fsyncPath(temporaryFile);
  const aside = existsSync(to) ? unusedName(`${to}.before-restore`) : null;
  if (aside !== null) {
    detachWal(to, aside);
    linkSync(to, aside);
  }
  renameSync(temporaryFile, to);
  fsyncPath(dirname(to));
  return { keptAside: aside, activeKeys };
}

/** Moves the WAL of the old database into it, or renames the WAL file, so that SQLite does not apply it to the new one. */
function detachWal(to: string, aside: string): void {
  try {
    const old = new Database(to);
    try {
      old.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      old.close();
    }
  } catch {
    // The old database is too damaged to be opened. That may be the reason for the restore.
  }
  if (existsSync(`${to}-wal`)) renameSync(`${to}-wal`, `${aside}-wal`);
  rmSync(`${to}-shm`, { force: true });
}

function unusedName(wanted: string): string {
  let name = wanted;
  for (let n = 2; existsSync(name); n++) name = `${wanted}-${n}`;
  return name;
}
