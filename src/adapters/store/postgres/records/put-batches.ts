import type { NewRecord } from '../../../../domain/record.ts';
import { ConflictError, StorageError } from '../../../../ports/store.ts';
import type { Postgres } from '../../../postgres/postgres.ts';
import { insertStatement, type PackedRecord, packRecord } from './insert-records.ts';

/** The database stores this many batches at the same time, which share its flushes of the disk. */
const MAX_BATCHES_IN_FLIGHT = 4;
const FULL_BATCH_RECORDS = 32;
const FULL_BATCH_BYTES = 1024 * 1024;

interface WaitingPut {
  readonly record: PackedRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Stores the records of one event loop turn with one statement. */
export function createPutBatches(postgres: Pick<Postgres, 'write'>) {
  const waiting: WaitingPut[] = [];
  let batchesInFlight = 0;
  let scheduled = false;
  let closed = false;
  let onIdle = () => {};

  function takeBatch(): WaitingPut[] {
    let bytes = 0;
    let count = 0;
    const ids = new Set<string>();
    for (const { record } of waiting) {
      // One statement cannot tell which of two equal ids it stored.
      if (count === FULL_BATCH_RECORDS || ids.has(record.id)) break;
      if (count > 0 && bytes + record.bytes > FULL_BATCH_BYTES) break;
      bytes += record.bytes;
      count++;
      ids.add(record.id);
    }
    return waiting.splice(0, count);
  }

  function flush(): void {
    scheduled = false;
    while (waiting.length > 0 && batchesInFlight < MAX_BATCHES_IN_FLIGHT) {
      batchesInFlight++;
      void store(postgres, takeBatch()).then(() => {
        batchesInFlight--;
        flush();
      });
    }
    if (batchesInFlight === 0) onIdle();
  }

  return {
    /** Resolves when the record is stored. */
    async put(record: NewRecord): Promise<void> {
      if (closed) throw new StorageError('the store is closed');
      const packed = packRecord(record);
      await new Promise<void>((resolve, reject) => {
        waiting.push({ record: packed, resolve, reject });
        if (scheduled || batchesInFlight === MAX_BATCHES_IN_FLIGHT) return;
        scheduled = true;
        setImmediate(flush);
      });
    },
    /** Refuses further records; resolves when all earlier ones have settled. */
    drain(): Promise<void> {
      closed = true;
      if (batchesInFlight + waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onIdle = resolve;
      });
    },
  };
}

/** Never rejects. */
async function store(postgres: Pick<Postgres, 'write'>, batch: readonly WaitingPut[]): Promise<void> {
  try {
    const [result] = await postgres.write([insertStatement(batch.map(({ record }) => record))]);
    const stored = new Set((result!.rows as { id: string }[]).map(({ id }) => id));
    for (const { record, resolve, reject } of batch)
      if (stored.has(record.id)) resolve();
      else reject(new ConflictError('a record with this id exists'));
  } catch (error) {
    // One value that cannot be stored makes the whole statement fail.
    if (batch.length > 1 && isBadValue(error)) for (const one of batch) await store(postgres, [one]);
    else for (const { reject } of batch) reject(error);
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
function isBadValue(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}
