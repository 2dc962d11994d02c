import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { uuidBytes, uuidText } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import { FAILURES, type Failure } from '../../domain/failure.ts';
import type { RecordFilter } from '../../domain/record.ts';
import { OUTCOMES } from '../../domain/scrape.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import { type QueryParameters, QueryReader } from '../schema/query-reader.ts';

/** Administrators see what all users did, but only where they look themselves: a key shows what its own user did. */
export function seesAllUsers(who: Pick<Principal, 'keyId' | 'role'>): boolean {
  return who.keyId === null && who.role === 'admin';
}

export type Viewer = Pick<Principal, 'userId' | 'role' | 'keyId'>;

const FILTER_PARAMETERS = [
  'from',
  'to',
  'host',
  'status',
  'outcome',
  'scraper',
  'error_code',
  'key_id',
  'tag',
  'user_id',
] as const;

/** The filters of a list, an export: within what the reader may see. */
function readFilter(query: QueryReader, reader: Viewer): RecordFilter {
  const admin = seesAllUsers(reader);
  const userId = query.text('user_id');
  if (userId !== null && !admin) query.addProblem('user_id', "is only for administrators' sessions");
  return {
    userId: admin ? userId : reader.userId,
    from: query.dateTime('from'),
    to: query.dateTime('to'),
    ...readHostFilter(query),
    status: query.integer('status', 100, 999),
    outcome: query.oneOf('outcome', OUTCOMES),
    scraper: query.oneOf('scraper', SCRAPER_NAMES),
    errorCode: query.oneOf('error_code', Object.keys(FAILURES)),
    keyId: query.text('key_id'),
    tag: query.nameValue('tag'),
    oldestFirst: false,
  };
}

/** As the URL parser writes a host (letter case, other alphabets, addresses); with a port only that one is meant. `*` stands for any characters. */
function readHostFilter(query: QueryReader): Pick<RecordFilter, 'host' | 'origins'> {
  const given = query.text('host');
  if (given === null) return { host: null, origins: null };
  if (given.includes('*')) {
    if (!/^[^\s/?#@\\%]{1,255}$/.test(given))
      query.addProblem('host', 'must be a part of a host name between `*`');
    return { host: given.toLowerCase(), origins: null };
  }
  // An IPv6 address may stand without its brackets.
  const text = /^[\da-f.]*:[\da-f.:]*:[\da-f.:]*$/i.test(given) ? `[${given}]` : given;
  const http = /[/?#@\\\s]/.test(text) ? null : URL.parse(`http://${text}/`);
  const https = URL.parse(`https://${text}/`);
  if (http === null || https === null) {
    query.addProblem('host', 'must be a host name or an address, with a port or without');
    return { host: null, origins: null };
  }
  const hasPort = http.port !== '' || https.port !== '';
  return { host: http.hostname, origins: hasPort ? [http.href, https.href] : null };
}

const LIST_PARAMETERS = ['limit', 'cursor', 'order', ...FILTER_PARAMETERS];

export const SORT_ORDERS = ['asc', 'desc'] as const;

interface ListRequest {
  readonly filter: RecordFilter;
  readonly limit: number;
  /** Not decoded yet: whether it is good depends on the filter and the secret. */
  readonly cursor: string | null;
}

type ParsedList =
  | { readonly ask: ListRequest; readonly problems: null }
  | { readonly ask: null; readonly problems: readonly Failure[] };

/** The query of `GET /api/v1/scrape/`. */
export function parseListQuery(query: QueryParameters, reader: Viewer): ParsedList {
  const given = new QueryReader(query, LIST_PARAMETERS);
  const oldestFirst = given.oneOf('order', SORT_ORDERS) === 'asc';
  const filter = { ...readFilter(given, reader), oldestFirst };
  const limit = given.integer('limit', 1, 200) ?? 50;
  if (given.problems.length > 0) return { ask: null, problems: given.problems };
  return { ask: { filter, limit, cursor: given.text('cursor') }, problems: null };
}

const EXPORT_PARAMETERS = ['format', ...FILTER_PARAMETERS];
const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportRequest {
  readonly filter: RecordFilter;
  readonly format: ExportFormat;
}

type ParsedExport =
  | { readonly ask: ExportRequest; readonly problems: null }
  | { readonly ask: null; readonly problems: readonly Failure[] };

/** The query of `GET /api/v1/scrape/export/`. */
export function parseExportQuery(query: QueryParameters, reader: Viewer): ParsedExport {
  const given = new QueryReader(query, EXPORT_PARAMETERS);
  const filter = readFilter(given, reader);
  const format = given.oneOf('format', EXPORT_FORMATS) ?? 'jsonl';
  if (given.problems.length > 0) return { ask: null, problems: given.problems };
  return { ask: { filter, format }, problems: null };
}

const ID_BYTES = 16;
const TAG_BYTES = 16;

/** What a cursor is bound to: the user and all filters. One given with other filters would skip or repeat records. */
export function filterHash(filter: RecordFilter): Buffer {
  const { userId, from, to, host, origins, status, outcome, scraper, errorCode, keyId, tag, oldestFirst } =
    filter;
  const text = JSON.stringify([
    userId,
    from,
    to,
    host,
    origins,
    status,
    outcome,
    scraper,
    errorCode,
    keyId,
    tag?.name,
    tag?.value,
    oldestFirst,
  ]);
  return createHash('sha256').update(text).digest();
}

/** Opaque: the id of the last record of a page, signed together with what it is bound to. */
export function encodeCursor(id: string, bound: Buffer, secret: string | Uint8Array): string {
  const bytes = uuidBytes(id);
  if (bytes === null) throw new TypeError('a cursor is made of the id of a record');
  return Buffer.concat([bytes, cursorTag(bytes, bound, secret)]).toString('base64url');
}

/** The id, or null when the cursor was not made here for the same user and filters. */
export function decodeCursor(cursor: string, bound: Buffer, secret: string | Uint8Array): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== ID_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null;
  const id = bytes.subarray(0, ID_BYTES);
  return timingSafeEqual(bytes.subarray(ID_BYTES), cursorTag(id, bound, secret)) ? uuidText(id) : null;
}

function cursorTag(id: Buffer, bound: Buffer, secret: string | Uint8Array): Buffer {
  return createHmac('sha256', secret)
    .update('cursor')
    .update(id)
    .update(bound)
    .digest()
    .subarray(0, TAG_BYTES);
}
