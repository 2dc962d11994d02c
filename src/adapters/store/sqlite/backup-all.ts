import { renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { recordOfKey } from '../../../domain/pictures.ts';
import type { BlobStore } from '../../../ports/blob-store.ts';
import type { Store } from '../../../ports/store.ts';
import { openArchive } from './archive.ts';
import { reserve } from './copy-database.ts';
import { flush } from './prepare-file.ts';
import { translated } from './sqlite-errors.ts';

export interface BackupOrder {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** Must not exist. */
  readonly file: string;
}

export interface BackupResult {
  readonly blobs: number;
  /** Blobs that should be there and are not: the medium was damaged before. Their records are in the backup. */
  readonly missing: readonly string[];
}

/**
 * The whole of the data in one file, while writes go on: first a consistent copy of the database, then the blobs its
 * records name. A record or content that is deleted in between leaves the copy too. Rejects with `StorageError`.
 */
export async function backupAll(order: BackupOrder): Promise<BackupResult> {
  const file = resolve(order.file);
  const part = `${file}.with-blobs`;
  translated(() => reserve(file));
  try {
    rmSync(part, { force: true });
    await order.store.backup(part);
    const result = await addBlobs(order, part);
    translated(() => {
      flush(part);
      renameSync(part, file);
      flush(dirname(file));
    });
    return result;
  } catch (error) {
    for (const path of [part, file]) rmSync(path, { force: true });
    throw error;
  }
}

async function addBlobs({ store, blobs }: BackupOrder, part: string): Promise<BackupResult> {
  const archive = translated(() => openArchive(part));
  try {
    const missing: string[] = [];
    let count = 0;
    for (const key of archive.wanted) {
      const bytes = await blobs.get(key);
      if (bytes !== null) {
        translated(() => archive.put(key, bytes));
        count++;
      } else if ((await store.records.withBlob([key])).length > 0) missing.push(key);
      else {
        const id = recordOfKey(key);
        const lives = (await store.records.get(id, null)) !== null;
        translated(() => (lives ? archive.giveUp(key) : archive.forget(id)));
      }
    }
    return { blobs: count, missing };
  } finally {
    archive.close();
  }
}
