import { Type } from 'typebox';
import { FAILURES } from '../../domain/failure.ts';
import { OUTCOMES } from '../../domain/scrape.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import { ScrapeRecord, ScrapeResponse } from '../answer/answer-schema.ts';
import { ScrapeList } from '../record/record-list.ts';
import { SORT_ORDERS } from '../record/record-query.ts';
import { ScrapeRequest } from '../request/scrape-request-schema.ts';
import { RECORD_EXAMPLE, REQUEST_EXAMPLES, RESPONSE_EXAMPLE } from './examples.ts';
import type { Operation, Parameter } from './operation.ts';
import { json, nothing, problem, refusals, SCRAPE_REFUSALS } from './responses.ts';

const ID: Parameter = {
  name: 'id',
  in: 'path',
  description: 'Id of the record.',
  schema: Type.String({ format: 'uuid' }),
};

const query = (name: string, description: string, schema: Parameter['schema']): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const FILTERS: readonly Parameter[] = [
  query('from', 'Created at or after this time.', Type.String({ format: 'date-time' })),
  query('to', 'Created before this time.', Type.String({ format: 'date-time' })),
  query('host', 'Host of the target.', Type.String()),
  query('status', 'Status of the target response.', Type.Integer({ minimum: 100, maximum: 999 })),
  query('outcome', 'Outcome of the scrape.', Type.Enum([...OUTCOMES])),
  query('scraper', 'Scraper that produced the result.', Type.Enum([...SCRAPER_NAMES])),
  query('error_code', 'Code of the first error.', Type.Enum(Object.keys(FAILURES))),
  query('key_id', 'Id of the API key used.', Type.String()),
  query('tag', 'A tag, as `name:value`.', Type.String()),
  query(
    'user_id',
    'Owner of the scrape. Only for sessions of administrators, which see all users.',
    Type.String(),
  ),
];

const LIST_QUERY: readonly Parameter[] = [
  query(
    'limit',
    'Maximum number of records per page.',
    Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  ),
  query(
    'order',
    'By start time: newest first (`desc`) or oldest first (`asc`).',
    Type.Enum([...SORT_ORDERS], { default: 'desc' }),
  ),
  query('cursor', '`next_cursor` of the previous page. Keep order and filters unchanged.', Type.String()),
  ...FILTERS,
];

const NUMBER: Parameter = {
  name: 'number',
  in: 'path',
  description: 'Number of the screenshot.',
  schema: Type.Integer({ minimum: 0, maximum: 255 }),
};
const LINK_QUERY: readonly Parameter[] = [
  query('expires', 'Part of a signed link: expiry as Unix time in seconds.', Type.Integer()),
  query('signature', 'Part of a signed link; replaces the API key.', Type.String()),
];

/** Of whatever type it is. */
const Bytes = Type.String({ contentMediaType: 'application/octet-stream' });

const LIST_WORDS =
  'Scrapes appear when they end, sorted by their start time. Each request searches a limited number of records, so a filtered page can be short or empty although more follow: continue with `next_cursor` until it is null. `X-Searched-To` says how far back a page searched. To poll for new scrapes, set `from` to a little more than your longest timeout before now. Sessions of administrators see the scrapes of all users; all others see only their own.';

const SEARCHED_TO = {
  'X-Searched-To': {
    description: 'How far back this page searched. Absent on the last page.',
    schema: Type.String({ format: 'date-time' }),
  },
};

