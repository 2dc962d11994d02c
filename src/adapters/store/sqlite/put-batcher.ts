import type { NewRecord } from '../../../domain/record.ts';
import { StorageError } from '../../../ports/storage-error.ts';
import { pictureColumn } from '../queries/picture-column.ts';
import type { PutRow, Refused } from './insert-records.ts';
import { errorOf } from './sqlite-errors.ts';
import type { StorageThread } from './storage-thread.ts';

/** The writer goes on with one batch while the main thread is busy and has not taken its word on the last. */
const MOST_UNDER_WAY = 2;
/** So much is worth a batch of its own before the turn of the event loop ends: the writer starts meanwhile. */
const WORTH_RECORDS = 16;
const WORTH_BYTES = 256 * 1024;
/** A disk that hangs is as bad as one that fails. What was sent may be stored later; nobody was told so. */
const HANGS_MS = 5_000;

interface Batch {
  readonly rows: PutRow[];
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
    const contents = joined(sent);
    writer.send('put', [sent.rows, contents], [contents.buffer as ArrayBuffer], (error, refused) => {
      underWay--;
      if (error === null) onStored(sent.rows.length, sent.contentBytes);
      settle(sent, error, refused as Refused | null);
      if (underWay === 0 ? !scheduled : isWorth()) flush();
      if (underWay === 0 && batch.rows.length === 0) onIdle();
    });
  }

  function onTurnEnd(): void {
    scheduled = false;
    if (underWay === 0) flush();
  }

  function isWorth(): boolean {
    return batch.rows.length >= WORTH_RECORDS || batch.contentBytes >= WORTH_BYTES;
  }

  function giveUp(late: Batch): void {
    // What waits behind it is not sent any more.
    if (late === batch) batch = emptyBatch();
    for (const reject of late.rejects) reject(new StorageError('the disk does not respond'));
  }

  function put(record: NewRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new StorageError('the store is closed'));
      batch.timer ??= setTimeout(giveUp, HANGS_MS, batch).unref();
      batch.rows.push(rowOf(record));
      batch.resolves.push(resolve);
      batch.rejects.push(reject);
      if (record.content !== null) {
        batch.contents.push(record.content);
        batch.contentBytes += record.content.byteLength;
      }
      if (underWay < MOST_UNDER_WAY && (isWorth() || (underWay === 0 && lastRecords === 1))) flush();
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
function joined(batch: Batch): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(batch.contentBytes);
  let at = 0;
  for (const content of batch.contents) {
    bytes.set(content, at);
    at += content.byteLength;
  }
  return bytes;
}

function settle(batch: Batch, error: Error | null, refused: Refused | null): void {
  clearTimeout(batch.timer);
  if (error !== null) {
    for (const reject of batch.rejects) reject(error);
    return;
  }
  if (refused !== null) for (const [index, note] of refused) batch.rejects[index]!(errorOf(note));
  for (const resolve of batch.resolves) resolve();
}

/** In the order that `PutRow` says. */
function rowOf(record: NewRecord): PutRow {
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
    tagsText(record.tags),
    record.hasScreenshot ? 1 : 0,
    record.contentEncoding,
    record.contentInBlob ? 1 : 0,
    pictureColumn(record.pictures),
    record.requestJson,
    record.answerJson,
    record.content === null ? -1 : record.content.byteLength,
  ];
}

function tagsText(tags: Readonly<Record<string, string>>): string | null {
  for (const _ in tags) return JSON.stringify(tags);
  return null;
}
