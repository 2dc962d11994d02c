import { ConflictError, StorageError } from '../../../ports/store.ts';

/** An error as sent between threads. Structured cloning would lose its code. */
export interface SerializedError {
  readonly code: string;
  readonly message: string;
}

/** The code of an invalid value, such as an id that is not a UUID: a bug of the caller, not a failure of the storage. */
export const BAD_VALUE = 'BAD_VALUE';
const STORAGE_CODE = 'STORAGE';

/** Messages for people, by prefix of the code. The message of SQLite is appended. */
const MESSAGES_BY_CODE: readonly (readonly [string, string])[] = [
  ['SQLITE_FULL', 'no space left on the disk'],
  ['SQLITE_READONLY', 'the database cannot be written to'],
  ['SQLITE_CANTOPEN', 'the database cannot be opened'],
  ['SQLITE_CORRUPT', 'the database is damaged'],
  ['SQLITE_NOTADB', 'the file is not a database, or is damaged'],
  ['SQLITE_IOERR', 'the disk fails'],
  ['SQLITE_BUSY', 'another process holds the database'],
];

export function serializeError(error: unknown): SerializedError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (error instanceof StorageError) return { code: STORAGE_CODE, message: error.message };
  // better-sqlite3 throws a TypeError if the folder does not exist, which is not a bug of the caller.
  if (String(message).startsWith('Cannot open database')) {
    return { code: 'SQLITE_CANTOPEN', message: String(message) };
  }
  if (error instanceof TypeError || error instanceof RangeError) {
    return { code: BAD_VALUE, message: error.message };
  }
  return { code: typeof code === 'string' ? code : 'UNKNOWN', message: String(message) };
}

/** Converts an error from another thread to an error of the ports (`StorageError`, `ConflictError`), whose `cause` has the code of SQLite. */
export function deserializeError({ code, message }: SerializedError): Error {
  if (code === BAD_VALUE) return new TypeError(message);
  if (code === STORAGE_CODE) return new StorageError(message);
  const cause = Object.assign(new Error(message), { code });
  if (isConflict(code)) return new ConflictError(message, { cause });
  const summary = MESSAGES_BY_CODE.find(([prefix]) => code.startsWith(prefix))?.[1];
  return new StorageError(summary === undefined ? message : `${summary} (${message})`, { cause });
}

/** Runs `work`, and converts errors of SQLite into errors of the ports. */
export function translateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw deserializeError(serializeError(error));
  }
}

export function isConflict(code: string): boolean {
  return code.startsWith('SQLITE_CONSTRAINT');
}

/** Errors after which a new connection may work while the old one does not. */
export function needsReopening(code: string): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|NOMEM|MISUSE|PROTOCOL)/.test(code);
}
