import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { uuidText } from '../../base/uuid7.ts';
import {
  blobKeys,
  type NewRecord,
  type RecordFilter,
  type RecordSummary,
  type RecordTotals,
  recordIdOfKey,
  type StoredRecord,
} from '../../domain/record.ts';
import type { Outcome } from '../../domain/scrape.ts';
import { type RecordStore, StorageError } from '../../ports/store.ts';
import { type HasTag, sqliteHasTag } from './has-tag.ts';
import type { RunStatements } from './prepared-statements.ts';
import { statementOf } from './query-compiler.ts';
import {
  type BodyTable,
  type Db,
  decodeFiles,
  decodePictures,
  firstIdAt,
  idOrNull,
  type RecordTable,
  type Tables,
  unpackBytes,
  unpackText,
} from './tables.ts';

export const SUMMARY_COLUMNS = [
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
  'records.pictures',
] as const;

type SummaryRow = Omit<RecordTable, 'content_encoding' | 'content_in_blob' | 'files' | 'body'>;

/** What differs between database engines. */
export interface RecordDialect {
  readonly hasTag: HasTag;
  /** Whether a row of `record_bodies` belongs to a row of `records`. */
  readonly isBodyOf: Expression<SqlBool>;
  /** Whether a record is of this user. */
  isOf(userId: Uint8Array): Expression<SqlBool>;
  /** Rows that one call of `list` may scan, which takes some milliseconds: a filter with few matches must not delay other readers. */
  readonly maxScanned: { readonly ofUser: number; readonly ofAllUsers: number };
  /** The rows of the range to scan for matches, in its order, with the columns of a summary. */
  scannedRows(db: Db, range: RecordRange): SelectQueryBuilder<Tables, 'records', object>;
}

export const sqliteDialect: RecordDialect = {
  isBodyOf: sql<SqlBool>`record_bodies.seq = records.body`,
  isOf: (userId) => sql<SqlBool>`records.user_id = ${userId}`,
  hasTag: sqliteHasTag,
  // The records of one user are adjacent; those of all users are looked up one by one.
  maxScanned: { ofUser: 25_000, ofAllUsers: 10_000 },
  // A subquery with a limit would have to be read to its end.
  scannedRows(db, range) {
    const end = scanEndQuery(db, sqliteDialect, range);
    const rows = inRange(db.selectFrom('records'), sqliteDialect, range);
    return range.oldestFirst
      ? rows.where('records.id', '<=', sql<Uint8Array>`coalesce(${end}, ${LAST_ID})`)
      : rows.where('records.id', '>=', sql<Uint8Array>`coalesce(${end}, ${FIRST_ID})`);
  },
};

const FIRST_ID = new Uint8Array(16);
const LAST_ID = new Uint8Array(16).fill(255);

