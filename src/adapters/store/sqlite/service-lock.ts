import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StorageError } from '../../../ports/storage-error.ts';
import { takeUseLock, type UseLock } from './use-lock.ts';

/** One that is just being stopped or killed is waited for. */
const ENDING_MS = 1_000;

/**
 * The lock of the one service that may run on a data folder: two would both delete what is old and both count budgets.
 * It vanishes with the process, also after `kill -9`. Throws `StorageError` when another service holds it.
 */
export function takeServiceLock(dataDir: string): UseLock {
  try {
    return takeUseLock(join(dataDir, 'service'), 'exclusive', ENDING_MS);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY')
      throw new StorageError(`the folder of SLUICE_DATA_DIR, ${dataDir}, cannot be written to`, {
        cause: error,
      });
    if (code !== 'SQLITE_BUSY') throw error;
    throw new StorageError(
      `another Sluice service is running on ${dataDir}: stop it first, or set SLUICE_DATA_DIR to a folder of its own`,
      { cause: error },
    );
  }
}

/** Only for its owner. Rejects with `StorageError` where it cannot be made. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
  } catch (error) {
    throw new StorageError(`the folder of SLUICE_DATA_DIR cannot be made: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Not by `recursive`, which tries for ever where the system says of a folder that is there that it is not (`/proc`). */
async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    await makeFolder(above);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    const there = await stat(path).catch(() => null);
    if (there?.isDirectory() !== true) throw error;
  }
}
