import { Type } from 'typebox';
import { FAILURES } from '../../domain/failure.ts';
import { SCRAPER_NAMES } from '../../domain/job.ts';
import { ScrapeRecord, ScrapeResponse } from '../answer/answer-schema.ts';
import { ScrapeList } from '../record/list-schema.ts';
import { OUTCOMES } from '../record/outcomes.ts';
import { ScrapeRequest } from '../request/request-schema.ts';
import { RECORD_EXAMPLE, REQUEST_EXAMPLES, RESPONSE_EXAMPLE } from './examples.ts';
import type { Operation, Parameter } from './operation.ts';
import { json, nothing, problem, refusals, SCRAPE_REFUSALS } from './responses.ts';

const ID: Parameter = {
  name: 'id',
  in: 'path',
  description: 'Of the record.',
  schema: Type.String({ format: 'uuid' }),
};

const query = (name: string, description: string, schema: Parameter['schema']): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const FILTERS: readonly Parameter[] = [
  query('from', 'Created then or later.', Type.String({ format: 'date-time' })),
  query('to', 'Created before.', Type.String({ format: 'date-time' })),
  query('host', 'Host of the target.', Type.String()),
  query('status', 'Status of the target.', Type.Integer({ minimum: 100, maximum: 999 })),
  query('outcome', 'How it ended.', Type.Enum([...OUTCOMES])),
  query('scraper', 'That gave the result.', Type.Enum([...SCRAPER_NAMES])),
  query('error_code', 'The first error.', Type.Enum(Object.keys(FAILURES))),
  query('key_id', 'The key that was used.', Type.String()),
  query('tag', '`name:value`', Type.String()),
  query('user_id', "Whose; only for administrators' sessions, which see all.", Type.String()),
];

const LIST_QUERY: readonly Parameter[] = [
  query('limit', 'Records on a page, at most.', Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  query('cursor', '`next_cursor` of the page before, with the same filters.', Type.String()),
  ...FILTERS,
];

const NUMBER: Parameter = {
  name: 'number',
  in: 'path',
  description: 'Of the picture.',
  schema: Type.Integer({ minimum: 0, maximum: 255 }),
};
const LINK_QUERY: readonly Parameter[] = [
  query('expires', 'Of a signed link: seconds since the epoch.', Type.Integer()),
  query('signature', 'Of a signed link, in place of a key.', Type.String()),
];

/** Of whatever type it is. */
const Bytes = Type.String({ contentMediaType: 'application/octet-stream' });

const LIST_WORDS =
  "A scrape stands at the time it began, as soon as it has ended. With filters a page may be short or empty although there is more: one request looks at a limited number of records, and `next_cursor` goes on behind them; only null is the end. The header `X-Searched-To` tells how far back a page looked that is not the last. To poll for new ones, ask with `from` a little more than the longest timeout before now. An administrator's session sees the scrapes of all users, everybody else their own.";

const SEARCHED_TO = {
  'X-Searched-To': {
    description: 'How far back the page looked; absent on the last page.',
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
      'Fetches the URL and answers with the result. 200 whenever a page came, whatever its status; what went wrong is in `errors`.',
    scope: 'scrape',
    request: { schema: ScrapeRequest, required: true, examples: REQUEST_EXAMPLES },
    responses: { '200': json('The page.', ScrapeResponse, RESPONSE_EXAMPLE), ...SCRAPE_REFUSALS },
  },
  {
    method: 'get',
    path: '/api/v1/scrape/',
    operationId: 'listScrapes',
    tag: 'Scrapes',
    summary: 'List stored scrapes, newest first',
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
    summary: 'Download the lines of the list',
    description:
      'Newest first, at most 100,000 lines: for more, ask again with `to` = `created_at` of the last and a millisecond, and leave out ids that were there. The members are those of the list. CSV (RFC 4180, UTF-8) has a line of names first, tags as JSON, and an apostrophe before cells that a spreadsheet would take for a formula. An answer that breaks off is not whole.',
    scope: 'read',
    parameters: [
      query('format', 'One JSON object a line, or CSV.', Type.Enum(['jsonl', 'csv'], { default: 'jsonl' })),
      ...FILTERS,
    ],
    responses: {
      '200': {
        description: 'The lines.',
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
    summary: 'A stored scrape',
    description: 'Always 200 for a record that exists, also for a scrape that failed.',
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
    summary: 'The request of a stored scrape',
    description: 'As it came, secrets masked.',
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
    summary: 'The content of a stored scrape',
    description:
      'As a download, with its own media type; text is UTF-8, whatever it was. It comes from strangers: sandboxed by its Content-Security-Policy, which forbids scripts and everything from elsewhere.',
    scope: 'read',
    parameters: [
      ID,
      query(
        'view',
        '`1`: to be shown in a sandboxed frame of the dashboard instead; HTML, text and images only.',
        Type.Enum(['1']),
      ),
    ],
    responses: {
      '200': { description: 'The bytes.', content: { '*/*': Bytes } },
      ...refusals({ scope: 'read', query: true, id: true }),
    },
  },
  screenshot('/api/v1/scrape/{id}/screenshot', 'getScreenshot', [ID], {
    summary: 'The screenshot of a stored scrape',
    what: 'The picture that `screenshot: true` asked for.',
  }),
  screenshot('/api/v1/scrape/{id}/screenshot/{number}', 'getPicture', [ID, NUMBER], {
    summary: 'A picture of a stored scrape, by its number',
    what: 'Those of `screenshot` actions count from 1 in their order; 0 is the screenshot itself.',
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
    description: `${what} The links in answers lead here; they are signed, and need no key until they expire. Not kept with \`router.retain\` other than \`full\`.`,
    scope: 'read',
    parameters: [...place, ...LINK_QUERY],
    responses: {
      '200': {
        description: 'The picture.',
        content: { 'image/png': Bytes, 'image/jpeg': Bytes, 'image/webp': Bytes },
      },
      '304': nothing('It is the one that `If-None-Match` names.'),
      '410': problem('The link has expired: `screenshot.expired`.'),
      ...refusals({ scope: 'read', id: true }),
    },
  };
}
