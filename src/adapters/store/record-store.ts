import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { uuidText } from '../../base/uuid7.ts';
import {
  blobKeys,
  type NewRecord,
  type RecordFilter,
  type RecordSummary,
  recordIdOfKey,
  type StoredRecord,
} from '../../domain/record.ts';
import type { Outcome } from '../../domain/scrape.ts';
import { type RecordStore, StorageError } from '../../ports/store.ts';
import type { RunStatements } from './prepared-statements.ts';
import { statementOf } from './query-compiler.ts';
import {
  type BodyTable,
  decodePictures,
  firstIdAt,
  idOrNull,
  type RecordTable,
  type Tables,
  unpackBytes,
  unpackText,
} from './tables.ts';

type Db = Kysely<Tables>;

const SUMMARY_COLUMNS = [
  'records.id',
  'records.user_id',
  'records.key_id',
  'records.created_at',
  'records.url',
  'records.host',
  'records.method',
  'records.requested_scraper',
  'records.scraper',
  'records.proxy_type',
  'records.http_status',
  'records.status_code',
  'records.outcome',
  'records.error_code',
  'records.duration_ms',
  'records.content_bytes',
  'records.request_cost',
  'records.tags',
  'records.has_screenshot',
] as const;

/** A row of a list. */
type SummaryRow = Omit<RecordTable, 'content_encoding' | 'content_in_blob' | 'pictures' | 'body'>;

/** What the engines spell differently. */
interface SqlDialect {
  /** True of a row whose `tags` have this pair. */
  hasTag(name: string, value: string): Expression<SqlBool>;
}

export const sqliteDialect: SqlDialect = {
  // Both in one: whoever asks has written them so, and where a name ends that has a colon itself nobody can tell.
  hasTag: (name, value) =>
    sql<SqlBool>`exists (select 1 from json_each(records.tags) where key || ':' || value = ${`${name}:${value}`})`,
};

/** The record with its content; `userId` null: of any user. */
function recordQuery(db: Db, id: Uint8Array, userId: Uint8Array | null) {
  const query = db
    .selectFrom('records')
    .leftJoin('record_bodies', 'record_bodies.seq', 'records.body')
    .select(SUMMARY_COLUMNS)
    .select(['records.content_encoding', 'records.content_in_blob', 'records.pictures'])
    .select(['record_bodies.answer', 'record_bodies.answer_codec'])
    .select(['record_bodies.content', 'record_bodies.content_codec'])
    .where('records.id', '=', id);
  return userId === null ? query : query.where('records.user_id', '=', userId);
}

function requestQuery(db: Db, id: Uint8Array, userId: Uint8Array | null) {
  const query = db
    .selectFrom('records')
    .innerJoin('record_bodies', 'record_bodies.seq', 'records.body')
    .select(['record_bodies.request', 'record_bodies.request_codec'])
    .where('records.id', '=', id);
  return userId === null ? query : query.where('records.user_id', '=', userId);
}

/**
 * Rows that one list may walk over: 2 to 5 ms alone on a machine, so that others who read do not wait long for a rare
 * filter. Those of a user lie side by side; those of everybody are looked up one by one.
 */
const MAX_SCANNED_ROWS = { own: 25_000, everybody: 10_000 } as const;

/** The stretch of the history that a list is about, in ids: the time of a record is in its id. */
interface RecordRange {
  /** null: of every user. */
  readonly userId: Uint8Array | null;
  readonly from: Uint8Array | null;
  readonly to: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly oldestFirst: boolean;
}

/** null: nothing can be there, for user or cursor cannot exist. */
export function recordRange(filter: RecordFilter, after: string | null): RecordRange | null {
  const userId = filter.userId === null ? null : idOrNull(filter.userId);
  const cursor = after === null ? null : idOrNull(after);
  if ((filter.userId !== null && userId === null) || (after !== null && cursor === null)) return null;
  return {
    userId,
    from: filter.from === null ? null : firstIdAt(filter.from),
    to: filter.to === null ? null : firstIdAt(filter.to),
    after: cursor,
    oldestFirst: filter.oldestFirst,
  };
}

/** The id of the row at which a walk has to end; no row when the stretch ends before. Steps over keys only, 25 ns each. */
export function scanEndQuery(db: Db, stretch: RecordRange) {
  return inRange(db.selectFrom('records').select('records.id'), stretch)
    .limit(1)
    .offset((stretch.userId === null ? MAX_SCANNED_ROWS.everybody : MAX_SCANNED_ROWS.own) - 1);
}

/** Whether rows of the stretch may have to be passed over. */
function isFiltered(filter: RecordFilter): boolean {
  const { host, status, outcome, scraper, errorCode, keyId, tag } = filter;
  return [host, status, outcome, scraper, errorCode, keyId, tag].some((member) => member !== null);
}

/**
 * `limit` rows, newest first or oldest first. The rows of a user lie together in the order of their ids, so a page is one seek and a
 * walk that ends early, or at `end`.
 */
