import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import {
  blobKeys,
  type NewRecord,
  type RecordSummary,
  type RecordTotals,
  recordIdOfKey,
  type StoredRecord,
} from '../../../domain/record.ts';
import { type RecordStore, StorageError } from '../../../ports/store.ts';
import {
  decodeFiles,
  decodePictures,
  LISTED_COLUMNS,
  type ListedRow,
  listedMembers,
  type RecordTable,
  UNLISTED_COLUMNS,
  type UnlistedRow,
  unlistedMembers,
} from '../schema/record-columns.ts';
import {
  type BodyTable,
  type Db,
  firstIdAt,
  idOrNull,
  type Tables,
  unpackBytes,
  unpackText,
} from '../schema/tables.ts';
import { statementOf } from './query-compiler.ts';
import {
  isFiltered,
  listQuery,
  type RecordDialect,
  recordRange,
  scanEndQuery,
  totalsQuery,
} from './record-lists.ts';
import type { RunStatements } from './statements.ts';

/** The record with its content. @param userId null: any user */
function recordQuery(db: Db, { isBodyOf }: RecordDialect, id: Uint8Array, userId: Uint8Array | null) {
  const query = db
    .selectFrom('records')
    .leftJoin('record_bodies', (join) => join.on(isBodyOf))
    .leftJoin('shared_contents', 'shared_contents.number', 'record_bodies.shared')
    .select(LISTED_COLUMNS)
    .select(UNLISTED_COLUMNS)
    .select(['record_bodies.answer', 'record_bodies.answer_codec'])
    .select((eb) => [
      eb.fn.coalesce('shared_contents.content', 'record_bodies.content').as('content'),
      eb.fn.coalesce('shared_contents.content_codec', 'record_bodies.content_codec').as('content_codec'),
    ])
    .where('records.id', '=', id);
  return userId === null ? query : query.where('records.user_id', '=', userId);
}

function requestQuery(db: Db, { isBodyOf }: RecordDialect, id: Uint8Array, userId: Uint8Array | null) {
  const query = db
    .selectFrom('records')
    .innerJoin('record_bodies', (join) => join.on(isBodyOf))
    .select(['record_bodies.request', 'record_bodies.request_codec'])
    .where('records.id', '=', id);
  return userId === null ? query : query.where('records.user_id', '=', userId);
}

/** Records that one call of `discard` examines: few enough not to delay other readers. */
const MAX_EXAMINED_ROWS = 2_000;

/** What can be discarded, and the column that is null if a record does not have it. */
const DISCARDABLE_COLUMNS = { contents: 'content_encoding', files: 'files', pictures: 'pictures' } as const;
type Discardable = keyof typeof DISCARDABLE_COLUMNS;

/** Of the records after the id `after`: the first `limit` that have contents, files or pictures, and the last id examined. */
function discardableQueries(db: Db, what: Discardable, after: Uint8Array | null, limit: number) {
  const ordered = db
    .selectFrom('records')
    .select(['id', 'content_encoding', 'content_in_blob', 'pictures', 'files'])
    .where(isOfNoJob(['created', 'queued', 'running', 'paused']))
    .orderBy('id', 'asc')
    .limit(MAX_EXAMINED_ROWS);
  const next = (after === null ? ordered : ordered.where('id', '>', after)).as('next');
  return [
    db
      .selectFrom(next)
      .select(['next.id', 'next.content_in_blob', 'next.pictures', 'next.files'])
      .where(`next.${DISCARDABLE_COLUMNS[what]}`, 'is not', null)
      .orderBy('next.id', 'asc')
      .limit(limit),
    db.selectFrom(next).select('next.id as last').orderBy('next.id', 'desc').limit(1),
  ] as const;
}

export const BLOB_COLUMNS = ['id', 'content_in_blob', 'pictures', 'files'] as const;

/** The records with these ids that have blobs. */
function recordsWithBlobsQuery(db: Db, ids: readonly Uint8Array[]) {
  return db.selectFrom('records').select(BLOB_COLUMNS).where('id', 'in', ids).where(hasBlobs);
}

function hasBlobs(eb: ExpressionBuilder<{ records: RecordTable }, 'records'>) {
  return eb.or([eb('content_in_blob', '=', 1), eb('pictures', 'is not', null), eb('files', 'is not', null)]);
}

function dropQuery(db: Db, what: 'files' | 'pictures', ids: readonly Uint8Array[]) {
  const dropped = what === 'files' ? { files: null } : { pictures: null, has_screenshot: 0 };
  return db.updateTable('records').set(dropped).where('id', 'in', ids);
}

