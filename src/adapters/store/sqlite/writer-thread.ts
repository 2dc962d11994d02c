import { workerData } from 'node:worker_threads';
import type { Statement } from '../queries/statements.ts';
import type { Increments } from '../schema/counter-tables.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { prepareBackfill } from './backfill.ts';
import { createReopeningConnection, openConnection, PAGE_BYTES } from './database.ts';
import { type JobTransactionName, prepareJobTransactions } from './jobs/job-transactions.ts';
import { prepareDatabase, type SchemaChange } from './prepare-database.ts';
import {
  prepareAddCounts,
  prepareDropContents,
  prepareInsertRecord,
  prepareInsertRecords,
  prepareRun,
  type RecordInsertRow,
} from './prepared-statements.ts';
import { handleRequests, sendLogLine, WalLock } from './storage-threads.ts';

export interface WriterData {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly walLockMemory: SharedArrayBuffer;
}

/** Pages that one `shrink` frees, which takes a few ms. */
const MAX_FREED_PAGES = 512;

const { file, durability, walLockMemory } = workerData as WriterData;

const walLock = new WalLock(walLockMemory);
/** Set when the connection is opened for the first time. */
let schema: SchemaChange | null = null;
const connection = createReopeningConnection(
  () =>
    prepareDatabase({ file, migrations: MIGRATIONS, log: sendLogLine }, (change) => {
      schema ??= change;
      return openConnection({ file, durability, readonly: false });
    }),
  (db) => {
    const insertRecord = prepareInsertRecord(db);
    const transactions = prepareJobTransactions(db, insertRecord);
    return {
      put: prepareInsertRecords(db, insertRecord),
      job: db.transaction((name: JobTransactionName, args: readonly never[]) =>
        (transactions[name] as (...args: readonly never[]) => unknown)(...args),
      ).immediate,
      count: prepareAddCounts(db),
      run: prepareRun(db),
      dropContents: prepareDropContents(db),
      backfill: prepareBackfill(db, MIGRATIONS),
    };
  },
);

handleRequests({
  open: () => connection.use(() => schema),
  put: (rows: readonly RecordInsertRow[], contents: Uint8Array) =>
    connection.use(({ put }) => {
      const refused = walLock.whileWriting(() => put(rows, contents));
      // Frees the transferred buffer now. The garbage collector would free it much later.
      if (contents.length > 0) (contents.buffer as ArrayBuffer).transfer(0);
      return refused.length === 0 ? null : refused;
    }),
  count: (increments: readonly Increments[]) =>
    connection.use(({ count }) => walLock.whileWriting(() => count(increments))),
  run: (statements: readonly Statement[]) =>
    connection.use(({ run }) => walLock.whileWriting(() => run(statements))),
  /** A transaction of `prepareJobTransactions`. */
  job: (name: JobTransactionName, args: readonly never[]) =>
    connection.use(({ job }) => walLock.whileWriting(() => job(name, args))),
  dropContents: (ids: readonly Uint8Array[]) =>
    connection.use(({ dropContents }) => walLock.whileWriting(() => dropContents(ids))),
  backfill: () => connection.use(({ backfill }) => walLock.whileWriting(backfill)),
  /**
   * Runs without the WAL lock: it is rare, so waiting for SQLite's own lock is acceptable.
   * @param keepFree bytes of free space to keep
   */
  shrink: (keepFree: number) =>
    connection.use((_statements, db) => {
      const freePages = db.pragma('freelist_count', { simple: true }) as number;
      const surplusPages = Math.min(freePages - Math.ceil(keepFree / PAGE_BYTES), MAX_FREED_PAGES);
      if (surplusPages <= 0) return false;
      db.pragma(`incremental_vacuum(${surplusPages})`);
      return true;
    }),
  close: () =>
    connection.close((db) => {
      try {
        db.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // Nothing is lost: the WAL file stays, and the next process that opens the database reads it.
        sendLogLine('store.checkpoint_failed', { error: String(error) });
      }
    }),
});
