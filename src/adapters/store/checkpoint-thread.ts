import { workerData } from 'node:worker_threads';
import { createReopeningConnection, openConnection, PAGE_BYTES } from './database.ts';
import { handleRequests, WalLock } from './storage-threads.ts';

export interface CheckpointData {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly walLockMemory: SharedArrayBuffer;
}

/** If the log is longer than this, writers have to wait a few ms until it has been copied completely. */
const MAX_LOG_BYTES = 48 * 1024 * 1024;

const { file, durability, walLockMemory } = workerData as CheckpointData;
const walLock = new WalLock(walLockMemory);
const connection = createReopeningConnection(
  () => openConnection({ file, durability, readonly: false }),
  () => null,
);

/**
 * Copies the log into the database file while the writer goes on. Pages that have changed often are copied once.
 * https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
 */
handleRequests({
  checkpoint: () =>
    connection.use((_, db) => {
      const [result] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
      if (result === undefined || result.log * PAGE_BYTES <= MAX_LOG_BYTES) return;
      // Again, for what was written meanwhile, so that writers do not have to wait long.
      db.pragma('wal_checkpoint(PASSIVE)');
      walLock.whileCheckpointing(() => db.pragma('wal_checkpoint(RESTART)'));
    }),
  close: () => connection.close(() => {}),
});
