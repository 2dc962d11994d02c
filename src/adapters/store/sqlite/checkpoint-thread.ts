import { workerData } from 'node:worker_threads';
import { createReopeningConnection, openConnection, PAGE_BYTES } from './database.ts';
import { handleRequests, WalLock } from './storage-threads.ts';

export interface CheckpointData {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly walLockMemory: SharedArrayBuffer;
}

/** If the WAL is longer than this, the writer has to wait a few ms, so that it can be copied completely and reused. */
const MAX_WAL_BYTES = 48 * 1024 * 1024;

const { file, durability, walLockMemory } = workerData as CheckpointData;
const walLock = new WalLock(walLockMemory);
const prepareNoStatements = () => null;
const connection = createReopeningConnection(
  () => openConnection({ file, durability, readonly: false }),
  prepareNoStatements,
);

/**
 * A passive checkpoint copies the WAL into the database file while the writer goes on. A restart checkpoint also lets the
 * writer begin the WAL anew. https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
 */
handleRequests({
  checkpoint: () =>
    connection.use((_statements, db) => {
      const [result] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
      if (result === undefined || result.log * PAGE_BYTES <= MAX_WAL_BYTES) return;
      // Copies what was written meanwhile, so that little is left to copy while the writer waits.
      db.pragma('wal_checkpoint(PASSIVE)');
      walLock.whileCheckpointing(() => db.pragma('wal_checkpoint(RESTART)'));
    }),
  close: () => connection.close(),
});
