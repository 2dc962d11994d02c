import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { uuidText } from '../../../base/uuid7.ts';
import { pack, ZSTD } from '../queries/codec.ts';
import { idBytes } from '../queries/ids.ts';
import type { Connection } from './connection.ts';

/**
 * A backup in one file: a copy of the database with one more table, which holds the blobs. It runs on the calling
 * thread, for backups and restores have a process of their own.
 */
const TABLE = 'backup_blobs';

export interface ArchiveWriter {
  /** Ids of the records whose content is in a blob. */
  readonly wanted: readonly string[];
  put(id: string, bytes: Uint8Array): void;
  /** Takes a record out of the copy. */
  forget(id: string): void;
  /** Takes the content of a record out of the copy. */
  giveUp(id: string): void;
  close(): void;
}

/** @param file a copy of the database that nobody else uses. Throws what SQLite throws. */
export function openArchive(file: string): ArchiveWriter {
  const db = new Database(file, { fileMustExist: true });
  db.pragma('journal_mode = MEMORY');
  db.exec(`CREATE TABLE ${TABLE} (id BLOB PRIMARY KEY, bytes BLOB NOT NULL, codec INTEGER NOT NULL)`);
  const insert = db.prepare(`INSERT INTO ${TABLE} VALUES (?, ?, ?)`);
  const dropBody = db.prepare(
    'DELETE FROM record_bodies WHERE seq = (SELECT body FROM records WHERE id = ?)',
  );
  const dropRecord = db.prepare('DELETE FROM records WHERE id = ?');
  const dropContent = db.prepare(
    'UPDATE records SET content_encoding = NULL, content_in_blob = 0 WHERE id = ?',
  );
  return {
    wanted: idsOf(db, 'SELECT id FROM records WHERE content_in_blob = 1'),
    put(id, bytes) {
      insert.run(idBytes(id), ...pack(bytes));
    },
    forget(id) {
      dropBody.run(idBytes(id));
      dropRecord.run(idBytes(id));
    },
    giveUp: (id) => void dropContent.run(idBytes(id)),
    close: () => void db.close(),
  };
}

/** Ids of the blobs of a backup; none when it was made without. */
export function archivedIds(db: Connection): readonly string[] {
  const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(TABLE);
  return exists === undefined ? [] : idsOf(db, `SELECT id FROM ${TABLE}`);
}

export function archivedBlob(db: Connection, id: string): Uint8Array {
  const row = db.prepare(`SELECT bytes, codec FROM ${TABLE} WHERE id = ?`).get(idBytes(id));
  const { bytes, codec } = row as { bytes: Uint8Array; codec: number };
  return codec === ZSTD ? zstdDecompressSync(bytes) : bytes;
}

/** Makes a database out of a backup. */
export function dropArchived(db: Connection): void {
  if (archivedIds(db).length > 0) {
    db.exec(`DROP TABLE ${TABLE}`);
    db.exec('VACUUM');
  } else {
    db.exec(`DROP TABLE IF EXISTS ${TABLE}`);
  }
}

function idsOf(db: Connection, sql: string): readonly string[] {
  return (db.prepare(sql).pluck().all() as Buffer[]).map(uuidText);
}