/** Deletes the body and then the record. The second query returns a row if the record existed. */
function deleteQueries(db: Db, id: Uint8Array, userId: Uint8Array | null) {
  let body = db.selectFrom('records').select('body').where('id', '=', id);
  let record = db.deleteFrom('records').where('id', '=', id).returning(BLOB_COLUMNS);
  if (userId !== null) {
    body = body.where('user_id', '=', userId);
    record = record.where('user_id', '=', userId);
  }
  return [db.deleteFrom('record_bodies').where('seq', 'in', body), record] as const;
}

/** For the oldest `limit` records created before `before` (ms): selects those with blobs, then deletes bodies and records. */
function sweepQueries(db: Db, before: number, limit: number) {
  const expired = db
    .selectFrom('records')
    .where('id', '<', firstIdAt(before))
    .where(isOfNoJob(null))
    .orderBy('id', 'asc')
    .limit(limit);
  return deletionQueries(db, expired);
}

/** The same for `limit` records of a job. */
function sweepJobQueries(db: Db, jobId: Uint8Array, limit: number) {
  const ids = db.selectFrom('record_jobs').select('id').where('job_id', '=', jobId);
  return deletionQueries(
    db,
    db.selectFrom('records').where('id', 'in', ids.orderBy('id', 'asc').limit(limit)),
  );
}

/** Whether a record belongs to no job, or to none that is stored. @param states only jobs in these states count; null: all */
export const isOfNoJob = (states: readonly string[] | null) => (eb: ExpressionBuilder<Tables, 'records'>) => {
  const jobs = eb.selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'records.job_id');
  const found = states === null ? jobs : jobs.where('jobs.state', 'in', states);
  return eb.or([eb('records.job_id', 'is', null), eb.not(eb.exists(found))]);
};

function deletionQueries(db: Db, expired: SelectQueryBuilder<Tables, 'records', object>) {
  const blobs = db
    .selectFrom(expired.select(BLOB_COLUMNS).as('records'))
    .select(BLOB_COLUMNS)
    .where(hasBlobs);
  return [
    blobs,
    db.deleteFrom('record_bodies').where('seq', 'in', expired.select('body')),
    db.deleteFrom('records').where('id', 'in', expired.select('id')),
  ] as const;
}

/** A record with its body. The columns of the body are null if there is none. */
type RecordWithBodyRow = ListedRow &
  UnlistedRow & { [K in 'answer' | 'answer_codec' | 'content' | 'content_codec']: BodyTable[K] | null };

const summaryOf = (row: ListedRow): RecordSummary => ({
  id: uuidText(row.id),
  userId: uuidText(row.user_id),
  ...listedMembers(row),
});

/** The columns that tell which blobs a record has. */
export type BlobRow = Pick<RecordTable, 'id' | 'content_in_blob' | 'pictures' | 'files'>;

export function blobKeysOf(row: BlobRow): readonly string[] {
  return blobKeys({
    id: uuidText(row.id),
    contentInBlob: row.content_in_blob === 1,
    pictures: decodePictures(row.pictures),
    files: decodeFiles(row.files),
  });
}

/** Rejects if the stored bytes are damaged. */
async function recordOf(row: RecordWithBodyRow): Promise<StoredRecord> {
  return {
    ...summaryOf(row),
    ...unlistedMembers(row),
    answerJson: await unpackText(row.answer, row.answer_codec ?? 0),
    content: await unpackBytes(row.content, row.content_codec ?? 0),
  };
}

/** SQLite allows 32,766 parameters in a query. */
const MAX_IDS_PER_QUERY = 1_000;

interface RecordStoreDeps {
  readonly db: Db;
  readonly dialect: RecordDialect;
  readonly put: (record: NewRecord) => Promise<void>;
  /** Runs statements in the reader thread. */
  readonly read: RunStatements;
  /** The same for lists, which may be some seconds old. */
  readonly readList: RunStatements;
  /** Runs statements in the writer thread. */
  readonly write: RunStatements;
  /** Removes the contents of these records from the database. */
  readonly dropContents: (ids: readonly Uint8Array[]) => Promise<unknown>;
}

