import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Store, StoreUsage } from '../../ports/store.ts';
import { StorageError } from '../../ports/store.ts';
import { createAccountStore, heartbeatQuery, insertOrReadQueries } from './account-store.ts';
import { startCheckpointer } from './checkpointer.ts';
import { createExperienceStore } from './experience-store.ts';
import { takeDatabaseLock } from './file-locks.ts';
import type { RunStatements } from './prepared-statements.ts';
import { createPutBatcher } from './put-batcher.ts';
import { compileInserts, createCompiler, statementOf } from './query-compiler.ts';
import { createRecordStore } from './record-store.ts';
import { translateErrors } from './sqlite-errors.ts';
import { addCount, createStatsStore } from './stats-store.ts';
import { type LogEventFunction, startThread, walLockMemory } from './storage-threads.ts';

/** A restore that is putting a database in place is waited for so long. */
const RESTORE_WAIT_MS = 10_000;

const USAGE_SQL = `SELECT (page_count - freelist_count) * page_size AS used, freelist_count * page_size AS spare
FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

export interface SqliteStoreOptions {
  readonly file: string;
  /** `normal`: what is acknowledged survives kill -9; `full`: loss of power too, at the price of a flush per batch. */
  readonly durability: 'normal' | 'full';
  /** Where the copy before a migration goes; default: beside the file. */
  readonly backupsDir?: string;
  readonly log?: LogEventFunction;
  /** Told when work that nobody waits for fails: what is stored from now on is less safe than promised. */
  readonly onTrouble?: (error: StorageError) => void;
}

/**
 * Opens the database, making or migrating it first. One thread writes, one reads; this thread only passes messages.
 * Several processes may have the same file open. Rejects with `StorageError`: not a database, not ours, newer than
 * this program, not accessible, being restored.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const file = resolve(options.file);
  const log = options.log ?? (() => {});
  translateErrors(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
  const lock = takeDatabaseLock(file, 'shared', RESTORE_WAIT_MS);
  const db = createCompiler();
  const turns = walLockMemory();
  const data = {
    file,
    durability: options.durability,
    backupsDir: options.backupsDir ?? null,
    turns,
    insert: compileInserts(db),
    addCount: addCount(db).compile().sql,
  };
  const writer = startThread({ entry: './writer-thread', data, log });
  const reader = startThread({ entry: './reader-thread', data: { file }, log });
  const threads = [reader, writer];
  try {
    await writer.call('open');
    await reader.call('open');
  } catch (error) {
    await Promise.allSettled(threads.map((thread) => thread.close()));
    lock.release();
    throw error;
  }

  const checkpointer = startCheckpointer({
    data: { file, durability: options.durability, turns },
    log,
    onTrouble: options.onTrouble ?? (() => {}),
  });
  const puts = createPutBatcher(writer, checkpointer.recordStored);
  const read: RunStatements = (statements) => reader.call('run', statements) as ReturnType<RunStatements>;
  const write: RunStatements = (statements) => writer.call('run', statements) as ReturnType<RunStatements>;
  const backups = new Set<Promise<void>>();
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    try {
      await puts.drain();
      await Promise.allSettled(backups);
      // The writer last: with nobody reading it can empty the log into the database.
      await reader.close();
      await checkpointer.close();
    } finally {
      await writer.close().finally(() => lock.release());
    }
  }

  return {
    records: createRecordStore({
      db,
      put: puts.put,
      read,
      write,
      dropContents: (ids) => writer.call('giveUp', ids),
    }),
    accounts: createAccountStore(db, write),
    stats: createStatsStore({ db, read, write, count: (values) => writer.call('count', values) }),
    experience: createExperienceStore(db, read, write),
    async check() {
      await write([statementOf(heartbeatQuery(db, Date.now()))]);
      await checkpointer.check();
    },
    async usage() {
      const [found] = await read([[USAGE_SQL, []]]);
      return found!.rows[0] as StoreUsage;
    },
    async shrink(keep) {
      const freed = (await writer.call('shrink', keep)) as boolean;
      // The file gets shorter only when the log is moved into it.
      if (freed) checkpointer.checkpoint();
      return freed;
    },
    async getOrInsert(name, value) {
      const [, kept] = await write(insertOrReadQueries(db, name, value).map(statementOf));
      return (kept!.rows[0] as { value: number }).value;
    },
    async backup(to) {
      if (closing !== null) throw new StorageError('the store is closed');
      const done = copyInThread(file, resolve(to), log);
      backups.add(done);
      try {
        await done;
      } finally {
        backups.delete(done);
      }
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** A thread of its own: a copy takes long, and must contain up neither writes nor reads. */
async function copyInThread(file: string, to: string, log: LogEventFunction): Promise<void> {
  const thread = startThread({ entry: './backup-thread', data: { file }, log });
  try {
    await thread.call('copy', to);
  } finally {
    await thread.close();
  }
}
