import { StorageError } from '../../ports/store.ts';
import type { CheckpointData } from './checkpoint-thread.ts';
import { type LogEventFunction, startThread } from './storage-threads.ts';

/** About this much in the log is worth moving: less often costs longer logs, more often moves pages twice. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
/** What a record changes beside what it holds: parts of pages of three tables and their indexes. */
const RECORD_BYTES = 4 * 1024;

export interface Checkpointer {
  /** Told of every batch that was stored. */
  recordStored(records: number, contentBytes: number): void;
  /** Moves now, if nothing is being moved. */
  checkpoint(): void;
  /** Rejects with `StorageError` when the last one failed, and fails again. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface CheckpointerOptions {
  readonly data: CheckpointData;
  readonly log: LogEventFunction;
  /**
   * Nothing is lost by a checkpoint that fails, but the log grows without end, and a file that could not be flushed may
   * have lost what was written to it: the medium is not to be trusted until one has succeeded.
   */
  readonly onTrouble: (error: StorageError) => void;
}

/** Keeps the write-ahead log short from a thread of its own, so that no commit has to wait for it. */
export function startCheckpointer({ data, log, onTrouble }: CheckpointerOptions): Checkpointer {
  const thread = startThread({ entry: './checkpoint-thread', data, log });
  let bytes = 0;
  let running = false;
  let failing = false;

  function run(): void {
    if (running) return;
    bytes = 0;
    running = true;
    thread.send('checkpoint', [], [], (error) => {
      running = false;
      failing = error !== null;
      if (error === null) return;
      log('store.checkpoint_failed', { error: String(error) });
      onTrouble(error instanceof StorageError ? error : new StorageError(error.message, { cause: error }));
    });
  }

  return {
    recordStored(records, contentBytes) {
      bytes += records * RECORD_BYTES + contentBytes;
      if (bytes >= CHECKPOINT_BYTES) run();
    },
    checkpoint: run,
    async check() {
      if (!failing) return;
      await thread.call('checkpoint');
      failing = false;
    },
    close: () => thread.close(),
  };
}
