import { StorageError } from '../../../ports/store.ts';
import type { CheckpointData } from './checkpoint-thread.ts';
import { type LogEventFunction, type StorageThread, startThread } from './storage-threads.ts';

/** Growth of the WAL after which a checkpoint is made. With less, pages that change often are copied more often. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
/** Estimated size of a record in the WAL, without its content. */
const RECORD_BYTES = 4 * 1024;

export interface Checkpointer {
  /** Must be called for every batch that was stored. */
  recordStored(records: number, contentBytes: number): void;
  /** Starts a checkpoint unless one is running. */
  checkpoint(): void;
  /** Repeats the last checkpoint if it failed. Rejects with `StorageError` if it fails again. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface CheckpointerOptions {
  readonly data: CheckpointData;
  readonly log: LogEventFunction;
  /**
   * Called when a checkpoint fails. The storage is unreliable until one succeeds: the WAL grows without limit, and the disk
   * may have lost data that it could not flush.
   */
  readonly onError: (error: StorageError) => void;
}

/** Keeps the write-ahead log (WAL) short. Checkpoints run in a separate thread, so that no commit has to wait for them. */
export function startCheckpointer({ data, log, onError }: CheckpointerOptions): Checkpointer {
  /** Started by the first checkpoint: many services end before one is needed. */
  let started: StorageThread | null = null;
  const thread = () => (started ??= startThread({ entry: 'checkpoint-thread', data, log }));
  /** Estimated growth of the WAL since the last checkpoint, in bytes. */
  let walGrowth = 0;
  let running = false;
  let failing = false;

  function run(): void {
    if (running) return;
    walGrowth = 0;
    running = true;
    thread().send('checkpoint', [], [], (error) => {
      running = false;
      failing = error !== null;
      if (error === null) return;
      log('store.checkpoint_failed', { error: String(error) });
      onError(error instanceof StorageError ? error : new StorageError(error.message, { cause: error }));
    });
  }

  return {
    recordStored(records, contentBytes) {
      walGrowth += records * RECORD_BYTES + contentBytes;
      if (walGrowth >= CHECKPOINT_BYTES) run();
    },
    checkpoint: run,
    async check() {
      if (!failing) return;
      await thread().call('checkpoint');
      failing = false;
    },
    async close() {
      await started?.close();
    },
  };
}
