import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StorageError } from '../../../ports/storage-error.ts';
import type { Store, StoreUsage } from '../../../ports/store.ts';
import { heartbeat, keepQueries } from '../queries/account-queries.ts';
import { addCount } from '../queries/stat-queries.ts';
import { createAccountStore } from './account-store.ts';
import { startCheckpointer } from './checkpointer.ts';
import { createCompiler, insertSql, statementOf } from './compiler.ts';
import { createExperienceStore } from './experience-store.ts';
import { turnsMemory } from './log-turns.ts';
import { createPutBatcher } from './put-batcher.ts';
import { createRecordStore } from './record-store.ts';
import type { Run } from './run-statements.ts';
import { translated } from './sqlite-errors.ts';
import { createStatsStore } from './stats-store.ts';
import { type Log, startThread } from './storage-thread.ts';
import { takeUseLock } from './use-lock.ts';

/** A restore that is putting a database in place is waited for so long. */
const RESTORING_MS = 10_000;

const USAGE = `SELECT (page_count - freelist_count) * page_size AS used, freelist_count * page_size AS spare
FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

export interface SqliteStoreOptions {
  readonly file: string;
  /** `normal`: what is acknowledged survives kill -9; `full`: loss of power too, at the price of a flush per batch. */
  readonly durability: 'normal' | 'full';
  /** Where the copy before a migration goes; default: beside the file. */
  readonly backupsDir?: string;
  readonly log?: Log;
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
  translated(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
  const lock = takeUseLock(file, 'shared', RESTORING_MS);
  const db = createCompiler();
  const turns = turnsMemory();
  const data = {
    file,
    durability: options.durability,
    backupsDir: options.backupsDir ?? null,
    turns,
    insert: insertSql(db),
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
  const puts = createPutBatcher(writer, checkpointer.stored);
  const read: Run = (statements) => reader.call('run', statements) as ReturnType<Run>;
  const write: Run = (statements) => writer.call('run', statements) as ReturnType<Run>;
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
      giveUp: (ids) => writer.call('giveUp', ids),
    }),
    accounts: createAccountStore(db, write),
    stats: createStatsStore({ db, read, write, count: (values) => writer.call('count', values) }),
    experience: createExperienceStore(db, read, write),
    async check() {
      await write([statementOf(heartbeat(db, Date.now()))]);
      await checkpointer.check();
    },
    async usage() {
      const [found] = await read([[USAGE, []]]);
      return found!.rows[0] as StoreUsage;
    },
    async shrink(keep) {
      const freed = (await writer.call('shrink', keep)) as boolean;
      // The file gets shorter only when the log is moved into it.
      if (freed) checkpointer.due();
      return freed;
    },
    async keep(name, value) {
      const [, kept] = await write(keepQueries(db, name, value).map(statementOf));
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
async function copyInThread(file: string, to: string, log: Log): Promise<void> {
  const thread = startThread({ entry: './backup-thread', data: { file }, log });
  try {
    await thread.call('copy', to);
  } finally {
    await thread.close();
  }
}
