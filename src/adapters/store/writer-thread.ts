import { workerData } from 'node:worker_threads';
import {
  createReopeningConnection,
  MIGRATIONS,
  openConnection,
  PAGE_BYTES,
  prepareDatabase,
} from './database.ts';
import {
  type CountValue,
  type InsertSql,
  prepareAddCounts,
  prepareDropContents,
  prepareInsertRecords,
  prepareRun,
  type RecordInsertRow,
  type Statement,
} from './prepared-statements.ts';
import { handleRequests, sendLogLine, WalLock } from './storage-threads.ts';

export interface WriterData {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly backupsDir: string | null;
  readonly turns: SharedArrayBuffer;
  readonly insert: InsertSql;
  /** Adds to one counter. */
  readonly addCount: string;
}

/** Pages that go back to the disk at a time: a few ms. */
const PAGES_FREED_AT_ONCE = 512;

const { file, durability, backupsDir, insert, addCount, turns: memory } = workerData as WriterData;

const walLock = new WalLock(memory);
const connection = createReopeningConnection(
  () =>
    prepareDatabase({ file, backupsDir, migrations: MIGRATIONS, log: sendLogLine }, () =>
      openConnection({ file, durability, readonly: false }),
    ),
  (db) => ({
    put: prepareInsertRecords(db, insert),
    count: prepareAddCounts(db, addCount),
    run: prepareRun(db),
    giveUp: prepareDropContents(db),
  }),
);

handleRequests({
  open: () => connection.use(() => null),
  put: (rows: readonly RecordInsertRow[], contents: Uint8Array) =>
    connection.use(({ put }) => {
      const refused = walLock.whileWriting(() => put(rows, contents));
      // It is this thread's own. Left to the garbage collector, contents would pile up between its rounds.
      if (contents.length > 0) (contents.buffer as ArrayBuffer).transfer(0);
      return refused.length === 0 ? null : refused;
    }),
  count: (values: readonly CountValue[]) =>
    connection.use(({ count }) => walLock.whileWriting(() => count(values))),
  run: (statements: readonly Statement[]) =>
    connection.use(({ run }) => walLock.whileWriting(() => run(statements))),
  giveUp: (ids: readonly Uint8Array[]) =>
    connection.use(({ giveUp }) => walLock.whileWriting(() => giveUp(ids))),
  shrink: (keep: number) =>
    connection.use((_, db) => {
      const free = db.pragma('freelist_count', { simple: true }) as number;
      const surplus = Math.min(free - Math.ceil(keep / PAGE_BYTES), PAGES_FREED_AT_ONCE);
      if (surplus <= 0) return false;
      db.pragma(`incremental_vacuum(${surplus})`);
      return true;
    }),
  close: () =>
    connection.close((db) => {
      try {
        db.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // Nothing is lost: the log stays beside the database, and the next one to open it reads both.
        sendLogLine('store.checkpoint_failed', { error: String(error) });
      }
    }),
});
