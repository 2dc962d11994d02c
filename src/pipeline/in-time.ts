import { StorageError } from '../ports/storage-error.ts';

/** A medium that does not answer at all is not well either. */
const HANGS_MS = 5_000;

/** The same, but rejects with `StorageError` when the medium has not answered after five seconds. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageError('the disk does not respond')), HANGS_MS).unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
