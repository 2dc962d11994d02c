import { Type } from 'typebox';
import { FAILURES } from '../../domain/failure.ts';
import { SCRAPER_NAMES } from '../../domain/job.ts';
import { ScrapeRecord, ScrapeResponse } from '../answer/answer-schema.ts';
import { ScrapeList } from '../record/list-schema.ts';
import { OUTCOMES } from '../record/outcomes.ts';
import { ScrapeRequest } from '../request/request-schema.ts';
import { RECORD_EXAMPLE, REQUEST_EXAMPLES, RESPONSE_EXAMPLE } from './examples.ts';
import type { Operation, Parameter } from './operation.ts';
import { json, nothing, refusals, SCRAPE_REFUSALS } from './responses.ts';

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

const LIST_QUERY: readonly Parameter[] = [
  query('limit', 'Records on a page.', Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  query('cursor', '`next_cursor` of the page before, with the same filters.', Type.String()),
  query('from', 'Created then or later.', Type.String({ format: 'date-time' })),
  query('to', 'Created before.', Type.String({ format: 'date-time' })),
  query('host', 'Host of the target.', Type.String()),
  query('status', 'Status of the target.', Type.Integer({ minimum: 100, maximum: 999 })),
  query('outcome', 'How it ended.', Type.Enum([...OUTCOMES])),
  query('scraper', 'That gave the result.', Type.Enum([...SCRAPER_NAMES])),
  query('error_code', 'The first error.', Type.Enum(Object.keys(FAILURES))),
  query('key_id', 'The key that was used.', Type.String()),
  query('tag', '`name:value`', Type.String()),
];

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
    scope: 'read',
    parameters: LIST_QUERY,
    responses: { '200': json('A page of records.', ScrapeList), ...refusals({ scope: 'read', query: true }) },
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
];
