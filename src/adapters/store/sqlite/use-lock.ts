import Database from 'better-sqlite3';
import { translated } from './sqlite-errors.ts';

/**
 * Who uses the database, told by the operating system's locks on `<file>.lock` (an empty SQLite database), which
 * vanish with the process, also after `kill -9`. Users hold SHARED as long as they have it open, a restore EXCLUSIVE;
 * RESERVED goes beside SHARED and belongs to the one that prepares or migrates.
 */
type Level = 'shared' | 'reserved' | 'exclusive';

const BEGIN = { shared: 'BEGIN', reserved: 'BEGIN IMMEDIATE', exclusive: 'BEGIN EXCLUSIVE' } as const;

export interface UseLock {
  release(): void;
}

/**
 * Waits for at most `waitMs` (the thread sleeps), then throws `StorageError` with the cause's code `SQLITE_BUSY`.
 */
export function takeUseLock(file: string, level: Level, waitMs: number): UseLock {
  return translated(() => {
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
