import Database from 'better-sqlite3';
import { StorageError, type Store } from '../../../ports/store.ts';
import type { Migration } from '../schema/migrations/migration.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { BUSY_MS, PAGE_BYTES, type SqliteConnection } from './database.ts';
import { type DatabaseLock, takeDatabaseLock } from './file-locks.ts';

/** `PRAGMA application_id` of our databases: "Slce". */
const APPLICATION_ID = 0x536c6365;

/** How long to wait for another process that migrates the database. */
const MIGRATION_WAIT_MS = 120_000;
/** Other processes that only open the database are done sooner. */
const OPENING_MS = 1_000;

/** Versions of the schema before the database was opened, and now. */
export type SchemaChange = Store['schema'];

interface PrepareDatabaseOptions {
  readonly file: string;
  readonly migrations: readonly Migration[];
  /** Gets `store.migrating` before an older database is migrated, and when another process has begun that. */
  readonly log: (event: string, fields: Record<string, unknown>) => void;
}

/**
 * Creates the database, or checks that Sluice made it and migrates it to the newest version. One process does this at a time,
 * others wait. Throws `StorageError` for a database of another program or of a newer version, otherwise the errors of SQLite.
 * @param open opens the connection for further use, and is called before the one used here is closed: closing the last
 * connection makes a checkpoint of the whole WAL, so that a start after `kill -9` would be slow
 */
export function prepareDatabase<T>(options: PrepareDatabaseOptions, open: (change: SchemaChange) => T): T {
  const lock = takeMigrationLock(options);
  try {
    const db = new Database(options.file, { timeout: BUSY_MS });
    try {
      const now = newestVersion(options.migrations);
      const before = readVersion(db, options.file, now);
      db.pragma('synchronous = NORMAL');
      if (before === null) applyFileSettings(db);
      // A restored or copied file may not be in WAL mode.
      else if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL');
      migrate(db, before, options);
      return open({ before, now });
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
}

function takeMigrationLock({ file, log }: PrepareDatabaseOptions): DatabaseLock {
  try {
    return takeDatabaseLock(file, 'reserved', OPENING_MS);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code !== 'SQLITE_BUSY') throw error;
    log('store.migrating', { by: 'another process' });
    return takeDatabaseLock(file, 'reserved', MIGRATION_WAIT_MS);
  }
}

export function newestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/**
 * The schema version; null: the database is empty. Throws `StorageError` for one of another program, of a newer version, or of a
 * state of the development before the initial migration.
 */
export function readVersion(db: SqliteConnection, file: string, newest: number): number | null {
  const application = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true }) as number;
  if (application === APPLICATION_ID) {
    if (version < MIGRATIONS[0]!.version)
      throw new StorageError(
        `${file} was made by a Sluice from before version 0.1: its schema has version ${version}, and this program needs at least ${MIGRATIONS[0]!.version}. Update it once with \`sluice migrate\` of commit fae8ce03, then start this one again`,
      );
    if (version <= newest) return version;
    throw new StorageError(
      `${file} was written by a newer Sluice: its schema has version ${version}, this program knows ${newest}`,
    );
  }
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (application === 0 && version === 0 && tables === 0) return null;
  throw new StorageError(`${file} is a database of another program, not of Sluice`);
}

/** Each migration is one transaction. None reads the records, so this takes no longer for a large database. */
function migrate(
  db: SqliteConnection,
  from: number | null,
  { migrations, log }: PrepareDatabaseOptions,
): void {
  const pending = migrations.filter((migration) => migration.version > (from ?? 0));
  if (pending.length === 0) return;
  if (from !== null) log('store.migrating', { from, to: newestVersion(migrations) });
  for (const { version, statements, backfill } of pending) {
    db.transaction(() => {
      for (const statement of statements) db.exec(statement);
      if (backfill !== undefined)
        // The empty value sorts before every key.
        db.prepare(`INSERT INTO backfills (version, after) VALUES (?, x'')`).run(version);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${version}`);
    }).immediate();
  }
}

/** Settings that must be made before the first table is created. */
function applyFileSettings(db: SqliteConnection): void {
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
}
