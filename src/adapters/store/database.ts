import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError } from '../../ports/store.ts';
import { takeDatabaseLock } from './file-locks.ts';
import { initial } from './migrations/0001-initial.ts';
import { sessions } from './migrations/0002-sessions.ts';
import { stats } from './migrations/0003-stats.ts';
import { pictures } from './migrations/0004-pictures.ts';
import { costs } from './migrations/0005-costs.ts';
import { experience } from './migrations/0006-experience.ts';
import type { Migration } from './migrations/migration.ts';
import { needsReopening, serializeError } from './sqlite-errors.ts';

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [initial, sessions, stats, pictures, costs, experience];

export type SqliteConnection = InstanceType<typeof Database>;

/** `PRAGMA application_id` of our databases: "Slce". */
const APPLICATION_ID = 0x536c6365;

/** 8 KiB: of the usual answers (1–4 KB) several fit on a page, which halves the file against 4 KiB. */
export const PAGE_BYTES = 8192;
/** Checkpoints are made beside the writer (`checkpointer.ts`); only where that fails a commit makes one itself. */
const AUTO_CHECKPOINT_BYTES = 256 * 1024 * 1024;
/** What a long reader (a backup) made the log grow to is cut back to this. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
const BUSY_MS = 5_000;

interface SqliteConnectionOptions {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly readonly: boolean;
}

/** Opens a prepared database. Throws what SQLite throws. */
export function openConnection(options: SqliteConnectionOptions): SqliteConnection {
  const db = new Database(options.file, {
    readonly: options.readonly,
    fileMustExist: true,
    timeout: BUSY_MS,
  });
  try {
    db.pragma('trusted_schema = OFF');
    if (!options.readonly) {
      db.pragma(`synchronous = ${options.durability === 'full' ? 'FULL' : 'NORMAL'}`);
      db.pragma('foreign_keys = ON');
      db.pragma(`wal_autocheckpoint = ${AUTO_CHECKPOINT_BYTES / PAGE_BYTES}`);
      db.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Settings that a database keeps from its birth on, and the journal mode. */
function applyFileSettings(db: SqliteConnection): void {
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
}

/**
 * A connection that is opened when it is first needed and again after a failure that it may not survive. So a
 * thread heals by itself: when the disk has room again, or is writable again, the next call succeeds.
 */
export function createReopeningConnection<T>(
  open: () => SqliteConnection,
  prepare: (db: SqliteConnection) => T,
) {
  let kept: { readonly db: SqliteConnection; readonly prepared: T } | null = null;

  function drop(): void {
    const { db } = kept ?? {};
    kept = null;
    db?.close();
  }

  function connect() {
    const db = open();
    try {
      return { db, prepared: prepare(db) };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  return {
    use<R>(work: (prepared: T, db: SqliteConnection) => R): R {
      kept ??= connect();
      try {
        return work(kept.prepared, kept.db);
      } catch (error) {
        if (kept.db.inTransaction || needsReopening(serializeError(error).code)) drop();
        throw error;
      }
    },
    close(last: (db: SqliteConnection) => void): void {
      try {
        if (kept !== null) last(kept.db);
      } finally {
        drop();
      }
    },
  };
}

const MIGRATION_WAIT_MS = 120_000;

interface PrepareDatabaseOptions {
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
export function prepareDatabase<T>(order: PrepareDatabaseOptions, open: () => T): T {
  const lock = takeDatabaseLock(order.file, 'reserved', MIGRATION_WAIT_MS);
  try {
    const db = new Database(order.file, { timeout: 5_000 });
    try {
      const version = readVersion(db, order.file, newestVersion(order.migrations));
      db.pragma('synchronous = NORMAL');
      if (version === null) applyFileSettings(db);
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

export function newestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The version of a database of ours, null for an empty one. Throws `StorageError` for others and newer ones. */
export function readVersion(db: SqliteConnection, file: string, newest: number): number | null {
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

function migrate(db: SqliteConnection, from: number | null, order: PrepareDatabaseOptions): void {
  const pending = order.migrations.filter((migration) => migration.version > (from ?? 0));
  if (pending.length === 0) return;
  if (from !== null) {
    const copy = copyBeforeMigration(db, order, newestVersion(order.migrations));
    order.log('store.migrating', { from, to: newestVersion(order.migrations), copy });
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
function copyBeforeMigration(db: SqliteConnection, order: PrepareDatabaseOptions, version: number): string {
  const copy = join(order.backupsDir ?? dirname(order.file), `${basename(order.file)}.before-${version}`);
  const part = `${copy}.part`;
  rmSync(part, { force: true });
  db.prepare('VACUUM INTO ?').run(part);
  fsyncPath(part);
  renameSync(part, copy);
  return copy;
}

/** Brings a file or folder from the caches of the system to the disk. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
