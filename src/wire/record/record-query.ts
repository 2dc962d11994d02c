import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { uuidBytes, uuidText } from '../../base/uuid7.ts';
import { type Principal, readsAll } from '../../domain/account.ts';
import { FAILURES } from '../../domain/failure.ts';
import type { RecordFilter } from '../../domain/record.ts';
import { OUTCOMES } from '../../domain/scrape.ts';
import type { QueryReader, Viewer } from '../schema/query-reader.ts';
import { ScraperSchema } from '../scraper-schema.ts';

/** Whether the caller sees the records of all users: administrators and viewers do, but only in a session and not with a key. */
export function seesAllUsers(caller: Pick<Principal, 'keyId' | 'role'>): boolean {
  return caller.keyId === null && readsAll(caller.role);
}

/** Characters of `path`. */
const MAX_PATH = 500;
/** Ids in `ids`: a page of the list. */
const MAX_IDS = 200;

const FILTER_PARAMETERS = {
  from: { description: 'Created at or after this time.', schema: Type.String({ format: 'date-time' }) },
  to: { description: 'Created before this time.', schema: Type.String({ format: 'date-time' }) },
  host: {
    description: 'Host of the target, or a pattern such as `*shop*` in which `*` matches any characters.',
    schema: Type.String(),
  },
  path: {
    description: 'Text that the path or the query of the URL contains, in any case.',
    schema: Type.String({ maxLength: MAX_PATH }),
  },
  ids: {
    description: 'Only these records: at most 200 ids, separated by commas.',
    schema: Type.String(),
  },
  status: {
    description: 'Status of the target response.',
    schema: Type.Integer({ minimum: 100, maximum: 999 }),
  },
  outcome: { description: 'Outcome of the scrape.', schema: Type.Enum([...OUTCOMES]) },
  scraper: { description: 'Scraper that produced the result.', schema: ScraperSchema },
  error_code: { description: 'Code of the first error.', schema: Type.Enum(Object.keys(FAILURES)) },
  key_id: { description: 'Id of the API key used.', schema: Type.String() },
  tag: { description: 'A tag, as `name:value`.', schema: Type.String() },
  user_id: {
    description: 'Owner of the scrape. Only for sessions of administrators, which see all users.',
    schema: Type.String(),
  },
};

/** Reads the filters of a list or an export, limited to the records that the viewer may see. */
function readFilter(query: QueryReader, viewer: Viewer): RecordFilter {
  const allUsers = seesAllUsers(viewer);
  const userId = query.text('user_id');
  if (userId !== null && !allUsers) query.addProblem('user_id', "is only for administrators' sessions");
  return {
    userId: allUsers ? userId : viewer.userId,
    from: query.dateTime('from'),
    to: query.dateTime('to'),
    ...readHostFilter(query),
    path: readPathFilter(query),
    ids: readIdsFilter(query),
    status: query.integer('status', 100, 999),
    outcome: query.oneOf('outcome', OUTCOMES),
    scraper: query.scraper('scraper'),
    errorCode: query.oneOf('error_code', Object.keys(FAILURES)),
    keyId: query.text('key_id'),
    tag: query.nameValue('tag'),
    oldestFirst: false,
  };
}

/** Reads `path`, as it is written in URLs: characters other than ASCII are percent-encoded. */
function readPathFilter(query: QueryReader): string | null {
  const text = query.text('path');
  if (text === null) return null;
  if (text.length > MAX_PATH || !text.isWellFormed())
    return query.addProblem('path', `must have at most ${MAX_PATH} characters`);
  return text.replace(/[^!-~]+/g, encodeURIComponent);
}

function readIdsFilter(query: QueryReader): readonly string[] | null {
  const ids = query.text('ids')?.split(',');
  if (ids === undefined) return null;
  if (ids.length > MAX_IDS || ids.some((id) => uuidBytes(id) === null))
    return query.addProblem('ids', `must be at most ${MAX_IDS} ids, separated by commas`);
  return ids;
}

