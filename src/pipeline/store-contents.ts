import { blobKeys, fileKey, filesOf, type NewRecord, pictureKey, picturesOf } from '../domain/record.ts';
import type { Scrape } from '../domain/scrape.ts';
import { type BlobStore, ContentsError, type StorageHealth, withStorageTimeout } from '../ports/store.ts';

interface ContentsDeps {
  readonly blobs: BlobStore;
  readonly health: Pick<StorageHealth, 'contentsProblem'>;
}

/** Stores what is too large for the record, before the record. Rejects with `StorageError`. */
export async function storeContents(
  { blobs, health }: ContentsDeps,
  record: NewRecord,
  scrape: Scrape,
): Promise<void> {
  if (blobKeys(record).length === 0) return;
  const problem = health.contentsProblem();
  // Without waiting for what is known to fail.
  if (problem !== null) throw new ContentsError(problem);
  const { id } = record;
  const { page, content } = scrape.delivered!;
  if (record.contentInBlob) await put(blobs, id, content!.bytes);
  if (record.pictures.length > 0)
    for (const [number, picture] of picturesOf(page).entries())
      if (picture !== null) await put(blobs, pictureKey(id, number), picture.bytes);
  if (record.files.length > 0)
    for (const [number, file] of filesOf(page).entries())
      if (file !== null) await put(blobs, fileKey(id, number), file.bytes);
}

async function put(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await withStorageTimeout(blobs.put(key, bytes), blobs.putTimeoutMs);
  } catch (error) {
    if (!blobs.isApart || error instanceof ContentsError) throw error;
    throw new ContentsError('large contents cannot be stored in time', { cause: error });
  }
}
