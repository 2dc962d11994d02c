/** The one error of Store and BlobStore: the medium failed (full, read-only, gone). Foreign errors go in `cause`. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}
