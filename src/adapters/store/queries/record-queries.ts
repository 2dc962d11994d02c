import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { RecordFilter } from '../../../domain/record.ts';
import { firstIdAt, idOrNull } from './ids.ts';
import type { RecordTable, Tables } from './tables.ts';

type Db = Kysely<Tables>;

const SUMMARY = [
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
export type SummaryRow = Omit<RecordTable, 'content_encoding' | 'content_in_blob' | 'pictures' | 'body'>;

/** What the engines spell differently. */
export interface Dialect {
  /** True of a row whose `tags` have this pair. */
  hasTag(name: string, value: string): Expression<SqlBool>;
}

export const sqliteDialect: Dialect = {
  // Both in one: whoever asks has written them so, and where a name ends that has a colon itself nobody can tell.
  hasTag: (name, value) =>
    sql<SqlBool>`exists (select 1 from json_each(records.tags) where key || ':' || value = ${`${name}:${value}`})`,
};

/** The record with its content; `userId` null: of any user. */
export function recordQuery(db: Db, id: Uint8Array, userId: Uint8Array | null) {
  const query = db
    .selectFrom('records')
    .leftJoin('record_bodies', 'record_bodies.seq', 'records.body')
    .select(SUMMARY)
    .select(['records.content_encoding', 'records.content_in_blob', 'records.pictures'])
    .select(['record_bodies.answer', 'record_bodies.answer_codec'])
    .select(['record_bodies.content', 'record_bodies.content_codec'])
    .where('records.id', '=', id);
  return userId === null ? query : query.where('records.user_id', '=', userId);
}

export function requestQuery(db: Db, id: Uint8Array, userId: Uint8Array | null) {
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
const WALKED = { own: 25_000, everybody: 10_000 } as const;

/** The stretch of the history that a list is about, in ids: the time of a record is in its id. */
export interface Stretch {
  /** null: of every user. */
  readonly userId: Uint8Array | null;
  readonly from: Uint8Array | null;
  readonly to: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly oldestFirst: boolean;
}

/** null: nothing can be there, for user or cursor cannot exist. */
export function stretchOf(filter: RecordFilter, after: string | null): Stretch | null {
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
export function walkEndQuery(db: Db, stretch: Stretch) {
  return within(db.selectFrom('records').select('records.id'), stretch)
    .limit(1)
    .offset((stretch.userId === null ? WALKED.everybody : WALKED.own) - 1);
}

/** Whether rows of the stretch may have to be passed over. */
export function isSifted(filter: RecordFilter): boolean {
  const { host, status, outcome, scraper, errorCode, keyId, tag } = filter;
  return [host, status, outcome, scraper, errorCode, keyId, tag].some((member) => member !== null);
}

/**
 * `limit` rows, newest first or oldest first. The rows of a user lie together in the order of their ids, so a page is one seek and a
 * walk that ends early, or at `end`.
 */
export function listQuery(
  db: Db,
  dialect: Dialect,
  filter: RecordFilter,
  stretch: Stretch,
  limit: number,
  end: Uint8Array | null,
) {
  let query = within(db.selectFrom('records').select(SUMMARY), stretch).limit(limit);
  if (end !== null) query = query.where('records.id', stretch.oldestFirst ? '<=' : '>=', end);
  const { host } = filter;
  if (host?.includes('*')) query = query.where(sql<boolean>`records.host like ${likeOf(host)} escape '\\'`);
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

function within<O>(query: SelectQueryBuilder<Tables, 'records', O>, stretch: Stretch) {
  const { userId, from, to, after, oldestFirst } = stretch;
  let part = query.orderBy('records.id', oldestFirst ? 'asc' : 'desc');
  if (userId !== null) part = part.where('records.user_id', '=', userId);
  if (after !== null) part = part.where('records.id', oldestFirst ? '>' : '<', after);
  if (from !== null) part = part.where('records.id', '>=', from);
  if (to !== null) part = part.where('records.id', '<', to);
  return part;
}

/** Records that are looked at in one go for what takes room: long walks must not hold up other readers. */
const LOOKED_AT = 2_000;

/** What of a record is given up for room, with the column that is null where there is none of it. */
const HELD = { contents: 'content_encoding', pictures: 'pictures' } as const;
export type Held = keyof typeof HELD;

/** Of the next records behind `after` the first `limit` that have it; and the newest that was looked at. */
export function heldQueries(db: Db, what: Held, after: Uint8Array | null, limit: number) {
  const all = db
    .selectFrom('records')
    .select(['id', 'content_encoding', 'content_in_blob', 'pictures'])
    .orderBy('id', 'asc')
    .limit(LOOKED_AT);
  const next = (after === null ? all : all.where('id', '>', after)).as('next');
  return [
    db
      .selectFrom(next)
      .select(['next.id', 'next.content_in_blob', 'next.pictures'])
      .where(`next.${HELD[what]}`, 'is not', null)
      .orderBy('next.id', 'asc')
      .limit(limit),
    db.selectFrom(next).select((of) => of.fn.max('next.id').as('last')),
  ] as const;
}

const BLOB_COLUMNS = ['id', 'content_in_blob', 'pictures'] as const;

/** Of these ids, those that have blobs. */
export function withBlobQuery(db: Db, ids: readonly Uint8Array[]) {
  return db.selectFrom('records').select(BLOB_COLUMNS).where('id', 'in', ids).where(hasBlobs);
}

function hasBlobs(of: ExpressionBuilder<{ records: RecordTable }, 'records'>) {
  return of.or([of('content_in_blob', '=', 1), of('pictures', 'is not', null)]);
}

export function dropPicturesQuery(db: Db, ids: readonly Uint8Array[]) {
  return db.updateTable('records').set({ pictures: null, has_screenshot: 0 }).where('id', 'in', ids);
}

/** Body first: then the record, whose row says whether there was one. */
export function deleteQueries(db: Db, id: Uint8Array, userId: Uint8Array | null) {
  let body = db.selectFrom('records').select('body').where('id', '=', id);
  let record = db.deleteFrom('records').where('id', '=', id).returning(BLOB_COLUMNS);
  if (userId !== null) {
    body = body.where('user_id', '=', userId);
    record = record.where('user_id', '=', userId);
  }
  return [db.deleteFrom('record_bodies').where('seq', 'in', body), record] as const;
}

/** The oldest `limit` records made before `before` (ms): which have blobs, then bodies and records go. */
export function sweepQueries(db: Db, before: number, limit: number) {
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
const likeOf = (pattern: string): string => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
