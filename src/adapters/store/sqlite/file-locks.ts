import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { DataInUse, StorageError } from '../../../ports/store.ts';
import { translateErrors } from './sqlite-errors.ts';

/**
 * The kind of SQLite lock on `<file>.lock`, an empty database. The operating system releases it when the process ends, even
 * after `kill -9`. A process holds `shared` while it has the database open, and `exclusive` during a restore. `reserved` is
 * compatible with `shared`; the process that creates or migrates the database holds it.
 */
type LockLevel = 'shared' | 'reserved' | 'exclusive';

const BEGIN = { shared: 'BEGIN', reserved: 'BEGIN IMMEDIATE', exclusive: 'BEGIN EXCLUSIVE' } as const;

export interface DatabaseLock {
  release(): void;
}

/** Blocks the thread for at most `waitMs`, then throws `StorageError` whose cause has the code `SQLITE_BUSY`. */
export function takeDatabaseLock(file: string, level: LockLevel, waitMs: number): DatabaseLock {
  return translateErrors(() => {
    const db = new Database(`${file}.lock`, { timeout: waitMs });
    try {
      db.exec(BEGIN[level]);
      // BEGIN alone takes no lock; the first read does.
      db.prepare('SELECT count(*) FROM sqlite_schema').get();
    } catch (error) {
      db.close();
      throw error;
    }
    return { release: () => void db.close() };
  });
}

/** How long to wait for a service that is just stopping. */
const ENDING_SERVICE_WAIT_MS = 1_000;

/**
 * Takes the lock that allows only one service for each data folder: each of two would apply retention, and count budgets and
 * requests in flight, on its own. Throws `DataInUse` if another service holds it.
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
    throw new DataInUse(
      `another Sluice service is running on ${dataDir}: stop it first, or set SLUICE_DATA_DIR to a folder of its own`,
      { cause: error },
    );
  }
}

/** Creates the data folder, accessible to its owner only. Rejects with `StorageError` if that fails. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
  } catch (error) {
    throw new StorageError(`the folder of SLUICE_DATA_DIR cannot be made: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Not `mkdir` with `recursive`: in `/proc`, it never ends, because the parent exists but `mkdir` fails with ENOENT. */
async function makeFolder(path: string): Promise<void> {
  try {
    await makeSingleFolder(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeFolder(parent);
    await makeSingleFolder(path);
  }
}

async function makeSingleFolder(path: string): Promise<void> {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    const stats = await stat(path).catch(() => null);
    if (stats?.isDirectory() !== true) throw error;
  }
}
