import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError } from '../../../ports/storage-error.ts';
import { openConnection } from './connection.ts';
import { flush } from './prepare-file.ts';

/**
 * A consistent, compact copy of a database in use (VACUUM INTO: one read transaction; writers go on, only their log
 * grows meanwhile). `to` must not exist; it appears whole or stays empty-handed: the copy is made under another name.
 * Throws `StorageError` when `to` exists, else what SQLite or the file system throws.
 */
export function copyDatabase(file: string, to: string): void {
  const part = `${to}.part`;
  reserve(to);
  try {
    rmSync(part, { force: true });
    const db = openConnection({ file, durability: 'normal', readonly: true });
    try {
      db.prepare('VACUUM INTO ?').run(part);
    } finally {
      db.close();
    }
    flush(part);
    renameSync(part, to);
    flush(dirname(to));
  } catch (error) {
    rmSync(part, { force: true });
    rmSync(to, { force: true });
    throw error;
  }
}

/** Takes the name, or throws: two backups never write to one file. */
export function reserve(to: string): void {
  try {
    closeSync(openSync(to, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StorageError(`${to} exists already`);
    throw error;
  }
}
