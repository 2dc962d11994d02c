import { ConflictError, StorageError } from '../../ports/store.ts';

/** An error on its way between threads: clones of errors lose their code. */
export interface SerializedError {
  readonly code: string;
  readonly message: string;
}

/** The code of an id that is none: a bug of the caller, no failure of the medium. */
export const BAD_VALUE = 'BAD_VALUE';
const STORAGE_CODE = 'STORAGE';

/** What people should read first; the words of SQLite follow. */
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
  // better-sqlite3 says this as a TypeError; that the folder is gone is no bug of the caller.
  if (String(message).startsWith('Cannot open database')) {
    return { code: 'SQLITE_CANTOPEN', message: String(message) };
  }
  if (error instanceof TypeError || error instanceof RangeError) {
    return { code: BAD_VALUE, message: error.message };
  }
  return { code: typeof code === 'string' ? code : 'UNKNOWN', message: String(message) };
}

/** The error that the ports promise. `cause` has SQLite's code. */
export function deserializeError(note: SerializedError): Error {
  if (note.code === BAD_VALUE) return new TypeError(note.message);
  if (note.code === STORAGE_CODE) return new StorageError(note.message);
  const cause = Object.assign(new Error(note.message), { code: note.code });
  if (isConflict(note.code)) return new ConflictError(note.message, { cause });
  const words = MESSAGES_BY_CODE.find(([code]) => note.code.startsWith(code))?.[1];
  return new StorageError(words === undefined ? note.message : `${words} (${note.message})`, { cause });
}

/** For code on this side of the threads. */
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

/** After these a new connection has better chances than the old one. */
export function needsReopening(code: string): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|NOMEM|MISUSE|PROTOCOL)/.test(code);
}
