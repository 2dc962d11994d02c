import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { uuidBytes, uuidText } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import { FAILURES } from '../../domain/failure.ts';
import type { RecordFilter } from '../../domain/record.ts';
import { OUTCOMES } from '../../domain/scrape.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import type { QueryReader, Viewer } from '../schema/query-reader.ts';

/** Administrators see what all users did, but only where they look themselves: a key shows what its own user did. */
export function seesAllUsers(who: Pick<Principal, 'keyId' | 'role'>): boolean {
  return who.keyId === null && who.role === 'admin';
}

const FILTER_PARAMETERS = {
  from: { description: 'Created at or after this time.', schema: Type.String({ format: 'date-time' }) },
  to: { description: 'Created before this time.', schema: Type.String({ format: 'date-time' }) },
  host: { description: 'Host of the target.', schema: Type.String() },
  status: {
    description: 'Status of the target response.',
    schema: Type.Integer({ minimum: 100, maximum: 999 }),
  },
  outcome: { description: 'Outcome of the scrape.', schema: Type.Enum([...OUTCOMES]) },
  scraper: { description: 'Scraper that produced the result.', schema: Type.Enum([...SCRAPER_NAMES]) },
  error_code: { description: 'Code of the first error.', schema: Type.Enum(Object.keys(FAILURES)) },
  key_id: { description: 'Id of the API key used.', schema: Type.String() },
  tag: { description: 'A tag, as `name:value`.', schema: Type.String() },
  user_id: {
    description: 'Owner of the scrape. Only for sessions of administrators, which see all users.',
    schema: Type.String(),
  },
};

/** The filters of a list or an export, within what the viewer may see. */
function readFilter(query: QueryReader, viewer: Viewer): RecordFilter {
  const admin = seesAllUsers(viewer);
  const userId = query.text('user_id');
  if (userId !== null && !admin) query.addProblem('user_id', "is only for administrators' sessions");
  return {
    userId: admin ? userId : viewer.userId,
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

const SORT_ORDERS = ['asc', 'desc'] as const;
const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

interface ListRequest {
  readonly filter: RecordFilter;
  readonly limit: number;
  /** Not decoded yet: whether it is good depends on the filter and the secret. */
  readonly cursor: string | null;
}

/** The query of `GET /api/v1/scrape/`. */
export const LIST_QUERY = {
  parameters: {
    limit: {
      description: 'Maximum number of records per page.',
      schema: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE }),
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
    const limit = query.integer('limit', 1, MAX_PAGE) ?? DEFAULT_PAGE;
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
