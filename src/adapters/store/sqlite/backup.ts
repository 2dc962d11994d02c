import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { uuidText } from '../../../base/uuid7.ts';
import { blobOfKey, fileKey, pictureKey, recordIdOfKey } from '../../../domain/record.ts';
import { type BlobStore, StorageError, type Store } from '../../../ports/store.ts';
import { type BlobRow, blobKeysOf } from '../queries/record-store.ts';
import { CODEC_ZSTD, idBytes, packValue } from '../schema/tables.ts';
import { fsyncPath, openConnection, type SqliteConnection } from './database.ts';
import { translateErrors } from './sqlite-errors.ts';

/**
 * Makes a consistent, compact copy of a database in use. `VACUUM INTO` is one read transaction: others can write meanwhile,
 * but the WAL grows. The copy is written under another name first, so that `to` is never incomplete. Throws `StorageError`
 * if `to` exists, otherwise the errors of SQLite and the file system.
 */
export function copyDatabase(file: string, to: string): void {
  const temporaryFile = `${to}.part`;
  reserveFile(to);
  try {
    rmSync(temporaryFile, { force: true });
    const db = openConnection({ file, durability: 'normal', readonly: true });
    try {
      db.prepare('VACUUM INTO ?').run(temporaryFile);
    } finally {
      db.close();
    }
    fsyncPath(temporaryFile);
    renameSync(temporaryFile, to);
    fsyncPath(dirname(to));
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    rmSync(to, { force: true });
    throw error;
  }
}