export function listQuery(
  db: Db,
  dialect: SqlDialect,
  filter: RecordFilter,
  stretch: RecordRange,
  limit: number,
  end: Uint8Array | null,
) {
  let query = inRange(db.selectFrom('records').select(SUMMARY_COLUMNS), stretch).limit(limit);
  if (end !== null) query = query.where('records.id', stretch.oldestFirst ? '<=' : '>=', end);
  const { host } = filter;
  if (host?.includes('*'))
    query = query.where(sql<boolean>`records.host like ${likePattern(host)} escape '\\'`);
  else if (host !== null) query = query.where('records.host', '=', host);
  const { origins } = filter;
  if (origins !== null) query = query.where((of) => of.or(origins.map(beginsWith)));
  if (filter.status !== null) query = query.where('records.status_code', '=', filter.status);
  if (filter.outcome !== null) query = query.where('records.outcome', '=', filter.outcome);
  if (filter.scraper !== null) query = query.where('records.scraper', '=', filter.scraper);
  if (filter.errorCode !== null) query = query.where('records.error_code', '=', filter.errorCode);
  if (filter.keyId !== null) query = query.where('records.key_id', '=', filter.keyId);
  if (filter.tag !== null) query = query.where(dialect.hasTag(filter.tag.name, filter.tag.value));
  return query;
}

/** Of URLs, which are ASCII. Not LIKE, which has letters of its own and looks away from their case. */
const beginsWith = (origin: string) => sql<SqlBool>`substr(records.url, 1, ${origin.length}) = ${origin}`;

function inRange<O>(query: SelectQueryBuilder<Tables, 'records', O>, stretch: RecordRange) {
  const { userId, from, to, after, oldestFirst } = stretch;
  let part = query.orderBy('records.id', oldestFirst ? 'asc' : 'desc');
  if (userId !== null) part = part.where('records.user_id', '=', userId);
  if (after !== null) part = part.where('records.id', oldestFirst ? '>' : '<', after);
  if (from !== null) part = part.where('records.id', '>=', from);
  if (to !== null) part = part.where('records.id', '<', to);
  return part;
}

/** Records that are looked at in one go for what takes room: long walks must not hold up other readers. */
const ROWS_AT_ONCE = 2_000;

/** What of a record is given up for room, with the column that is null where there is none of it. */
const RECLAIMABLE_COLUMNS = { contents: 'content_encoding', pictures: 'pictures' } as const;
type Reclaimable = keyof typeof RECLAIMABLE_COLUMNS;

/** Of the next records behind `after` the first `limit` that have it; and the newest that was looked at. */
function reclaimableQueries(db: Db, what: Reclaimable, after: Uint8Array | null, limit: number) {
  const all = db
    .selectFrom('records')
    .select(['id', 'content_encoding', 'content_in_blob', 'pictures'])
    .orderBy('id', 'asc')
    .limit(ROWS_AT_ONCE);
  const next = (after === null ? all : all.where('id', '>', after)).as('next');
  return [
    db
      .selectFrom(next)
      .select(['next.id', 'next.content_in_blob', 'next.pictures'])
      .where(`next.${RECLAIMABLE_COLUMNS[what]}`, 'is not', null)
      .orderBy('next.id', 'asc')
      .limit(limit),
    db.selectFrom(next).select((of) => of.fn.max('next.id').as('last')),
  ] as const;
}

const BLOB_COLUMNS = ['id', 'content_in_blob', 'pictures'] as const;

/** Of these ids, those that have blobs. */
function recordsWithBlobsQuery(db: Db, ids: readonly Uint8Array[]) {
  return db.selectFrom('records').select(BLOB_COLUMNS).where('id', 'in', ids).where(hasBlobs);
}

function hasBlobs(of: ExpressionBuilder<{ records: RecordTable }, 'records'>) {
  return of.or([of('content_in_blob', '=', 1), of('pictures', 'is not', null)]);
}

function dropPicturesQuery(db: Db, ids: readonly Uint8Array[]) {
  return db.updateTable('records').set({ pictures: null, has_screenshot: 0 }).where('id', 'in', ids);
}

/** Body first: then the record, whose row says whether there was one. */
function deleteQueries(db: Db, id: Uint8Array, userId: Uint8Array | null) {
  let body = db.selectFrom('records').select('body').where('id', '=', id);
  let record = db.deleteFrom('records').where('id', '=', id).returning(BLOB_COLUMNS);
  if (userId !== null) {
    body = body.where('user_id', '=', userId);
    record = record.where('user_id', '=', userId);
  }
  return [db.deleteFrom('record_bodies').where('seq', 'in', body), record] as const;
}

/** The oldest `limit` records made before `before` (ms): which have blobs, then bodies and records go. */
function sweepQueries(db: Db, before: number, limit: number) {
  const doomed = db
    .selectFrom('records')
    .where('id', '<', firstIdAt(before))
    .orderBy('id', 'asc')
    .limit(limit);
  const blobs = db.selectFrom(doomed.select(BLOB_COLUMNS).as('records')).select(BLOB_COLUMNS).where(hasBlobs);
  return [
    blobs,
    db.deleteFrom('record_bodies').where('seq', 'in', doomed.select('body')),
    db.deleteFrom('records').where('id', 'in', doomed.select('id')),
  ] as const;
}

