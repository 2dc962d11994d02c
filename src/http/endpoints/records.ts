import { Type } from 'typebox';
import { uuid7Time } from '../../base/uuid7.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { type RecordStore, StorageError } from '../../ports/store.ts';
import { returnsContent } from '../../wire/answer/answer-json.ts';
import { AsyncState, ScrapeRecord } from '../../wire/answer/answer-schema.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { type RecordContext, recordJson, recordPieces } from '../../wire/record/record-json.ts';
import {
  EXPORT_MEDIA_TYPES,
  exportHead,
  exportLines,
  listJson,
  ScrapeList,
} from '../../wire/record/record-list.ts';
import {
  decodeCursor,
  EXPORT_QUERY,
  type ExportRequest,
  encodeCursor,
  filterHash,
  LIST_QUERY,
  seesAllUsers,
  TOTALS_QUERY,
} from '../../wire/record/record-query.ts';
import { ScrapeTotals, totalsMembers } from '../../wire/record/record-totals.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { readBlob } from '../core/request-resources.ts';
import { json, nothing, text } from '../core/responses.ts';
import { sendPieces, sendStream } from '../core/streaming.ts';
import { asyncScrape, sendAsyncState, waitForEnd } from '../operations/async-scrape.ts';
import {
  EXPIRED,
  existing,
  missingRecord,
  RECORD_ID,
  recordId,
  visibleUser,
} from '../operations/missing-record.ts';
import { SCRAPE_EXAMPLE } from '../operations/scrape-examples.ts';
import { steered } from '../operations/steering.ts';

const BOOLEANS = ['true', 'false'] as const;

const RECORD_QUERY = {
  parameters: {
    wait_ms: {
      description: 'How long to wait for the end of an asynchronous scrape.',
      schema: Type.Integer({ minimum: 0, maximum: 60_000, default: 0 }),
    },
    return_content: {
      description:
        'Whether `content` and `content_encoding` are in the answer. Default: as the request of the scrape said, `true` if it said nothing.',
      schema: Type.Enum([...BOOLEANS]),
    },
  },
  read(query: QueryReader) {
    const returnContent = query.oneOf('return_content', BOOLEANS);
    return {
      waitMs: query.integer('wait_ms', 0, 60_000) ?? 0,
      returnContent: returnContent === null ? null : returnContent === 'true',
    };
  },
};

const JSON_TYPE = 'application/json; charset=utf-8';

const wrongCursorRefusal = (): Refusal =>
  Refusal.of('request.validation', 'The cursor does not belong to these filters; start again without it.', {
    pointer: '/cursor',
  });

/** The description of the endpoint names the same number. */
const MAX_EXPORT_LINES = 100_000;
/** Records that are read from the store at a time. */
const EXPORT_PAGE = 200;

/**
 * The text of an export in pieces. The next page is read from the store when the caller has received the last one.
 * @param withUser whether each line names the user of the record
 */
async function* exportPieces(
  records: RecordStore,
  { filter, format }: ExportRequest,
  withUser: boolean,
): AsyncGenerator<string> {
  let head = exportHead(format, withUser);
  let after: string | null = null;
  for (let remaining = MAX_EXPORT_LINES; remaining > 0; ) {
    const { items, next } = await records.list(filter, Math.min(EXPORT_PAGE, remaining), after);
    remaining -= items.length;
    // Also an empty piece: after each piece, the stream checks whether the caller is still connected.
    yield head + exportLines(items, format, withUser);
    head = '';
    if (next === null) return;
    after = next;
  }
}

export const RECORD_EXAMPLE = {
  ...SCRAPE_EXAMPLE,
  router: {
    ...SCRAPE_EXAMPLE.router,
    created_at: '2026-01-31T12:00:00.000Z',
    http_status: 200,
    key_id: '01970000-0000-7000-8000-000000000001',
  },
};

const SEARCHED_TO = {
  'X-Searched-To': {
    description: 'How far back this page searched. Absent on the last page.',
    schema: Type.String({ format: 'date-time' }),
  },
};

/** What made a scrape: the job that it is an item of, and the monitor whose run that was. */
async function originOf(
  { store: { records, jobs, monitors } }: Pick<EndpointDeps, 'store'>,
  id: string,
): Promise<Pick<RecordContext, 'jobId' | 'monitor'>> {
  const jobId = await records.jobOf(id);
  if (jobId === null) return { jobId: null, monitor: null };
  const monitorId = (await jobs.get(jobId, null))?.tags.monitor;
  const n = monitorId === undefined ? null : await monitors.runOfJob(monitorId, jobId);
  // The job of one asynchronous scrape is the scrape itself.
  return { jobId: jobId === id ? null : jobId, monitor: n === null ? null : { id: monitorId!, n } };
}

