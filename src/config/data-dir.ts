import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EncryptionKey } from '../domain/sealing.ts';
import type { Config } from './config.ts';
import { encryptionKeys as parseEncryptionKeys } from './parsers.ts';

/** A file with one text, which only its owner can read. The methods throw errors of the file system. */
export interface PrivateFile {
  /** @returns null: there is no file */
  read(): string | null;
  /** @param text null: delete the file */
  write(text: string | null): void;
}

export function privateFile(file: string): PrivateFile {
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
      if (text === null) rmSync(file, { force: true });
      else writeAtomically(file, text, renameSync);
    },
  };
}

/**
 * Writes a temporary file and moves it into place: if the process is killed or the disk is full, no half-written file
 * remains.
 * @param move `renameSync` replaces an existing file, `linkSync` fails with EEXIST
 */
function writeAtomically(file: string, text: string, move: (from: string, to: string) => void): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    move(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

const randomSecret = (): string => randomBytes(32).toString('base64url');

/** The secret in the file. If there is none, a random one (32 bytes in base64url) is created and stored. */
function readOrCreateSecret(file: string): string {
  const existing = privateFile(file).read();
  if (existing !== null && existing !== '') return existing;
  try {
    // An empty file is replaced. A missing one is only created: another process may be creating it too.
    writeAtomically(file, randomSecret(), existing === null ? linkSync : renameSync);
  } catch (error) {
    // If two processes start at once, one creates the file and the other reads it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** Absolute paths of the data. */
export function dataPaths({ dataDir }: Config) {
  const dir = resolve(dataDir);
  return { dataDir: dir, databaseFile: join(dir, 'sluice.db'), blobsDir: join(dir, 'blobs') };
}

/** Whether the data folder has a database. Throws when the folder cannot be read. */
export function hasDatabase(config: Config): boolean {
  try {
    statSync(dataPaths(config).databaseFile);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** The secret for signing links and cursors. */
export function signingSecret(config: Config): string {
  return config.secret ?? readOrCreateSecret(join(dataPaths(config).dataDir, 'secret'));
}

const encryptionKeyPath = (config: Config): string => join(dataPaths(config).dataDir, 'encryption-key');

/**
 * The keys that encrypt what is stored, the newest first. Without SLUICE_ENCRYPTION_KEY they are in a file of the data folder,
 * which is created if it does not exist.
 * @returns a message if the file has something else
 */
export function encryptionKeys(config: Config): readonly EncryptionKey[] | string {
  if (config.encryptionKeys !== null) return config.encryptionKeys;
  const file = encryptionKeyPath(config);
  const { value, problem } = parseEncryptionKeys(readOrCreateSecret(file));
  return problem === null ? value : `${file} ${problem}`;
}

/** The keys in the data folder, even if SLUICE_ENCRYPTION_KEY is set. Creates no file. */
export function storedEncryptionKeys(config: Config): readonly EncryptionKey[] {
  return parseEncryptionKeys(privateFile(encryptionKeyPath(config)).read() ?? '').value ?? [];
}

/** Puts a new key before those in the data folder, which stay. */
export function addEncryptionKey(config: Config): void {
  const file = encryptionKeyPath(config);
  const older = readOrCreateSecret(file);
  privateFile(file).write(`${randomSecret()}\n${older}\n`);
}

/** Contains a hash of the SLUICE_ADMIN_PASSWORD that was applied last. */
export function appliedPasswordFile(config: Config): PrivateFile {
  return privateFile(join(dataPaths(config).dataDir, 'admin-password'));
}
