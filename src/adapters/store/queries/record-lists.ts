import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { RecordFilter } from '../../../domain/record.ts';
import { LISTED_COLUMNS } from '../schema/record-columns.ts';
import { type Db, firstIdAt, idOrNull, type Tables } from '../schema/tables.ts';
import { type HasTag, sqliteHasTag } from './has-tag.ts';

/** The queries that read many records: their lists and totals. Each reads a limited number of rows. */

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
  return matching(rows.select(LISTED_COLUMNS).limit(limit), dialect, filter);
}

/** The rows that match the filter, except for its range. */
function matching<O>(
  rows: SelectQueryBuilder<Tables, 'records', O>,
  dialect: RecordDialect,
  filter: RecordFilter,
): SelectQueryBuilder<Tables, 'records', O> {
  let query = rows;
  const { host, path, ids } = filter;
  if (ids !== null) {
    const known = ids.map(idOrNull).filter((id) => id !== null);
    // PostgreSQL accepts no empty list.
    query = known.length === 0 ? query.where(sql<boolean>`1 = 0`) : query.where('records.id', 'in', known);
  }
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

/** Converts `*`, which matches any characters, to the syntax of LIKE. */
const likePattern = (pattern: string): string => likeLiteral(pattern).replaceAll('*', '%');

const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
