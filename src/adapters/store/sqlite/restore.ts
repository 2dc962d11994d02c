import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { BlobStore } from '../../../ports/blob-store.ts';
import { StorageError } from '../../../ports/storage-error.ts';
import { archivedBlob, archivedKeys, dropArchived } from './archive.ts';
import type { Connection } from './connection.ts';
import { countLiveKeys } from './count-live-keys.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { flush, newestOf, readVersion } from './prepare-file.ts';
import { translated } from './sqlite-errors.ts';
import { takeUseLock } from './use-lock.ts';

/** Somebody who only looks something up is waited for; a running service is not. */
const IN_USE_MS = 1_000;

export interface RestoreOrder {
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
export function restoreSqlite(order: RestoreOrder): Promise<RestoreResult> {
  return restore(order, null);
}

/**
 * Puts a whole backup in place: the blobs first, then the database in one step. Blobs of the old database that the
 * new one does not name become orphans. Rejects with `StorageError`, and then the target database is as it was.
 */
export function restoreAll(order: RestoreOrder & { readonly blobs: BlobStore }): Promise<RestoreResult> {
  return restore(order, order.blobs);
}

async function restore(order: RestoreOrder, blobs: BlobStore | null): Promise<RestoreResult> {
  const to = resolve(order.to);
  assertBackup(order.from);
  translated(() => mkdirSync(dirname(to), { recursive: true, mode: 0o700 }));
  if (order.force !== true && existsSync(to)) throw new StorageError(`${to} exists; --force replaces it`);
  const lock = takeFree(to);
  const part = `${to}.restoring`;
  try {
    const count = await unpack(order.from, part, blobs);
    return { blobs: count, ...translated(() => replace(part, to)) };
  } finally {
    for (const path of [part, `${part}-journal`]) rmSync(path, { force: true });
    lock.release();
  }
}

function takeFree(to: string) {
  try {
    return takeUseLock(to, 'exclusive', IN_USE_MS);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code !== 'SQLITE_BUSY') throw error;
    throw new StorageError(`${to} is in use: stop the service first`, { cause: error });
  }
}

/** Checks the backup, writes its blobs out and its database to `part`. */
async function unpack(from: string, part: string, blobs: BlobStore | null): Promise<number> {
  const backup = openBackup(from);
  try {
    translated(() => assertSound(backup, from));
    const keys = blobs === null ? [] : translated(() => archivedKeys(backup));
    for (const key of keys)
      await blobs?.put(
        key,
        translated(() => archivedBlob(backup, key)),
      );
    translated(() => {
      rmSync(part, { force: true });
      backup.prepare('VACUUM INTO ?').run(part);
    });
    return keys.length;
  } finally {
    backup.close();
  }
}

function openBackup(file: string): Connection {
  return translated(() => {
    const backup = new Database(resolve(file), { readonly: true, fileMustExist: true });
    try {
      const version = readVersion(backup, file, newestOf(MIGRATIONS));
      if (version === null || version === 0) throw new StorageError(`${file} is no backup of Sluice`);
      return backup;
    } catch (error) {
      backup.close();
      throw error;
    }
  });
}

function assertSound(backup: Connection, from: string): void {
  const report = backup.pragma('integrity_check(3)', { simple: true });
  if (report !== 'ok') throw new StorageError(`${from} is damaged: ${String(report)}`);
}

/** The name `to` is at every moment either the old database or the new one, also when the process is killed. */
function replace(part: string, to: string): Pick<RestoreResult, 'keptAside' | 'liveKeys'> {
  const copy = new Database(part);
  let liveKeys: number;
  try {
    dropArchived(copy);
    liveKeys = countLiveKeys(copy);
  } finally {
    copy.close();
  }
  flush(part);
  const aside = existsSync(to) ? freeName(`${to}.before-restore`) : null;
  if (aside !== null) {
    emptyLog(to, aside);
    linkSync(to, aside);
  }
  renameSync(part, to);
  flush(dirname(to));
  return { keptAside: aside, liveKeys };
}

/** The log of the old database must not be applied to the new one: it goes into the old, or aside with it. */
function emptyLog(to: string, aside: string): void {
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

function freeName(wish: string): string {
  let name = wish;
  for (let n = 2; existsSync(name); n++) name = `${wish}-${n}`;
  return name;
}