/** Creates an empty file, so that two backups never write to the same file. Throws if it exists. */
function reserveFile(to: string): void {
  try {
    closeSync(openSync(to, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StorageError(`${to} exists already`);
    throw error;
  }
}

/**
 * The table for the blobs, which a backup has in addition to the tables of the database. It is written and read in the main
 * thread, because backups and restores run in separate processes.
 */
const BLOB_TABLE = 'backup_blobs';

interface ArchiveWriter {
  /** Keys of all blobs that records refer to. */
  readonly blobKeys: readonly string[];
  put(key: string, bytes: Uint8Array): void;
  deleteRecord(id: string): void;
  /** Removes the reference to this blob (a content, a picture or a file) from its record. */
  clearBlobReference(key: string): void;
  close(): void;
}

/** Adds the blob table to a copy of the database that nobody else uses. Throws the errors of SQLite. */
function openArchive(file: string): ArchiveWriter {
  const db = new Database(file, { fileMustExist: true });
  db.pragma('journal_mode = MEMORY');
  db.exec(`CREATE TABLE ${BLOB_TABLE} (id BLOB PRIMARY KEY, bytes BLOB NOT NULL, codec INTEGER NOT NULL)`);
  const insert = db.prepare(`INSERT INTO ${BLOB_TABLE} VALUES (?, ?, ?)`);
  const dropBody = db.prepare(
    'DELETE FROM record_bodies WHERE seq = (SELECT body FROM records WHERE id = ?)',
  );
  const dropRecord = db.prepare('DELETE FROM records WHERE id = ?');
  const dropContent = db.prepare(
    'UPDATE records SET content_encoding = NULL, content_in_blob = 0 WHERE id = ?',
  );
  const dropPictures = db.prepare('UPDATE records SET pictures = NULL, has_screenshot = 0 WHERE id = ?');
  const dropFiles = db.prepare('UPDATE records SET files = NULL WHERE id = ?');
  const drop = { content: dropContent, picture: dropPictures, file: dropFiles };
  const rows = db.prepare(
    'SELECT id, content_in_blob, pictures, files FROM records WHERE content_in_blob = 1 OR pictures IS NOT NULL OR files IS NOT NULL',
  );
  return {
    blobKeys: (rows.all() as BlobRow[]).flatMap(blobKeysOf),
    put(key, bytes) {
      insert.run(blobKeyBytes(key), ...packValue(bytes));
    },
    deleteRecord(id) {
      dropBody.run(idBytes(id));
      dropRecord.run(idBytes(id));
    },
    clearBlobReference(key) {
      drop[blobOfKey(key).kind].run(idBytes(recordIdOfKey(key)));
    },
    close: () => void db.close(),
  };
}

/** Keys of the blobs in a backup; none if it was made without blobs. */
export function archivedKeys(db: SqliteConnection): readonly string[] {
  const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(BLOB_TABLE);
  return exists === undefined
    ? []
    : (db.prepare(`SELECT id FROM ${BLOB_TABLE}`).pluck().all() as Buffer[]).map(blobKeyOf);
}

export function archivedBlob(db: SqliteConnection, key: string): Uint8Array {
  const row = db.prepare(`SELECT bytes, codec FROM ${BLOB_TABLE} WHERE id = ?`).get(blobKeyBytes(key));
  const { bytes, codec } = row as { bytes: Uint8Array; codec: number };
  return codec === CODEC_ZSTD ? zstdDecompressSync(bytes) : bytes;
}

/** Turns a backup into a database of the service, by removing the blob table. */
export function dropArchivedBlobs(db: SqliteConnection): void {
  if (archivedKeys(db).length > 0) {
    db.exec(`DROP TABLE ${BLOB_TABLE}`);
    db.exec('VACUUM');
  } else {
    db.exec(`DROP TABLE IF EXISTS ${BLOB_TABLE}`);
  }
}

/** The key of a blob in the table: the 16 bytes of the record id; for a picture also its number as one byte, for a file as two. */
function blobKeyBytes(key: string): Uint8Array {
  const id = idBytes(recordIdOfKey(key));
  const { kind, number } = blobOfKey(key);
  if (kind === 'content') return id;
  return Buffer.from(kind === 'picture' ? [...id, number] : [...id, 0, number]);
}

function blobKeyOf(bytes: Buffer): string {
  const id = uuidText(bytes.subarray(0, ID_BYTES));
  if (bytes.length === ID_BYTES) return id;
  return bytes.length === ID_BYTES + 1 ? pictureKey(id, bytes[ID_BYTES]!) : fileKey(id, bytes[ID_BYTES + 1]!);
}

const ID_BYTES = 16;

interface BackupOptions {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** Must not exist. */
  readonly file: string;
}

export interface BackupResult {
  readonly blobs: number;
  /** Keys of blobs that do not exist although a record refers to them. The records are in the backup. */
  readonly missing: readonly string[];
}

/**
 * Writes all data to one file while the service runs: first a consistent copy of the database, then the blobs of its
 * records. Records and contents that are deleted meanwhile are removed from the copy too. Rejects with `StorageError`.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupResult> {
  const file = resolve(options.file);
  const temporaryFile = `${file}.with-blobs`;
  translateErrors(() => reserveFile(file));
  try {
    rmSync(temporaryFile, { force: true });
    await options.store.backup(temporaryFile);
    const result = await addBlobs(options, temporaryFile);
    translateErrors(() => {
      fsyncPath(temporaryFile);
      renameSync(temporaryFile, file);
      fsyncPath(dirname(file));
    });
    return result;
  } catch (error) {
    for (const path of [temporaryFile, file]) rmSync(path, { force: true });
    throw error;
  }
}

async function addBlobs({ store, blobs }: BackupOptions, temporaryFile: string): Promise<BackupResult> {
  const archive = translateErrors(() => openArchive(temporaryFile));
  try {
    const missing: string[] = [];
    let blobCount = 0;
    for (const key of archive.blobKeys) {
      const bytes = await blobs.get(key);
      if (bytes !== null) {
        translateErrors(() => archive.put(key, bytes));
        blobCount++;
      } else if ((await store.records.referencedBlobs([key])).length > 0) missing.push(key);
      else {
        const id = recordIdOfKey(key);
        const anyUser = null;
        const recordExists = (await store.records.get(id, anyUser)) !== null;
        translateErrors(() => (recordExists ? archive.clearBlobReference(key) : archive.deleteRecord(id)));
      }
    }
    return { blobs: blobCount, missing };
  } finally {
    archive.close();
  }
}
