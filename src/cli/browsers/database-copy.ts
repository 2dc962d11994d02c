import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { CommandError } from '../core/command.ts';

const COPIES = 5;
/** Beside the database: changes that are not in it yet, or are to be undone. SQLite applies them when it opens the copy. */
const PARTS = ['', '-wal', '-journal'];

/**
 * Reads a copy of a database that a running browser holds locked. The copy is in a temporary folder of the user, for as long as `read`
 * takes.
 * @throws CommandError if it cannot be copied, or is no database
 */
export async function readDatabaseCopy<T>(file: string, read: (database: Database) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cookies-'));
  try {
    const copy = join(folder, 'cookies.sqlite');
    await copyUnchanged(file, copy);
    const { default: Sqlite } = await import('better-sqlite3');
    const database = new Sqlite(copy);
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A copy of files that change meanwhile would be of no moment: then all are copied again. */
async function copyUnchanged(file: string, copy: string): Promise<void> {
  for (let i = 0; i < COPIES; i++) {
    const before = await stampOf(file);
    for (const part of PARTS) {
      await rm(copy + part, { force: true });
      await copyFile(file + part, copy + part).catch(ignoreMissing);
    }
    if ((await stampOf(file)) === before) return;
  }
  throw new CommandError(`${file} changes all the time: close the browser, and try again`);
}

async function stampOf(file: string): Promise<string> {
  const stats = await Promise.all(PARTS.map((part) => stat(file + part).catch(ignoreMissing)));
  if (stats[0] === null) throw new CommandError(`${file} does not exist`);
  return JSON.stringify(stats.map((part) => (part === null ? null : [part.ino, part.size, part.mtimeMs])));
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
