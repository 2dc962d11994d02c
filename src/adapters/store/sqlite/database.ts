import { closeSync, fsyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { needsReopening, serializeError } from './sqlite-errors.ts';

export type SqliteConnection = InstanceType<typeof Database>;

/** Several typical answers (1–4 KB) fit on such a page, so the file is half as large as with pages of 4 KiB. */
export const PAGE_BYTES = 8192;
/** A commit makes a checkpoint only at this WAL size, because normally `checkpointer.ts` makes them in another thread. */
const AUTO_CHECKPOINT_BYTES = 256 * 1024 * 1024;
/** SQLite shortens the WAL file to this size, after a long read transaction such as a backup has made it grow. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** How long SQLite waits for a lock of another connection. */
export const BUSY_MS = 5_000;

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

/** Flushes a file or folder to the disk. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