export const SCRAPE_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/v1/scrape/',
    operationId: 'createScrape',
    tag: 'Scrapes',
    summary: 'Scrape a page',
    description:
      'Fetches the URL and returns the result. The status is 200 whenever the target returned a page; the status of that page is `status_code`. Problems are listed in `errors`.',
    scope: 'scrape',
    request: { schema: ScrapeRequest, required: true, examples: REQUEST_EXAMPLES },
    responses: { '200': json('The page.', ScrapeResponse, RESPONSE_EXAMPLE), ...SCRAPE_REFUSALS },
  },
  {
    method: 'get',
    path: '/api/v1/scrape/',
    operationId: 'listScrapes',
    tag: 'Scrapes',
    summary: 'List stored scrapes',
    description: LIST_WORDS,
    scope: 'read',
    parameters: LIST_QUERY,
    responses: {
      '200': { ...json('A page of records.', ScrapeList), headers: SEARCHED_TO },
      ...refusals({ scope: 'read', query: true }),
    },
  },
  {
    method: 'get',
    path: '/api/v1/scrape/export/',
    operationId: 'exportScrapes',
    tag: 'Scrapes',
    summary: 'Export stored scrapes',
    description:
      'Newest first, at most 100,000 records. For more, repeat the request with `to` set to the last `created_at` plus one millisecond, and skip ids that you already have. The fields are those of the list. CSV (RFC 4180, UTF-8) has a header line, tags as JSON, and an apostrophe before cells that a spreadsheet could read as a formula. If the connection breaks, the export is incomplete.',
    scope: 'read',
    parameters: [
      query(
        'format',
        '`jsonl`: one JSON object per line.',
        Type.Enum(['jsonl', 'csv'], { default: 'jsonl' }),
      ),
      ...FILTERS,
    ],
    responses: {
      '200': {
        description: 'The exported records.',
        content: { 'application/x-ndjson': Type.String(), 'text/csv': Type.String() },
      },
      ...refusals({ scope: 'read', query: true }),
    },
  },
  {
    method: 'get',
    path: '/api/v1/scrape/{id}/',
    operationId: 'getScrape',
    tag: 'Scrapes',
    summary: 'Get a stored scrape',
    description: 'Returns 200 for every stored record, including failed scrapes.',
    scope: 'read',
    parameters: [ID],
    responses: {
      '200': json('The scrape.', ScrapeRecord, RECORD_EXAMPLE),
      ...refusals({ scope: 'read', id: true }),
    },
  },
  {
    method: 'delete',
    path: '/api/v1/scrape/{id}/',
    operationId: 'deleteScrape',
    tag: 'Scrapes',
    summary: 'Delete a stored scrape',
    scope: 'scrape',
    parameters: [ID],
    responses: { '204': nothing('Deleted.'), ...refusals({ scope: 'scrape', id: true }) },
  },
  {
    method: 'get',
    path: '/api/v1/scrape/{id}/request/',
    operationId: 'getScrapeRequest',
    tag: 'Scrapes',
    summary: 'Get the request of a stored scrape',
    description: 'The request as received, with secrets masked.',
    scope: 'read',
    parameters: [ID],
    responses: {
      '200': json('The request.', Type.Object({}, { additionalProperties: true })),
      ...refusals({ scope: 'read', id: true }),
    },
  },
  {
    method: 'get',
    path: '/api/v1/scrape/{id}/content/',
    operationId: 'getScrapeContent',
    tag: 'Scrapes',
    summary: 'Download the content of a stored scrape',
    description:
      'A download with the media type of the page; text is converted to UTF-8. The content is untrusted: its Content-Security-Policy sandboxes it, and forbids scripts and external resources.',
    scope: 'read',
    parameters: [
      ID,
      query(
        'view',
        '`1`: for display in a sandboxed frame of the dashboard instead. Only HTML, text and images.',
        Type.Enum(['1']),
      ),
    ],
    responses: {
      '200': { description: 'The bytes.', content: { '*/*': Bytes } },
      ...refusals({ scope: 'read', query: true, id: true }),
    },
  },
  screenshot('/api/v1/scrape/{id}/screenshot', 'getScreenshot', [ID], {
    summary: 'Get the screenshot of a stored scrape',
    what: 'The screenshot requested with `screenshot: true`.',
  }),
  screenshot('/api/v1/scrape/{id}/screenshot/{number}', 'getPicture', [ID, NUMBER], {
    summary: 'Get one of several screenshots of a stored scrape',
    what: '`screenshot` actions are numbered from 1 in order; 0 is the screenshot of the scrape itself.',
  }),
];

function screenshot(
  path: string,
  operationId: string,
  place: readonly Parameter[],
  { summary, what }: { readonly summary: string; readonly what: string },
): Operation {
  return {
    method: 'get',
    path,
    operationId,
    tag: 'Scrapes',
    summary,
    description: `${what} Signed links in responses point here and need no API key until they expire. Not stored if \`router.retain\` is not \`full\`.`,
    scope: 'read',
    parameters: [...place, ...LINK_QUERY],
    responses: {
      '200': {
        description: 'The image.',
        content: { 'image/png': Bytes, 'image/jpeg': Bytes, 'image/webp': Bytes },
      },
      '304': nothing('Not modified.'),
      '410': problem('The link has expired: `screenshot.expired`.'),
      ...refusals({ scope: 'read', id: true }),
    },
  };
}