export const RECORDS = [
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/',
    operationId: 'listScrapes',
    summary: 'List stored scrapes',
    description:
      'Scrapes appear when they end, sorted by their start time. Each request searches a limited number of records, so a filtered page can be short or empty although more follow: continue with `next_cursor` until it is null. `X-Searched-To` says how far back a page searched. To poll for new scrapes, set `from` to a little more than your longest timeout before now. Sessions of administrators see the scrapes of all users; all others see only their own.',
    access: 'scope:read',
    query: LIST_QUERY,
    responses: { 200: json('A page of records.', ScrapeList, { headers: SEARCHED_TO }) },
    handler: async (
      { query: { filter, limit, cursor }, principal, reply },
      { store: { records }, secret },
    ) => {
      const hash = filterHash(filter);
      const after = cursor === null ? null : decodeCursor(cursor, hash, secret);
      if (cursor !== null && after === null) throw wrongCursorRefusal();
      const { items, next } = await records.list(filter, limit, after);
      if (next !== null) reply.header('x-searched-to', formatDateTime(uuid7Time(next)));
      const nextCursor = next === null ? null : encodeCursor(next, hash, secret);
      return reply
        .header('content-type', JSON_TYPE)
        .send(listJson(items, nextCursor, seesAllUsers(principal)));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/export/',
    operationId: 'exportScrapes',
    summary: 'Export stored scrapes',
    description:
      'Newest first, at most 100,000 records. For more, repeat the request with `to` set to the last `created_at` plus one millisecond, and skip ids that you already have. The fields are those of the list. CSV (RFC 4180, UTF-8) has a header line, tags as JSON, and an apostrophe before cells that a spreadsheet could read as a formula. If the connection breaks, the export is incomplete.',
    access: 'scope:read',
    query: EXPORT_QUERY,
    responses: { 200: text('The exported records.', 'application/x-ndjson', 'text/csv') },
    handler: ({ query, principal, reply }, { store: { records }, logger }) => {
      reply.headers({
        'content-type': EXPORT_MEDIA_TYPES[query.format],
        'content-disposition': `attachment; filename="scrapes.${query.format}"`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      });
      return sendStream(reply, exportPieces(records, query, seesAllUsers(principal)), (error) => {
        if (!(error instanceof StorageError)) logger.error({ err: error }, 'internal error');
      });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/totals/',
    operationId: 'getScrapeTotals',
    summary: 'Add up stored scrapes',
    description:
      'Totals of the records that the filters of the list match, and their number over time. Each request examines a limited number of records, the newest first: until `next_cursor` is null, the totals cover only those since `searched_to`. To count all, repeat the request with the cursor and add up the responses.',
    access: 'scope:read',
    query: TOTALS_QUERY,
    responses: { 200: json('The totals.', ScrapeTotals) },
    handler: async ({ query: { filter, cursor } }, { store: { records }, prices, secret }) => {
      const hash = filterHash(filter);
      const after = cursor === null ? null : decodeCursor(cursor, hash, secret);
      if (cursor !== null && after === null) throw wrongCursorRefusal();
      const { totals, next } = await records.totals(filter, after);
      const page =
        next === null ? null : { searchedTo: uuid7Time(next), cursor: encodeCursor(next, hash, secret) };
      return totalsMembers(totals, prices?.currency ?? EFFORT_UNIT, page);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/{id}/',
    operationId: 'getScrape',
    summary: 'Get a stored scrape',
    description:
      'Returns 200 for every stored record, including failed scrapes; 202 while an asynchronous scrape has not ended.',
    access: 'scope:read',
    params: RECORD_ID,
    query: RECORD_QUERY,
    responses: {
      200: json('The scrape.', ScrapeRecord, { example: RECORD_EXAMPLE }),
      202: json('An asynchronous scrape that has not ended. See `Retry-After`.', AsyncState),
      410: EXPIRED,
    },
    handler: async ({ params, query, principal, request, reply }, deps) => {
      const {
        store: { records },
        blobs,
        memory,
        linkUrl,
      } = deps;
      const id = recordId(params.id);
      const userId = visibleUser(principal);
      let record = await records.get(id, userId);
      if (record === null) {
        const job = await asyncScrape(deps, id, userId);
        if (job === null) throw missingRecord(id, deps);
        request.cancel ??= new AbortController();
        await waitForEnd(deps, id, query.waitMs, request.cancel.signal);
        record = await records.get(id, userId);
        if (record === null)
          return await sendAsyncState(deps, (await asyncScrape(deps, id, userId)) ?? job, reply);
      }
      reply.header('content-type', JSON_TYPE);
      const context = { withUser: seesAllUsers(principal), ...(await originOf(deps, id)) };
      if (!(query.returnContent ?? returnsContent(record.answerJson)))
        return reply.send(recordJson(record, null, linkUrl, context));
      if (!record.contentInBlob) return reply.send(recordJson(record, record.content, linkUrl, context));
      const content = await readBlob(request, record.id, record.contentBytes ?? 0, { memory, blobs });
      return sendPieces(reply, recordPieces(record, content, linkUrl, context));
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/scrape/{id}/',
    operationId: 'deleteScrape',
    summary: 'Delete a stored scrape',
    access: 'scope:scrape',
    params: RECORD_ID,
    responses: { 204: nothing('Deleted.'), 410: EXPIRED },
    handler: async ({ params, principal }, deps) => {
      const {
        store: { records, jobs },
        blobs,
      } = deps;
      const id = recordId(params.id);
      const job = await asyncScrape(deps, id, visibleUser(principal));
      if (job !== null) {
        if (job.endedAt === null) await steered('job', deps, id, principal);
        await jobs.cancel(id, deps.clock.now());
        deps.jobEngine.abort(id);
        await deps.purgeJob(id);
        return;
      }
      const deleted = await existing(id, records.delete(id, visibleUser(principal)), deps);
      for (const key of deleted.blobs) await blobs.delete(key);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/scrape/{id}/request/',
    operationId: 'getScrapeRequest',
    summary: 'Get the request of a stored scrape',
    description: 'The request as received, with secrets masked.',
    access: 'scope:read',
    params: RECORD_ID,
    responses: {
      200: json('The request.', Type.Object({}, { additionalProperties: true })),
      410: EXPIRED,
    },
    handler: async ({ params, principal, reply }, deps) => {
      const id = recordId(params.id);
      const lookup = deps.store.records.request(id, visibleUser(principal));
      const requestJson = await existing(id, lookup, deps);
      return reply.header('content-type', JSON_TYPE).send(requestJson);
    },
  }),
];
