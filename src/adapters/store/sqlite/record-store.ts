import type { Kysely } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import { recordOfKey } from '../../../domain/pictures.ts';
import type { NewRecord } from '../../../domain/record.ts';
import { StorageError } from '../../../ports/storage-error.ts';
import type { RecordStore } from '../../../ports/store.ts';
import { unpackText } from '../queries/codec.ts';
import { idOrNull } from '../queries/ids.ts';
import {
  deleteQueries,
  dropPicturesQuery,
  heldQueries,
  isSifted,
  listQuery,
  recordQuery,
  requestQuery,
  type SummaryRow,
  sqliteDialect,
  stretchOf,
  sweepQueries,
  walkEndQuery,
  withBlobQuery,
} from '../queries/record-queries.ts';
import { type BlobRow, blobKeysOf, type FullRow, recordOf, summaryOf } from '../queries/record-rows.ts';
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
  /** Takes the contents of these records out of the database. */
  readonly giveUp: (ids: readonly Uint8Array[]) => Promise<unknown>;
}

/** Records over the writer and the reader thread. */
export function createRecordStore({ db, put, read, write, giveUp }: RecordStoreParts): RecordStore {
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
      const stretch = stretchOf(filter, after);
      if (stretch === null) return { items: [], next: null };
      let end: Uint8Array | null = null;
      if (isSifted(filter)) {
        const [walk] = await read([statementOf(walkEndQuery(db, stretch))]);
        end = (walk!.rows[0] as { id: Uint8Array } | undefined)?.id ?? null;
      }
      const query = listQuery(db, sqliteDialect, filter, stretch, limit + 1, end);
      const [found] = await read([statementOf(query)]);
      const items = (found!.rows as SummaryRow[]).map(summaryOf);
      if (items.length <= limit) return { items, next: end === null ? null : uuidText(end) };
      items.length = limit;
      return { items, next: items.at(-1)!.id };
    },

    async delete(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [, record] = await write(deleteQueries(db, ...ids).map(statementOf));
      const row = record!.rows[0] as BlobRow | undefined;
      return row === undefined ? null : { blobs: blobKeysOf(row) };
    },

    async sweep(before, limit) {
      const [blobs, , records] = await write(sweepQueries(db, before, limit).map(statementOf));
      return {
        deleted: records!.changes,
        blobs: (blobs!.rows as BlobRow[]).flatMap(blobKeysOf),
      };
    },

    async giveUp(what, after, limit) {
      const behind = after === null ? null : idOrNull(after);
      const [found, looked] = await read(heldQueries(db, what, behind, limit).map(statementOf));
      const doomed = found!.rows as BlobRow[];
      const ids = doomed.map((row) => row.id);
      if (ids.length > 0 && what === 'contents') await giveUp(ids);
      else if (ids.length > 0) await write([statementOf(dropPicturesQuery(db, ids))]);
      const other = what === 'contents' ? { pictures: null } : { content_in_blob: 0 };
      const last = ids.length === limit ? ids.at(-1)! : (looked!.rows[0] as { last: Uint8Array | null }).last;
      return {
        count: ids.length,
        blobs: doomed.flatMap((row) => blobKeysOf({ ...row, ...other })),
        last: last === null ? null : uuidText(last),
      };
    },

    async withBlob(keys) {
      const known = [...new Set(keys.map(recordOfKey))].map(idOrNull).filter((id) => id !== null);
      const found = new Set<string>();
      for (let at = 0; at < known.length; at += IDS_AT_ONCE) {
        const [part] = await read([statementOf(withBlobQuery(db, known.slice(at, at + IDS_AT_ONCE)))]);
        for (const row of part!.rows as BlobRow[]) for (const key of blobKeysOf(row)) found.add(key);
      }
      return keys.filter((key) => found.has(key));
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