export function createRecordStore(deps: RecordStoreDeps): RecordStore {
  const { db, dialect, put, read, readList, write, dropContents } = deps;
  return {
    put,

    async get(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [result] = await read([statementOf(recordQuery(db, dialect, ...ids))]);
      const row = result!.rows[0] as RecordWithBodyRow | undefined;
      return row === undefined ? null : orStorageError(() => recordOf(row));
    },

    async jobOf(id) {
      const key = idOrNull(id);
      if (key === null) return null;
      const query = db.selectFrom('records').select('job_id').where('id', '=', key);
      const [result] = await read([statementOf(query)]);
      const row = result!.rows[0] as { job_id: Uint8Array | null } | undefined;
      return row === undefined || row.job_id === null ? null : uuidText(row.job_id);
    },

    async request(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [result] = await read([statementOf(requestQuery(db, dialect, ...ids))]);
      const row = result!.rows[0] as Pick<BodyTable, 'request' | 'request_codec'> | undefined;
      return row === undefined ? null : orStorageError(() => unpackText(row.request, row.request_codec));
    },

    async list(filter, limit, after) {
      const range = recordRange(filter, after);
      if (range === null) return { items: [], next: null };
      // One more than `limit`, to find out whether there is another page.
      const list = statementOf(listQuery(db, dialect, filter, range, limit + 1));
      const scan = isFiltered(filter) ? [statementOf(scanEndQuery(db, dialect, range))] : [];
      // Together, because both must see the same rows.
      const [found, last] = await readList([list, ...scan]);
      const end = (last?.rows[0] as { id: Uint8Array } | undefined)?.id ?? null;
      const items = (found!.rows as ListedRow[]).map(summaryOf);
      if (items.length <= limit) return { items, next: end === null ? null : uuidText(end) };
      items.length = limit;
      return { items, next: items.at(-1)!.id };
    },

    async totals(filter, after) {
      const range = recordRange(filter, after);
      if (range === null) return { totals: [], next: null };
      const sums = statementOf(totalsQuery(db, dialect, filter, range));
      const scan = filter.ids === null ? [statementOf(scanEndQuery(db, dialect, range))] : [];
      const [found, last] = await readList([sums, ...scan]);
      const end = (last?.rows[0] as { id: Uint8Array } | undefined)?.id ?? null;
      const totals = found!.rows as RecordTotals[];
      return { totals, next: end === null ? null : uuidText(end) };
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

    async sweepJob(jobId, limit) {
      const id = idOrNull(jobId);
      if (id === null) return { deleted: 0, blobs: [] };
      const [blobs, , records] = await write(sweepJobQueries(db, id, limit).map(statementOf));
      return { deleted: records!.changes, blobs: (blobs!.rows as BlobRow[]).flatMap(blobKeysOf) };
    },

    async discard(what, after, limit) {
      const afterId = after === null ? null : idOrNull(after);
      const [result, examined] = await read(discardableQueries(db, what, afterId, limit).map(statementOf));
      const rows = result!.rows as BlobRow[];
      const ids = rows.map((row) => row.id);
      if (ids.length > 0)
        await (what === 'contents' ? dropContents(ids) : write([statementOf(dropQuery(db, what, ids))]));
      // Reports only the blobs of the discarded kind.
      const discarded = (row: BlobRow): BlobRow => ({
        id: row.id,
        content_in_blob: what === 'contents' ? row.content_in_blob : 0,
        files: what === 'files' ? row.files : null,
        pictures: what === 'pictures' ? row.pictures : null,
      });
      const last =
        ids.length === limit
          ? ids.at(-1)!
          : ((examined!.rows[0] as { last: Uint8Array } | undefined)?.last ?? null);
      return {
        count: ids.length,
        blobs: rows.flatMap((row) => blobKeysOf(discarded(row))),
        last: last === null ? null : uuidText(last),
      };
    },

    async referencedBlobs(keys) {
      const ids = [...new Set(keys.map(recordIdOfKey))].map(idOrNull).filter((id) => id !== null);
      const referenced = new Set<string>();
      for (let start = 0; start < ids.length; start += MAX_IDS_PER_QUERY) {
        const batch = ids.slice(start, start + MAX_IDS_PER_QUERY);
        const [result] = await read([statementOf(recordsWithBlobsQuery(db, batch))]);
        for (const row of result!.rows as BlobRow[]) for (const key of blobKeysOf(row)) referenced.add(key);
      }
      return keys.filter((key) => referenced.has(key));
    },
  };
}

/** The ids as bytes; null: one of them is not a UUID, so no record can match. */
function idsOf(id: string, userId: string | null): [Uint8Array, Uint8Array | null] | null {
  const bytes = idOrNull(id);
  const user = userId === null ? null : idOrNull(userId);
  return bytes === null || (user === null && userId !== null) ? null : [bytes, user];
}

/** Damaged bytes fail to decompress. */
async function orStorageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageError('a stored record is damaged', { cause: error });
  }
}