/** The record with its content. @param userId null: any user */
function recordQuery(db: Db, { isBodyOf }: RecordDialect, id: Uint8Array, userId: Uint8Array | null) {
  const query = db
    .selectFrom('records')
    .leftJoin('record_bodies', (join) => join.on(isBodyOf))
    .leftJoin('shared_contents', 'shared_contents.number', 'record_bodies.shared')
    .select(SUMMARY_COLUMNS)
    .select(['records.content_encoding', 'records.content_in_blob', 'records.files'])
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

/** The range of records to list, as ids: the id of a record contains its time. */
export interface RecordRange {
  /** null: all users. */
  readonly userId: Uint8Array | null;
  readonly from: Uint8Array | null;
  readonly to: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly oldestFirst: boolean;
}

/** @returns null: the user or the cursor cannot exist, so the list is empty */
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

/** The id of the last row to scan; no row: the whole range is scanned. Only counts keys, which takes 25 ns each in SQLite. */
export function scanEndQuery(db: Db, dialect: RecordDialect, range: RecordRange) {
  return inRange(db.selectFrom('records').select('records.id'), dialect, range)
    .limit(1)
    .offset(scannedAtMost(dialect, range) - 1);
}

export const scannedAtMost = ({ maxScanned }: RecordDialect, { userId }: RecordRange): number =>
  userId === null ? maxScanned.ofAllUsers : maxScanned.ofUser;

/** Whether some rows of the range may not match the filter. */
export function isFiltered(filter: RecordFilter): boolean {
  const { host, path, status, outcome, scraper, errorCode, keyId, tag, ids } = filter;
  // Records that are named are looked up.
  if (ids !== null) return false;
  return [host, path, status, outcome, scraper, errorCode, keyId, tag].some((member) => member !== null);
}

/** A page of records: one seek, and a scan that ends after `limit` matches or at the row of `scanEndQuery`. */
export function listQuery(
  db: Db,
  dialect: RecordDialect,
  filter: RecordFilter,
  range: RecordRange,
  limit: number,
) {
  const rows = isFiltered(filter)
    ? dialect.scannedRows(db, range)
    : inRange(db.selectFrom('records'), dialect, range);
  return matching(rows.select(SUMMARY_COLUMNS).limit(limit), dialect, filter);
}

/** The rows that match the filter, except for its range. */
function matching<O>(
  rows: SelectQueryBuilder<Tables, 'records', O>,
  dialect: RecordDialect,
  filter: RecordFilter,
): SelectQueryBuilder<Tables, 'records', O> {
  let query = rows;
  const { host, path, ids } = filter;
  if (ids !== null)
    query = query.where(
      'records.id',
      'in',
      ids.map(idOrNull).filter((id) => id !== null),
    );
  if (path !== null) query = query.where(hasPath(path));
  if (host?.includes('*'))
    query = query.where(sql<boolean>`records.host like ${likePattern(host)} escape '\\'`);
  else if (host !== null) query = query.where('records.host', '=', host);
  const { origins } = filter;
  if (origins !== null) query = query.where((eb) => eb.or(origins.map(beginsWith)));
  if (filter.status !== null) query = query.where('records.status_code', '=', filter.status);
  if (filter.outcome !== null) query = query.where('records.outcome', '=', filter.outcome);
  if (filter.scraper !== null) query = query.where('records.scraper', '=', filter.scraper);
  if (filter.errorCode !== null) query = query.where('records.error_code', '=', filter.errorCode);
  if (filter.keyId !== null) query = query.where('records.key_id', '=', filter.keyId);
  if (filter.tag !== null)
    query = query.where(dialect.hasTag('records.tags', filter.tag.name, filter.tag.value));
  return query;
}

/** Whether a text is in the path or query of the URL. In lower case, because databases differ in whether LIKE ignores case. */
function hasPath(text: string) {
  // The first slash after the scheme begins the path.
  const pattern = `%://%${text.startsWith('/') ? '' : '/%'}${likeLiteral(text.toLowerCase())}%`;
  return sql<SqlBool>`lower(records.url) like ${pattern} escape '\\'`;
}

/** Whether the URL begins with the origin. Not LIKE, because it has wildcards and ignores case. */
const beginsWith = (origin: string) => sql<SqlBool>`substr(records.url, 1, ${origin.length}) = ${origin}`;

const MINUTE_MS = 60_000;

/** Totals of the matches among the rows up to that of `scanEndQuery`, by minute and outcome. */
export function totalsQuery(db: Db, dialect: RecordDialect, filter: RecordFilter, range: RecordRange) {
  const rows =
    filter.ids === null ? dialect.scannedRows(db, range) : inRange(db.selectFrom('records'), dialect, range);
  const scanned = rows.select([
    'records.created_at',
    'records.outcome',
    'records.content_bytes',
    'records.request_cost',
  ]);
  return db
    .selectFrom(matching(scanned, dialect, filter).as('found'))
    .select([
      sql<number>`found.created_at - found.created_at % ${sql.lit(MINUTE_MS)}`.as('minute'),
      'found.outcome',
      sql<number>`count(*)`.as('count'),
      sql<number>`coalesce(sum(found.content_bytes), 0)`.as('bytes'),
      sql<number>`coalesce(sum(found.request_cost), 0)`.as('cost'),
      sql<number>`count(found.request_cost)`.as('priced'),
    ])
    .groupBy(['minute', 'found.outcome']);
}

/** The rows of the range in its order. */
export function inRange<O>(
  query: SelectQueryBuilder<Tables, 'records', O>,
  dialect: RecordDialect,
  range: RecordRange,
) {
  const { userId, from, to, after, oldestFirst } = range;
  let ranged = query;
  if (userId !== null) ranged = ranged.where(dialect.isOf(userId));
  if (after !== null) ranged = ranged.where('records.id', oldestFirst ? '>' : '<', after);
  if (from !== null) ranged = ranged.where('records.id', '>=', from);
  if (to !== null) ranged = ranged.where('records.id', '<', to);
  return inOrder(ranged, range);
}

/** By user, too, if there is one: so that the database reads the index of both. */
export function inOrder<O>(
  query: SelectQueryBuilder<Tables, 'records', O>,
  { userId, oldestFirst }: RecordRange,
) {
  const direction = oldestFirst ? 'asc' : 'desc';
  const ordered = userId === null ? query : query.orderBy('records.user_id', direction);
  return ordered.orderBy('records.id', direction);
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

/** Converts `*`, which matches any characters, to the syntax of LIKE. */
const likePattern = (pattern: string): string => likeLiteral(pattern).replaceAll('*', '%');

const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A record with its body. The columns of the body are null if there is none. */
type RecordWithBodyRow = SummaryRow &
  Pick<RecordTable, 'content_encoding' | 'content_in_blob' | 'files'> & {
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
    pictures: decodePictures(row.pictures),
  };
}

/** The columns that tell which blobs a record has. */
export type BlobRow = Pick<RecordTable, 'id' | 'content_in_blob' | 'pictures' | 'files'>;

export function blobKeysOf(row: BlobRow): string[] {
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
    answerJson: await unpackText(row.answer, row.answer_codec ?? 0),
    contentEncoding: row.content_encoding as StoredRecord['contentEncoding'],
    content: await unpackBytes(row.content, row.content_codec ?? 0),
    contentInBlob: row.content_in_blob === 1,
    files: decodeFiles(row.files),
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
      const items = (found!.rows as SummaryRow[]).map(summaryOf);
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
