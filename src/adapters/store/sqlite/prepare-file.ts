import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError } from '../../../ports/storage-error.ts';
import { APPLICATION_ID, type Connection, giveBirth } from './connection.ts';
import type { Migration } from './migrations/migration.ts';
import { takeUseLock } from './use-lock.ts';

const MIGRATING_MS = 120_000;

export interface PrepareOrder {
  readonly file: string;
  /** Where the copy before a migration goes; null: beside the file. */
  readonly backupsDir: string | null;
  readonly migrations: readonly Migration[];
  readonly log: (event: string, fields: Record<string, unknown>) => void;
}

/**
 * Makes the database ready: creates it, or checks that it is ours and brings it to the newest version. One process at
 * a time; others wait. Throws `StorageError` for what is not our database or newer than we are, else what SQLite throws.
 * @param open opens what goes on with it. The last connection that closes moves the whole log and waits for the disk;
 * so there is another by then, and a start after `kill -9` is quick.
 */
export function prepareFile<T>(order: PrepareOrder, open: () => T): T {
  const lock = takeUseLock(order.file, 'reserved', MIGRATING_MS);
  try {
    const db = new Database(order.file, { timeout: 5_000 });
    try {
      const version = readVersion(db, order.file, newestOf(order.migrations));
      db.pragma('synchronous = NORMAL');
      if (version === null) giveBirth(db);
      // A restored or copied file may have left WAL mode.
      else if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL');
      migrate(db, version, order);
      return open();
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
}

export function newestOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The version of a database of ours, null for an empty one. Throws `StorageError` for others and newer ones. */
export function readVersion(db: Connection, file: string, newest: number): number | null {
  const application = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true }) as number;
  if (application === APPLICATION_ID) {
    if (version <= newest) return version;
    throw new StorageError(
      `${file} was written by a newer Sluice: its schema has version ${version}, this program knows ${newest}`,
    );
  }
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (application === 0 && version === 0 && tables === 0) return null;
  throw new StorageError(`${file} is a database of another program, not of Sluice`);
}

function migrate(db: Connection, from: number | null, order: PrepareOrder): void {
  const pending = order.migrations.filter((migration) => migration.version > (from ?? 0));
  if (pending.length === 0) return;
  if (from !== null) {
    const copy = copyBefore(db, order, newestOf(order.migrations));
    order.log('store.migrating', { from, to: newestOf(order.migrations), copy });
  }
  db.pragma('foreign_keys = OFF');
  for (const migration of pending) {
    db.transaction(() => {
      for (const statement of migration.statements) db.exec(statement);
      if ((db.pragma('foreign_key_check') as unknown[]).length > 0) {
        throw new StorageError(`migration ${migration.version} (${migration.name}) left dangling references`);
      }
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${migration.version}`);
    }).immediate();
  }
}

/** A copy of an earlier try is of the same version and is replaced. */
function copyBefore(db: Connection, order: PrepareOrder, version: number): string {
  const copy = join(order.backupsDir ?? dirname(order.file), `${basename(order.file)}.before-${version}`);
  const part = `${copy}.part`;
  rmSync(part, { force: true });
  db.prepare('VACUUM INTO ?').run(part);
  flush(part);
  renameSync(part, copy);
  return copy;
}

/** Brings a file or folder from the caches of the system to the disk. */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
