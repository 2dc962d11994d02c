import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { uuidText } from '../../../base/uuid7.ts';
import { numberOfKey, pictureKey, recordOfKey } from '../../../domain/pictures.ts';
import { pack, ZSTD } from '../queries/codec.ts';
import { idBytes } from '../queries/ids.ts';
import { type BlobRow, blobKeysOf } from '../queries/record-rows.ts';
import type { Connection } from './connection.ts';

/**
 * A backup in one file: a copy of the database with one more table, which holds the blobs. It runs on the calling
 * thread, for backups and restores have a process of their own.
 */
const TABLE = 'backup_blobs';

export interface ArchiveWriter {
  /** Keys of all blobs that the records name. */
  readonly wanted: readonly string[];
  put(key: string, bytes: Uint8Array): void;
  /** Takes a record out of the copy. */
  forget(id: string): void;
  /** Takes what is in this blob, a content or pictures, out of the record in the copy. */
  giveUp(key: string): void;
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
  const dropPictures = db.prepare('UPDATE records SET pictures = NULL, has_screenshot = 0 WHERE id = ?');
  const rows = db.prepare(
    'SELECT id, content_in_blob, pictures FROM records WHERE content_in_blob = 1 OR pictures IS NOT NULL',
  );
  return {
    wanted: (rows.all() as BlobRow[]).flatMap(blobKeysOf),
    put(key, bytes) {
      insert.run(keyBytes(key), ...pack(bytes));
    },
    forget(id) {
      dropBody.run(idBytes(id));
      dropRecord.run(idBytes(id));
    },
    giveUp(key) {
      const id = recordOfKey(key);
      (id === key ? dropContent : dropPictures).run(idBytes(id));
    },
    close: () => void db.close(),
  };
}

/** Keys of the blobs of a backup; none when it was made without. */
export function archivedKeys(db: Connection): readonly string[] {
  const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(TABLE);
  return exists === undefined
    ? []
    : (db.prepare(`SELECT id FROM ${TABLE}`).pluck().all() as Buffer[]).map(keyOf);
}

export function archivedBlob(db: Connection, key: string): Uint8Array {
  const row = db.prepare(`SELECT bytes, codec FROM ${TABLE} WHERE id = ?`).get(keyBytes(key));
  const { bytes, codec } = row as { bytes: Uint8Array; codec: number };
  return codec === ZSTD ? zstdDecompressSync(bytes) : bytes;
}

/** Makes a database out of a backup. */
export function dropArchived(db: Connection): void {
  if (archivedKeys(db).length > 0) {
    db.exec(`DROP TABLE ${TABLE}`);
    db.exec('VACUUM');
  } else {
    db.exec(`DROP TABLE IF EXISTS ${TABLE}`);
  }
}

/** The id of the record, and for a picture its number. */
function keyBytes(key: string): Uint8Array {
  const id = recordOfKey(key);
  return id === key ? idBytes(id) : Buffer.from([...idBytes(id), numberOfKey(key)]);
}

function keyOf(bytes: Buffer): string {
  const id = uuidText(bytes.subarray(0, ID_BYTES));
  return bytes.length === ID_BYTES ? id : pictureKey(id, bytes[ID_BYTES]!);
}

const ID_BYTES = 16;
