import { type Log, startThread } from './storage-thread.ts';

/** About this much in the log is worth moving: less often costs longer logs, more often moves pages twice. */
const STEP_BYTES = 16 * 1024 * 1024;
/** What a record changes beside what it holds: parts of pages of three tables and their indexes. */
const RECORD_BYTES = 4 * 1024;

export interface Checkpointer {
  /** Told of every batch that was stored. */
  stored(records: number, contentBytes: number): void;
  close(): Promise<void>;
}

/** Keeps the write-ahead log short from a thread of its own, so that no commit has to wait for it. */
export function startCheckpointer(
  data: { file: string; durability: 'normal' | 'full' },
  log: Log,
): Checkpointer {
  const thread = startThread({ entry: './checkpoint-thread', data, log });
  let bytes = 0;
  let running = false;
  return {
    stored(records, contentBytes) {
      bytes += records * RECORD_BYTES + contentBytes;
      if (running || bytes < STEP_BYTES) return;
      bytes = 0;
      running = true;
      thread.send('checkpoint', [], [], (error) => {
        running = false;
        // Nothing is lost: the log only gets longer, and the writer's own limit cuts it in the end.
        if (error !== null) log('store.checkpoint_failed', { error: String(error) });
      });
    },
    close: () => thread.close(),
  };
}
