import { type BlobStore, StorageError } from '../../ports/store.ts';

/**
 * Copies all blobs that are missing in the target, and then compares all. Rejects with `StorageError`.
 * @returns number of blobs in the source
 */
export async function copyBlobs(from: BlobStore, to: BlobStore): Promise<number> {
  const there = new Set<string>();
  for await (const key of to.keys()) there.add(key);
  let count = 0;
  for await (const key of from.keys()) {
    count++;
    const bytes = await from.get(key);
    if (bytes === null) continue;
    if (!there.has(key)) await to.put(key, bytes);
    const copy = await to.get(key);
    if (copy === null || Buffer.compare(bytes, copy) !== 0)
      throw new StorageError(`the copy of the content ${key} differs from its source`);
  }
  return count;
}