/** `*` stands for any characters. */
const likePattern = (pattern: string): string => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');

/** A record with its body, of which a left join may have found none. */
type RecordWithBodyRow = SummaryRow &
  Pick<RecordTable, 'content_encoding' | 'content_in_blob' | 'pictures'> & {
    [K in 'answer' | 'answer_codec' | 'content' | 'content_codec']: BodyTable[K] | null;
  };

function summaryOf(row: SummaryRow): RecordSummary {
  return {
    id: uuidText(row.id),
    userId: uuidText(row.user_id),
    keyId: row.key_id,
    createdAt: row.created_at,
    url: row.url,
    host: row.host,
    method: row.method,
    requestedScraper: row.requested_scraper,
    scraper: row.scraper,
    proxyType: row.proxy_type,
    httpStatus: row.http_status,
    statusCode: row.status_code,
    outcome: row.outcome as Outcome,
    errorCode: row.error_code,
    durationMs: row.duration_ms,
    contentBytes: row.content_bytes,
    requestCost: row.request_cost,
    tags: row.tags === null ? {} : JSON.parse(row.tags),
    hasScreenshot: row.has_screenshot === 1,
  };
}

/** What tells which blobs a record has. */
export type BlobRow = Pick<RecordTable, 'id' | 'content_in_blob' | 'pictures'>;

export function blobKeysOf(row: BlobRow): string[] {
  return blobKeys({
    id: uuidText(row.id),
    contentInBlob: row.content_in_blob === 1,
    pictures: decodePictures(row.pictures),
  });
}

/** Rejects when the stored bytes are damaged. */
async function recordOf(row: RecordWithBodyRow): Promise<StoredRecord> {
  return {
    ...summaryOf(row),
    answerJson: await unpackText(row.answer, row.answer_codec ?? 0),
    contentEncoding: row.content_encoding as StoredRecord['contentEncoding'],
    content: await unpackBytes(row.content, row.content_codec ?? 0),
    contentInBlob: row.content_in_blob === 1,
    pictures: decodePictures(row.pictures),
  };
}

/** SQLite takes 32,766 parameters; a question about more ids is asked in parts. */
const IDS_AT_ONCE = 1_000;

interface RecordStoreDeps {
  readonly db: Kysely<Tables>;
  readonly put: (record: NewRecord) => Promise<void>;
  readonly read: RunStatements;
  readonly write: RunStatements;
  /** Takes the contents of these records out of the database. */
  readonly dropContents: (ids: readonly Uint8Array[]) => Promise<unknown>;
}

/** Records over the writer and the reader thread. */
export function createRecordStore({ db, put, read, write, dropContents }: RecordStoreDeps): RecordStore {
  return {
    put,

    async get(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [found] = await read([statementOf(recordQuery(db, ...ids))]);
      const row = found!.rows[0] as RecordWithBodyRow | undefined;
      return row === undefined ? null : orStorageError(() => recordOf(row));
    },

    async request(id, userId) {
      const ids = idsOf(id, userId);
      if (ids === null) return null;
      const [found] = await read([statementOf(requestQuery(db, ...ids))]);
      const row = found!.rows[0] as Pick<BodyTable, 'request' | 'request_codec'> | undefined;
      return row === undefined ? null : orStorageError(() => unpackText(row.request, row.request_codec));
    },

    async list(filter, limit, after) {
      const stretch = recordRange(filter, after);
      if (stretch === null) return { items: [], next: null };
      let end: Uint8Array | null = null;
      if (isFiltered(filter)) {
        const [walk] = await read([statementOf(scanEndQuery(db, stretch))]);
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

    async discard(what, after, limit) {
      const behind = after === null ? null : idOrNull(after);
      const [found, looked] = await read(reclaimableQueries(db, what, behind, limit).map(statementOf));
      const doomed = found!.rows as BlobRow[];
      const ids = doomed.map((row) => row.id);
      if (ids.length > 0 && what === 'contents') await dropContents(ids);
      else if (ids.length > 0) await write([statementOf(dropPicturesQuery(db, ids))]);
      const other = what === 'contents' ? { pictures: null } : { content_in_blob: 0 };
      const last = ids.length === limit ? ids.at(-1)! : (looked!.rows[0] as { last: Uint8Array | null }).last;
      return {
        count: ids.length,
        blobs: doomed.flatMap((row) => blobKeysOf({ ...row, ...other })),
        last: last === null ? null : uuidText(last),
      };
    },

    async referencedBlobs(keys) {
      const known = [...new Set(keys.map(recordIdOfKey))].map(idOrNull).filter((id) => id !== null);
      const found = new Set<string>();
      for (let at = 0; at < known.length; at += IDS_AT_ONCE) {
        const [part] = await read([
          statementOf(recordsWithBlobsQuery(db, known.slice(at, at + IDS_AT_ONCE))),
        ]);
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

async function orStorageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageError('a stored record is damaged', { cause: error });
  }
}
