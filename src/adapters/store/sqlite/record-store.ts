import type { Kysely } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { NewRecord } from '../../../domain/record.ts';
import { StorageError } from '../../../ports/storage-error.ts';
import type { RecordStore } from '../../../ports/store.ts';
import { unpackText } from '../queries/codec.ts';
import { idOrNull } from '../queries/ids.ts';
import {
  deleteQueries,
  listQuery,
  recordQuery,
  requestQuery,
  type SummaryRow,
  sqliteDialect,
  sweepQueries,
  withBlobQuery,
} from '../queries/record-queries.ts';
import { type FullRow, recordOf, summaryOf } from '../queries/record-rows.ts';
import type { BodyTable, Tables } from '../queries/tables.ts';
import { statementOf } from './compiler.ts';
import type { Run } from './run-statements.ts';

/** SQLite takes 32,766 parameters; a question about more ids is asked in parts. */
const IDS_AT_ONCE = 1_000;

export interface RecordStoreParts {
  readonly db: Kysely<Tables>;
  readonly put: (record: NewRecord) => Promise<void>;
  readonly read: Run;
  readonly write: Run;
  /** Gives surplus free pages back to the disk. */
  readonly shrink: () => Promise<void>;
}

/** Records over the writer and the reader thread. */
export function createRecordStore({ db, put, read, write, shrink }: RecordStoreParts): RecordStore {
  return {
    put,

    async get(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [found] = await read([statementOf(recordQuery(db, ...ids))]);
      const row = found!.rows[0] as FullRow | undefined;
      return row === undefined ? null : undamaged(() => recordOf(row));
    },

    async request(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [found] = await read([statementOf(requestQuery(db, ...ids))]);
      const row = found!.rows[0] as Pick<BodyTable, 'request' | 'request_codec'> | undefined;
      return row === undefined ? null : undamaged(() => unpackText(row.request, row.request_codec));
    },

    async list(filter, limit, after) {
      const cursor = after === null ? null : idOrNull(after);
      const query =
        after !== null && cursor === null ? null : listQuery(db, sqliteDialect, filter, limit + 1, cursor);
      if (query === null) return { items: [], next: null };
      const [found] = await read([statementOf(query)]);
      const items = (found!.rows as SummaryRow[]).map(summaryOf);
      if (items.length <= limit) return { items, next: null };
      items.length = limit;
      return { items, next: items.at(-1)!.id };
    },

    async delete(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [, record] = await write(deleteQueries(db, ...ids).map(statementOf));
      const row = record!.rows[0] as { content_in_blob: number } | undefined;
      return row === undefined ? null : { contentInBlob: row.content_in_blob === 1 };
    },

    async sweep(before, limit) {
      const [blobs, , records] = await write(sweepQueries(db, before, limit).map(statementOf));
      if (records!.changes > 0) await shrink();
      return {
        deleted: records!.changes,
        blobs: (blobs!.rows as { id: Uint8Array }[]).map((row) => uuidText(row.id)),
      };
    },

    async withBlob(ids) {
      const known = ids.map(idOrNull).filter((id) => id !== null);
      const found: string[] = [];
      for (let at = 0; at < known.length; at += IDS_AT_ONCE) {
        const [part] = await read([statementOf(withBlobQuery(db, known.slice(at, at + IDS_AT_ONCE)))]);
        for (const row of part!.rows as { id: Uint8Array }[]) found.push(uuidText(row.id));
      }
      return found;
    },
  };
}

/** null: no record can have such an id. */
function idsOf(id: string, userId: string | null): [Uint8Array, Uint8Array | null] | null {
  const bytes = idOrNull(id);
  const user = userId === null ? null : idOrNull(userId);
  return bytes === null || (user === null && userId !== null) ? null : [bytes, user];
}

async function undamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageError('a stored record is damaged', { cause: error });
  }
}
