import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError } from '../../ports/store.ts';
import { translateErrors } from './sqlite-errors.ts';

/**
 * Who uses the database, told by the operating system's locks on `<file>.lock` (an empty SQLite database), which
 * vanish with the process, also after `kill -9`. Users hold SHARED as long as they have it open, a restore EXCLUSIVE;
 * RESERVED goes beside SHARED and belongs to the one that prepares or migrates.
 */
type LockLevel = 'shared' | 'reserved' | 'exclusive';

const BEGIN = { shared: 'BEGIN', reserved: 'BEGIN IMMEDIATE', exclusive: 'BEGIN EXCLUSIVE' } as const;

export interface DatabaseLock {
  release(): void;
}

/**
 * Waits for at most `waitMs` (the thread sleeps), then throws `StorageError` with the cause's code `SQLITE_BUSY`.
 */
export function takeDatabaseLock(file: string, level: LockLevel, waitMs: number): DatabaseLock {
  return translateErrors(() => {
    const db = new Database(`${file}.lock`, { timeout: waitMs });
    try {
      db.exec(BEGIN[level]);
      // BEGIN alone locks nothing: the first read does.
      db.prepare('SELECT count(*) FROM sqlite_schema').get();
    } catch (error) {
      db.close();
      throw error;
    }
    return { release: () => void db.close() };
  });
}

/** One that is just being stopped or killed is waited for. */
const ENDING_SERVICE_WAIT_MS = 1_000;

/**
 * The lock of the one service that may run on a data folder: two would both delete what is old and both count budgets.
 * It vanishes with the process, also after `kill -9`. Throws `StorageError` when another service holds it.
 */
export function takeServiceLock(dataDir: string): DatabaseLock {
  try {
    return takeDatabaseLock(join(dataDir, 'service'), 'exclusive', ENDING_SERVICE_WAIT_MS);
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
    await makeSingleFolder(path);
  } catch (error) {
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    await makeFolder(above);
    await makeSingleFolder(path);
  }
}

async function makeSingleFolder(path: string): Promise<void> {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    const there = await stat(path).catch(() => null);
    if (there?.isDirectory() !== true) throw error;
  }
}
