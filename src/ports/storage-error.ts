/** The one error of Store and BlobStore: the medium failed (full, read-only, gone). Foreign errors go in `cause`. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

const FULL = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

/** Whether the medium is well, and only full. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && FULL.has(code);
}
