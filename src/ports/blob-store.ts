/**
 * Contents too large for the database. Every implementation keeps this: what `put` has resolved for is what `get`
 * gives until `delete`, also after a crash; a half-written blob is never seen; `delete` of what is not there is fine.
 * Keys are `[0-9a-f-]{1,64}`.
 */
export interface BlobStore {
  /** Resolves when it is stored. Rejects with `StorageError`. Once it has settled nobody looks at `bytes` any more. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or null when there is no such blob. */
  get(key: string): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
  /** Keys in no particular order, for sweeping orphans. */
  keys(): AsyncIterable<string>;
  /** Bytes that all blobs take. The first call looks at every blob, later ones only add up what this process does. */
  usage(): Promise<number>;
  /** Resolves when the medium takes a blob of a MiB now; rejects with `StorageError`. */
  check(): Promise<void>;
  close(): Promise<void>;
}
