import { workerData } from 'node:worker_threads';
import { createReopeningConnection, openConnection, PAGE_BYTES } from './database.ts';
import { handleRequests, WalLock } from './storage-threads.ts';

export interface CheckpointData {
  readonly file: string;
  readonly durability: 'normal' | 'full';
  readonly turns: SharedArrayBuffer;
}

/** A log longer than this is caught up with even if writers have to wait for the rest of it: a few ms. */
const MAX_LOG_BYTES = 48 * 1024 * 1024;

const { file, durability, turns: memory } = workerData as CheckpointData;
const walLock = new WalLock(memory);
const connection = createReopeningConnection(
  () => openConnection({ file, durability, readonly: false }),
  () => null,
);

/**
 * Moves the log into the database beside the writer, which goes on meanwhile. Pages that changed often are moved once.
 * https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
 */
handleRequests({
  checkpoint: () =>
    connection.use((_, db) => {
      const [moved] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
      if (moved === undefined || moved.log * PAGE_BYTES <= MAX_LOG_BYTES) return;
      // What was written meanwhile, so that little is left to be waited for.
      db.pragma('wal_checkpoint(PASSIVE)');
      walLock.whileCheckpointing(() => db.pragma('wal_checkpoint(RESTART)'));
    }),
  close: () => connection.close(() => {}),
});
