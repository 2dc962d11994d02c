import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';

/** A text in a file only its owner can read. What fails is thrown. */
interface PrivateFile {
  /** null: nothing is kept. */
  read(): string | null;
  /** null: nothing is to be kept any more. */
  write(text: string | null): void;
}

function privateFile(file: string): PrivateFile {
  return {
    read() {
      try {
        return readFileSync(file, 'utf8').trim();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    write(text) {
      if (text === null) {
        rmSync(file, { force: true });
        return;
      }
      // Whole under another name first: the process may be killed, and the disk be full.
      const made = `${file}.${process.pid}`;
      try {
        writeFileSync(made, text, { mode: 0o600 });
        renameSync(made, file);
      } finally {
        rmSync(made, { force: true });
      }
    },
  };
}

/** The secret of this installation, made at the first start and kept in a file only its owner can read. */
function installationSecret(file: string): string {
  const kept = privateFile(file).read();
  if (kept !== null && kept !== '') return kept;
  // Whole under another name first: a process may be killed between any two steps.
  const made = `${file}.${process.pid}`;
  writeFileSync(made, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    if (kept === null) linkSync(made, file);
    else renameSync(made, file);
  } catch (error) {
    // Of two processes that start at once, one makes it and the other reads it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

/** Where the data is; absolute. */
export function dataPaths({ dataDir }: Config) {
  const dir = resolve(dataDir);
  return { dataDir: dir, databaseFile: join(dir, 'sluice.db'), blobsDir: join(dir, 'blobs') };
}

/** Whether a Sluice has been here. Throws where that cannot be seen. */
export function hasDatabase(config: Config): boolean {
  try {
    statSync(dataPaths(config).databaseFile);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** What signs links and cursors. */
export function signingSecret(config: Config): string {
  return config.secret ?? installationSecret(join(dataPaths(config).dataDir, 'secret'));
}

/** What SLUICE_ADMIN_PASSWORD was when it was last applied to the data that is there, hashed. */
export function appliedPasswordFile(config: Config): PrivateFile {
  return privateFile(join(dataPaths(config).dataDir, 'admin-password'));
}
