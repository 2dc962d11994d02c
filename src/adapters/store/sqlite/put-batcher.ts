import type { NewRecord } from '../../../domain/record.ts';
import { StorageError } from '../../../ports/store.ts';
import { columnValues } from '../schema/record-columns.ts';
import type { RecordInsertRow, RefusedRecords } from './prepared-statements.ts';
import { deserializeError } from './sqlite-errors.ts';
import type { StorageThread } from './storage-threads.ts';

/** Two, so that the writer can begin the next batch before the main thread has handled the reply to the previous one. */
const MAX_BATCHES_IN_FLIGHT = 2;
/** A batch of this size is sent immediately, without waiting for the end of the event loop turn. */
const FULL_BATCH_RECORDS = 16;
const FULL_BATCH_BYTES = 256 * 1024;
/** After this time, `put` rejects. The record may still be stored later. */
const WRITE_TIMEOUT_MS = 5_000;

interface Batch {
  readonly rows: RecordInsertRow[];
  readonly contents: Uint8Array[];
  contentBytes: number;
  readonly resolves: (() => void)[];
  readonly rejects: ((error: Error) => void)[];
  timer: NodeJS.Timeout | undefined;
}

export interface PutBatcher {
  /** Resolves when the record is stored. */
  put(record: NewRecord): Promise<void>;
  /** Refuses further records; resolves when all earlier ones have settled. */
  drain(): Promise<void>;
}

/**
 * Sends the records of one event loop turn to the writer as one message, so that they need only one transaction and one
 * reply. Batches have a maximum size, so that the writer works in parallel with this thread.
 * @param onStored called after each batch
 */
export function createPutBatcher(
  writer: StorageThread,
  onStored: (records: number, contentBytes: number) => void,
): PutBatcher {
  let batch = emptyBatch();
  let batchesInFlight = 0;
  /** If the last batch had a single record, others are unlikely, so the next record is sent without waiting for them. */
  let lastBatchRecords = 0;
  let scheduled = false;
  let closed = false;
  let onIdle = () => {};

  function flush(): void {
    if (batch.rows.length === 0) return;
    const sent = batch;
    batch = emptyBatch();
    batchesInFlight++;
    lastBatchRecords = sent.rows.length;
    const contents = concatContents(sent);
    writer.send('put', [sent.rows, contents], [contents.buffer as ArrayBuffer], (error, refused) => {
      batchesInFlight--;
      if (error === null) onStored(sent.rows.length, sent.contentBytes);
      settleBatch(sent, error, refused as RefusedRecords | null);
      if (batchesInFlight === 0 ? !scheduled : isFull()) flush();
      if (batchesInFlight === 0 && batch.rows.length === 0) onIdle();
    });
  }

  function onTurnEnd(): void {
    scheduled = false;
    if (batchesInFlight === 0) flush();
  }

  function isFull(): boolean {
    return batch.rows.length >= FULL_BATCH_RECORDS || batch.contentBytes >= FULL_BATCH_BYTES;
  }

  function onTimeout(overdue: Batch): void {
    // If the batch has not been sent yet, it never is.
    if (overdue === batch) batch = emptyBatch();
    for (const reject of overdue.rejects) reject(new StorageError('the disk does not respond'));
  }

  function put(record: NewRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new StorageError('the store is closed'));
      batch.timer ??= setTimeout(onTimeout, WRITE_TIMEOUT_MS, batch).unref();
      batch.rows.push(insertRowOf(record));
      batch.resolves.push(resolve);
      batch.rejects.push(reject);
      if (record.content !== null) {
        batch.contents.push(record.content);
        batch.contentBytes += record.content.byteLength;
      }
      if (
        batchesInFlight < MAX_BATCHES_IN_FLIGHT &&
        (isFull() || (batchesInFlight === 0 && lastBatchRecords === 1))
      )
        flush();
      else if (!scheduled && batchesInFlight === 0) {
        scheduled = true;
        setImmediate(onTurnEnd);
      }
    });
  }

  return {
    put,
    drain() {
      closed = true;
      if (batchesInFlight === 0 && batch.rows.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onIdle = resolve;
      });
    },
  };
}

function emptyBatch(): Batch {
  return { rows: [], contents: [], contentBytes: 0, resolves: [], rejects: [], timer: undefined };
}

/** Copies the contents into one buffer, to be transferred to the writer. Transferring the caller's buffers would detach them. */
function concatContents(batch: Batch): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(batch.contentBytes);
  let offset = 0;
  for (const content of batch.contents) {
    bytes.set(content, offset);
    offset += content.byteLength;
  }
  return bytes;
}

function settleBatch(batch: Batch, error: Error | null, refused: RefusedRecords | null): void {
  clearTimeout(batch.timer);
  if (error !== null) {
    for (const reject of batch.rejects) reject(error);
    return;
  }
  if (refused !== null)
    for (const [index, refusal] of refused) batch.rejects[index]!(deserializeError(refusal));
  // No effect on the promises that were just rejected.
  for (const resolve of batch.resolves) resolve();
}

export const insertRowOf = (record: NewRecord): RecordInsertRow => [
  ...columnValues(record),
  record.requestJson,
  record.answerJson,
  record.content === null ? -1 : record.content.byteLength,
];
