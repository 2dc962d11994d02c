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
import { files } from './migrations/0007-files.ts';
import { jobs } from './migrations/0008-jobs.ts';
import { scopeJobs } from './migrations/0009-scope-jobs.ts';
import { templates } from './migrations/0010-templates.ts';
import { encryptionKeys } from './migrations/0011-encryption-keys.ts';
import { webhooks } from './migrations/0012-webhooks.ts';
import { monitors } from './migrations/0013-monitors.ts';
import { idempotency } from './migrations/0014-idempotency.ts';
import { crawls } from './migrations/0015-crawls.ts';
import { userLimits } from './migrations/0016-user-limits.ts';
import { jobBlocks } from './migrations/0017-job-blocks.ts';
import { webhookContents } from './migrations/0018-webhook-contents.ts';
import { sharedContents } from './migrations/0019-shared-contents.ts';
import { serviceSecrets } from './migrations/0020-service-secrets.ts';
import type { Migration } from './migrations/migration.ts';
import { needsReopening, serializeError } from './sqlite-errors.ts';

/** Ordered by version, without gaps. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  sessions,
  stats,
  pictures,
  costs,
  experience,
  files,
  jobs,
  scopeJobs,
  templates,
  encryptionKeys,
  webhooks,
  monitors,
  idempotency,
  crawls,
  userLimits,
  jobBlocks,
  webhookContents,
  sharedContents,
  serviceSecrets,
];

export type SqliteConnection = InstanceType<typeof Database>;

/** `PRAGMA application_id` of our databases: "Slce". */
const APPLICATION_ID = 0x536c6365;

/** Several typical answers (1–4 KB) fit on such a page, so the file is half as large as with pages of 4 KiB. */
export const PAGE_BYTES = 8192;
/** A commit makes a checkpoint only at this WAL size, because normally `checkpointer.ts` makes them in another thread. */
const AUTO_CHECKPOINT_BYTES = 256 * 1024 * 1024;
/** SQLite shortens the WAL file to this size, after a long read transaction such as a backup has made it grow. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** How long SQLite waits for a lock of another connection. */
const BUSY_MS = 5_000;

interface SqliteConnectionOptions {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly readonly: boolean;
}

/** Opens a prepared database. Throws the errors of SQLite. */
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

/** Settings that must be made before the first table is created. */
function applyFileSettings(db: SqliteConnection): void {
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
}

/**
 * A connection that is opened on first use, and reopened after errors that may have broken it. So a thread recovers without
 * a restart: once the disk has space again, or is writable again, the next call succeeds.
 * @param prepare makes the prepared statements of a connection, which `use` passes to its work
 */
export function createReopeningConnection<T>(
  open: () => SqliteConnection,
  prepare: (db: SqliteConnection) => T,
) {
  let current: { readonly db: SqliteConnection; readonly prepared: T } | null = null;

  function disconnect(): void {
    const { db } = current ?? {};
    current = null;
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
      current ??= connect();
      try {
        return work(current.prepared, current.db);
      } catch (error) {
        if (current.db.inTransaction || needsReopening(serializeError(error).code)) disconnect();
        throw error;
      }
    },
    close(beforeClose: (db: SqliteConnection) => void = () => {}): void {
      try {
        if (current !== null) beforeClose(current.db);
      } finally {
        disconnect();
      }
    },
  };
}

/** How long to wait for another process that migrates the database. */
const MIGRATION_WAIT_MS = 120_000;

interface PrepareDatabaseOptions {
  readonly file: string;
  /** Folder of the copy made before a migration; null: the folder of the file. */
  readonly backupsDir: string | null;
  readonly migrations: readonly Migration[];
  readonly log: (event: string, fields: Record<string, unknown>) => void;
}

/**
 * Creates the database, or checks that Sluice made it and migrates it to the newest version. One process does this at a time,
 * others wait. Throws `StorageError` for a database of another program or of a newer version, otherwise the errors of SQLite.
 * @param open opens the connection for further use, and is called before the one used here is closed: closing the last
 * connection makes a checkpoint of the whole WAL, so that a start after `kill -9` would be slow
 */
export function prepareDatabase<T>(options: PrepareDatabaseOptions, open: () => T): T {
  const lock = takeDatabaseLock(options.file, 'reserved', MIGRATION_WAIT_MS);
  try {
    const db = new Database(options.file, { timeout: BUSY_MS });
    try {
      const version = readVersion(db, options.file, newestVersion(options.migrations));
      db.pragma('synchronous = NORMAL');
      if (version === null) applyFileSettings(db);
      // A restored or copied file may not be in WAL mode.
      else if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL');
      migrate(db, version, options);
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

/** The schema version; null: the database is empty. Throws `StorageError` for one of another program or a newer version. */
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

function migrate(db: SqliteConnection, from: number | null, options: PrepareDatabaseOptions): void {
  const pending = options.migrations.filter((migration) => migration.version > (from ?? 0));
  if (pending.length === 0) return;
  if (from !== null) {
    const copy = copyBeforeMigration(db, options, newestVersion(options.migrations));
    options.log('store.migrating', { from, to: newestVersion(options.migrations), copy });
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

/** Copies the database to `<file>.before-<version>`. Replaces the copy of an earlier attempt at the same migration. */
function copyBeforeMigration(db: SqliteConnection, options: PrepareDatabaseOptions, version: number): string {
  const copy = join(
    options.backupsDir ?? dirname(options.file),
    `${basename(options.file)}.before-${version}`,
  );
  const temporaryFile = `${copy}.part`;
  rmSync(temporaryFile, { force: true });
  db.prepare('VACUUM INTO ?').run(temporaryFile);
  fsyncPath(temporaryFile);
  renameSync(temporaryFile, copy);
  return copy;
}

/** Flushes a file or folder to the disk. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
