import type { BlobStore } from '../../ports/store.ts';

/**
 * Stores in `first`, and reads what is not there from `older`, where the blobs were stored before the operator chose `first`.
 * Closes both.
 */
export function layeredBlobStore(first: BlobStore, older: BlobStore): BlobStore {
  return {
    putTimeoutMs: first.putTimeoutMs,
    isApart: first.isApart,
    put: (key, bytes) => first.put(key, bytes),
    get: async (key) => (await first.get(key)) ?? (await older.get(key)),
    async delete(key) {
      await older.delete(key);
      await first.delete(key);
    },
    async *keys() {
      yield* older.keys();
      yield* first.keys();
    },
    usage: async () => (await first.usage()) + (await older.usage()),
    check: () => first.check(),
    async close() {
      await Promise.all([first.close(), older.close()]);
    },
  };
}
