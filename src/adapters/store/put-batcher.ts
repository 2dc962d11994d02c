import type { NewRecord } from '../../domain/record.ts';
import { StorageError } from '../../ports/store.ts';
import type { RecordInsertRow, RefusedRecords } from './prepared-statements.ts';
import { deserializeError } from './sqlite-errors.ts';
import type { StorageThread } from './storage-threads.ts';
import { encodePictures } from './tables.ts';

/** The writer goes on with one batch while the main thread is busy and has not taken its word on the last. */
const MAX_BATCHES_IN_FLIGHT = 2;
/** So much is worth a batch of its own before the turn of the event loop ends: the writer starts meanwhile. */
const FULL_BATCH_RECORDS = 16;
const FULL_BATCH_BYTES = 256 * 1024;
/** A disk that hangs is as bad as one that fails. What was sent may be stored later; nobody was told so. */
const HUNG_AFTER_MS = 5_000;

interface Batch {
  readonly rows: RecordInsertRow[];
  readonly contents: Uint8Array[];
  contentBytes: number;
  readonly resolves: (() => void)[];
  readonly rejects: ((error: Error) => void)[];
  timer: NodeJS.Timeout | undefined;
}

export interface PutBatcher {
  put(record: NewRecord): Promise<void>;
  /** Takes no more; resolves when all that was taken is settled. */
  drain(): Promise<void>;
}

/**
 * Collects the records of a turn of the event loop and hands them to the writer as one message: that is one wake-up,
 * one transaction and one acknowledgement for all of them. Batches are small enough that the writer works while this
 * thread does, and large enough that a record costs little.
 */
export function createPutBatcher(
  writer: StorageThread,
  onStored: (records: number, contentBytes: number) => void,
): PutBatcher {
  let batch = emptyBatch();
  let underWay = 0;
  /** Of the last batch that was sent: a caller who comes alone is not kept waiting for others. */
  let lastRecords = 0;
  let scheduled = false;
  let closed = false;
  let onIdle = () => {};

  function flush(): void {
    if (batch.rows.length === 0) return;
    const sent = batch;
    batch = emptyBatch();
    underWay++;
    lastRecords = sent.rows.length;
    const contents = concatContents(sent);
    writer.send('put', [sent.rows, contents], [contents.buffer as ArrayBuffer], (error, refused) => {
      underWay--;
      if (error === null) onStored(sent.rows.length, sent.contentBytes);
      settleBatch(sent, error, refused as RefusedRecords | null);
      if (underWay === 0 ? !scheduled : isWorth()) flush();
      if (underWay === 0 && batch.rows.length === 0) onIdle();
    });
  }

  function onTurnEnd(): void {
    scheduled = false;
    if (underWay === 0) flush();
  }

  function isWorth(): boolean {
    return batch.rows.length >= FULL_BATCH_RECORDS || batch.contentBytes >= FULL_BATCH_BYTES;
  }

  function giveUp(late: Batch): void {
    // What waits behind it is not sent any more.
    if (late === batch) batch = emptyBatch();
    for (const reject of late.rejects) reject(new StorageError('the disk does not respond'));
  }

  function put(record: NewRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new StorageError('the store is closed'));
      batch.timer ??= setTimeout(giveUp, HUNG_AFTER_MS, batch).unref();
      batch.rows.push(insertRowOf(record));
      batch.resolves.push(resolve);
      batch.rejects.push(reject);
      if (record.content !== null) {
        batch.contents.push(record.content);
        batch.contentBytes += record.content.byteLength;
      }
      if (underWay < MAX_BATCHES_IN_FLIGHT && (isWorth() || (underWay === 0 && lastRecords === 1))) flush();
      else if (!scheduled && underWay === 0) {
        scheduled = true;
        setImmediate(onTurnEnd);
      }
    });
  }

  return {
    put,
    drain() {
      closed = true;
      if (underWay === 0 && batch.rows.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onIdle = resolve;
      });
    },
  };
}

function emptyBatch(): Batch {
  return { rows: [], contents: [], contentBytes: 0, resolves: [], rejects: [], timer: undefined };
}

/** One copy in memory of its own, which is then moved to the writer: the caller's bytes stay readable. */
function concatContents(batch: Batch): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(batch.contentBytes);
  let at = 0;
  for (const content of batch.contents) {
    bytes.set(content, at);
    at += content.byteLength;
  }
  return bytes;
}

function settleBatch(batch: Batch, error: Error | null, refused: RefusedRecords | null): void {
  clearTimeout(batch.timer);
  if (error !== null) {
    for (const reject of batch.rejects) reject(error);
    return;
  }
  if (refused !== null) for (const [index, note] of refused) batch.rejects[index]!(deserializeError(note));
  for (const resolve of batch.resolves) resolve();
}

/** In the order that `RecordInsertRow` says. */
function insertRowOf(record: NewRecord): RecordInsertRow {
  return [
    record.id,
    record.userId,
    record.keyId,
    record.createdAt,
    record.url,
    record.host,
    record.method,
    record.requestedScraper,
    record.scraper,
    record.proxyType,
    record.httpStatus,
    record.statusCode,
    record.outcome,
    record.errorCode,
    record.durationMs,
    record.contentBytes,
    record.requestCost,
    tagsJson(record.tags),
    record.hasScreenshot ? 1 : 0,
    record.contentEncoding,
    record.contentInBlob ? 1 : 0,
    encodePictures(record.pictures),
    record.requestJson,
    record.answerJson,
    record.content === null ? -1 : record.content.byteLength,
  ];
}

function tagsJson(tags: Readonly<Record<string, string>>): string | null {
  for (const _ in tags) return JSON.stringify(tags);
  return null;
}