/** Reads `host`: a host name with an optional port, serialised as in a URL, or a pattern in which `*` matches any characters. */
function readHostFilter(query: QueryReader): Pick<RecordFilter, 'host' | 'origins'> {
  const value = query.text('host');
  if (value === null) return { host: null, origins: null };
  if (value.includes('*')) {
    if (!/^[^\s/?#@\\%]{1,255}$/.test(value))
      query.addProblem('host', 'must be a part of a host name between `*`');
    return { host: value.toLowerCase(), origins: null };
  }
  // The brackets of an IPv6 address are optional.
  const host = /^[\da-f.]*:[\da-f.:]*:[\da-f.:]*$/i.test(value) ? `[${value}]` : value;
  const http = /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}/`);
  const https = URL.parse(`https://${host}/`);
  if (http === null || https === null) {
    query.addProblem('host', 'must be a host name or an address, with a port or without');
    return { host: null, origins: null };
  }
  // A URL hides the default port of its scheme: of port 80 or 443, only one of the two URLs has a `port`.
  const hasPort = http.port !== '' || https.port !== '';
  return { host: http.hostname, origins: hasPort ? [http.href, https.href] : null };
}

/** The query of `GET /api/v1/scrape/totals/`. */
export const TOTALS_QUERY = {
  parameters: {
    cursor: {
      description: '`next_cursor` of the previous response. Keep the filters unchanged.',
      schema: Type.String(),
    },
    ...FILTER_PARAMETERS,
  },
  read: (query: QueryReader, viewer: Viewer) => ({
    filter: readFilter(query, viewer),
    cursor: query.text('cursor'),
  }),
};

const SORT_ORDERS = ['asc', 'desc'] as const;
/** Records per page. */
const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 50;

interface ListRequest {
  readonly filter: RecordFilter;
  readonly limit: number;
  /** As received. The endpoint decodes it, because that needs the secret. */
  readonly cursor: string | null;
}

/** The query of `GET /api/v1/scrape/`. */
export const LIST_QUERY = {
  parameters: {
    limit: {
      description: 'Maximum number of records per page.',
      schema: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }),
    },
    order: {
      description: 'By start time: newest first (`desc`) or oldest first (`asc`).',
      schema: Type.Enum([...SORT_ORDERS], { default: 'desc' }),
    },
    cursor: {
      description: '`next_cursor` of the previous page. Keep order and filters unchanged.',
      schema: Type.String(),
    },
    ...FILTER_PARAMETERS,
  },
  read(query: QueryReader, viewer: Viewer): ListRequest {
    const oldestFirst = query.oneOf('order', SORT_ORDERS) === 'asc';
    const filter = { ...readFilter(query, viewer), oldestFirst };
    const limit = query.integer('limit', 1, MAX_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE;
    return { filter, limit, cursor: query.text('cursor') };
  },
};

const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportRequest {
  readonly filter: RecordFilter;
  readonly format: ExportFormat;
}

/** The query of `GET /api/v1/scrape/export/`. */
export const EXPORT_QUERY = {
  parameters: {
    format: {
      description: '`jsonl`: one JSON object per line.',
      schema: Type.Enum([...EXPORT_FORMATS], { default: 'jsonl' }),
    },
    ...FILTER_PARAMETERS,
  },
  read(query: QueryReader, viewer: Viewer): ExportRequest {
    const filter = readFilter(query, viewer);
    return { filter, format: query.oneOf('format', EXPORT_FORMATS) ?? 'jsonl' };
  },
};

/** A UUID. */
const ID_BYTES = 16;
/** Length of the truncated HMAC: 128 bits. */
const HMAC_BYTES = 16;

/** Hash of the user and all filters. A cursor is valid only with the same ones: else it would skip or repeat records. */
export function filterHash(filter: RecordFilter): Buffer {
  const { userId, from, to, host, origins, path, ids, oldestFirst } = filter;
  const { status, outcome, scraper, errorCode, keyId, tag } = filter;
  const text = JSON.stringify([
    userId,
    from,
    to,
    host,
    origins,
    path,
    ids,
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

/**
 * A cursor: the id of the last record of a page, and an HMAC of the id and the filters.
 * @param filters the result of `filterHash`
 */
export function encodeCursor(id: string, filters: Buffer, secret: string | Uint8Array): string {
  const bytes = uuidBytes(id);
  if (bytes === null) throw new TypeError(`a cursor needs the id of a record, got ${id}`);
  return Buffer.concat([bytes, cursorHmac(bytes, filters, secret)]).toString('base64url');
}

/** The id in a cursor; null: the cursor is not valid for this user and these filters. */
export function decodeCursor(cursor: string, filters: Buffer, secret: string | Uint8Array): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== ID_BYTES + HMAC_BYTES || bytes.toString('base64url') !== cursor) return null;
  const id = bytes.subarray(0, ID_BYTES);
  return timingSafeEqual(bytes.subarray(ID_BYTES), cursorHmac(id, filters, secret)) ? uuidText(id) : null;
}

function cursorHmac(id: Buffer, filters: Buffer, secret: string | Uint8Array): Buffer {
  return (
    createHmac('sha256', secret)
      // Other signatures with the secret are not valid cursors.
      .update('cursor')
      .update(id)
      .update(filters)
      .digest()
      .subarray(0, HMAC_BYTES)
  );
}
