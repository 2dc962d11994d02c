import { workerData } from 'node:worker_threads';
import { type CountValue, prepareAddCounts } from './add-counts.ts';
import { openConnection, PAGE_BYTES } from './connection.ts';
import { prepareGiveUp } from './give-up.ts';
import { type InsertSql, type PutRow, prepareInsert } from './insert-records.ts';
import { keepConnection } from './kept-connection.ts';
import { LogTurns } from './log-turns.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { prepareFile } from './prepare-file.ts';
import { prepareRun, type Statement } from './run-statements.ts';
import { logLine, serve } from './serve.ts';

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
const FREED_AT_ONCE = 512;

const { file, durability, backupsDir, insert, addCount, turns: memory } = workerData as WriterData;

const turns = new LogTurns(memory);
const connection = keepConnection(
  () =>
    prepareFile({ file, backupsDir, migrations: MIGRATIONS, log: logLine }, () =>
      openConnection({ file, durability, readonly: false }),
    ),
  (db) => ({
    put: prepareInsert(db, insert),
    count: prepareAddCounts(db, addCount),
    run: prepareRun(db),
    giveUp: prepareGiveUp(db),
  }),
);

serve({
  open: () => connection.use(() => null),
  put: (rows: readonly PutRow[], contents: Uint8Array) =>
    connection.use(({ put }) => {
      const refused = turns.write(() => put(rows, contents));
      // It is this thread's own. Left to the garbage collector, contents would pile up between its rounds.
      if (contents.length > 0) (contents.buffer as ArrayBuffer).transfer(0);
      return refused.length === 0 ? null : refused;
    }),
  count: (values: readonly CountValue[]) => connection.use(({ count }) => turns.write(() => count(values))),
  run: (statements: readonly Statement[]) => connection.use(({ run }) => turns.write(() => run(statements))),
  giveUp: (ids: readonly Uint8Array[]) => connection.use(({ giveUp }) => turns.write(() => giveUp(ids))),
  shrink: (keep: number) =>
    connection.use((_, db) => {
      const free = db.pragma('freelist_count', { simple: true }) as number;
      const surplus = Math.min(free - Math.ceil(keep / PAGE_BYTES), FREED_AT_ONCE);
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
        logLine('store.checkpoint_failed', { error: String(error) });
      }
    }),
});
