import Database from 'better-sqlite3';

export type Connection = InstanceType<typeof Database>;

/** `PRAGMA application_id` of our databases: "Slce". */
export const APPLICATION_ID = 0x536c6365;

/** 8 KiB: of the usual answers (1–4 KB) several fit on a page, which halves the file against 4 KiB. */
export const PAGE_BYTES = 8192;
/** Checkpoints are made beside the writer (`checkpointer.ts`); only where that fails a commit makes one itself. */
const WAL_BYTES = 256 * 1024 * 1024;
/** What a long reader (a backup) made the log grow to is cut back to this. */
const WAL_KEPT_BYTES = 64 * 1024 * 1024;
const BUSY_MS = 5_000;

export interface ConnectionOptions {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly readonly: boolean;
}

/** Opens a prepared database. Throws what SQLite throws. */
export function openConnection(options: ConnectionOptions): Connection {
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
      db.pragma(`wal_autocheckpoint = ${WAL_BYTES / PAGE_BYTES}`);
      db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Settings that a database keeps from its birth on, and the journal mode. */
export function giveBirth(db: Connection): void {
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
}
