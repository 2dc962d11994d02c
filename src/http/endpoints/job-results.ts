import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Principal } from '../../domain/account.ts';
import { EXPORT_TYPES } from '../../domain/exports.ts';
import type { JobRow } from '../../domain/jobs.ts';
import { foldersJson, JobFolders, JobResults, ListedJobItems } from '../../wire/jobs/job-json.ts';
import {
  ENDED_STATES,
  FOLDERS_QUERY,
  ITEMS_QUERY,
  itemCursor,
  type JobResultsQuery,
  RESULTS_QUERY,
  readEndedStates,
} from '../../wire/jobs/results-query.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint } from '../core/endpoint.ts';
import { LINES_TYPE } from '../core/json-body.ts';
import { bytes, json, problem, text } from '../core/responses.ts';
import { StreamSlots } from '../core/stream-slots.ts';
import { listedItems } from '../operations/job-holds.ts';
import { resultLines } from '../operations/job-results.ts';
import {
  closeSignal,
  eventStream,
  exportFile,
  hasEnded,
  resultStream,
  sendPieces,
  zipExport,
} from '../operations/job-streams.ts';
import { EVENTS_TYPE } from '../operations/progress-stream.ts';
import { JOB_ID, visibleJob } from '../operations/visible-job.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const EXPORTS = { ...EXPORT_TYPES, zip: 'application/zip' } as const;
const EXPORT_FORMATS = Object.keys(EXPORTS) as (keyof typeof EXPORTS)[];

const TOO_MANY_STREAMS = problem('Too many streams (`limit.streams`) or requests (`limit.concurrency`).');

const acceptsLines = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? '').split(',').some((type) => type.trim().toLowerCase().startsWith(LINES_TYPE));

async function resultsPage(
  deps: EndpointDeps,
  job: JobRow,
  { after, limit, include, folder, states }: JobResultsQuery,
) {
  const items = await deps.store.jobs.results(job.id, after, limit, { folder, states });
  const { lines, last } = await resultLines(deps, job, items, include);
  const isLast = lines.length === items.length && items.length < limit;
  return { lines, next: isLast && hasEnded(job) ? null : String(last ?? after) };
}

/** The number in `Last-Event-ID`; 0: the header is missing or is no number. */
function lastEventId({ headers }: FastifyRequest): number {
  const id = String(headers['last-event-id'] ?? '');
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

const slots = new StreamSlots();

/** @throws Refusal limit.streams */
const takeStream = ({ accounts }: EndpointDeps, { userId }: Principal, reply: FastifyReply): void =>
  slots.take(userId, accounts.limits(userId).streams, reply);

export const JOB_RESULTS = [
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/{id}/results/',
    operationId: 'getJobResults',
    summary: 'Get the results of a job',
    description:
      'Items that have ended, in the order of their ends, which never changes: continue with `next_cursor` until it is null. While the job runs, a page may be empty although more results will follow. A page has at most 16 MiB, unless a single result is larger. With `Accept: application/x-ndjson` all results after `cursor` are streamed, one a line; `limit` has no effect then.',
    access: 'scope:read',
    params: JOB_ID,
    query: RESULTS_QUERY,
    responses: {
      200: {
        description: 'A page of results, or all of them.',
        content: {
          'application/json': JobResults,
          [LINES_TYPE]: Type.String({ description: 'A `JobItem` in each line.' }),
        },
      },
      429: TOO_MANY_STREAMS,
    },
    handler: async ({ params, query, principal, reply, request }, deps) => {
      const job = await visibleJob(deps, params.id, principal);
      if (acceptsLines(request)) {
        if (query.follow) takeStream(deps, principal, reply);
        const { after, follow, folder, states } = query;
        const options = { after, follow, folder, states, signal: closeSignal(reply) };
        return await sendPieces(deps, reply, LINES_TYPE, resultStream(deps, job.id, query.include, options));
      }
      const { lines, next } = await resultsPage(deps, job, query);
      const body = `{"items":[${lines.join(',')}],"next_cursor":${JSON.stringify(next)}}`;
      return reply.header('content-type', JSON_TYPE).send(body);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/{id}/items/',
    operationId: 'listJobItems',
    summary: 'List the items of a job',
    description:
      'All items, also those that wait or run: what is known of their pages, and why those that wait do. Results have what was scraped.',
    access: 'scope:read',
    params: JOB_ID,
    query: ITEMS_QUERY,
    responses: { 200: json('A page of items.', ListedJobItems) },
    handler: async ({ params, query, principal }, deps) => {
      const job = await visibleJob(deps, params.id, principal);
      const { items, next } = await deps.store.jobs.itemPage(job.id, query);
      return {
        items: await listedItems(deps, job, items),
        next_cursor: next === null ? null : itemCursor(next),
      };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/{id}/folders/',
    operationId: 'listJobFolders',
    summary: 'List the folders of a job',
    description:
      'The items of a job as a tree, by the hosts and paths of their URLs, one level at a time: the folders directly below `folder`, by their names, each with the counts of all items below it. Folders below the tenth level, or of more than 500 characters, are not listed; their items count as directly in the folder above.',
    access: 'scope:read',
    params: JOB_ID,
    query: FOLDERS_QUERY,
    responses: { 200: json('A page of folders.', JobFolders) },
    handler: async ({ params, query: { folder, limit, after }, principal }, deps) => {
      const { id } = await visibleJob(deps, params.id, principal);
      const folders = await deps.store.jobs.folders(id, folder, limit + 1, after);
      const page = folders.slice(0, limit);
      return foldersJson(page, folders.length > limit ? page.at(-1)!.folder : null);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/{id}/events/',
    operationId: 'getJobEvents',
    summary: 'Follow the events of a job',
    description:
      'Server-Sent Events, until the job has ended. The id of an event is its number in the job: after a lost connection, `Last-Event-ID` continues. 204: the job has ended, and there are no more.',
    access: 'scope:read',
    params: JOB_ID,
    needsPermit: true,
    responses: {
      200: text('The events.', EVENTS_TYPE),
      204: { description: 'There are no more events, and there will be none.', content: {} },
      429: TOO_MANY_STREAMS,
    },
    handler: async ({ params, principal, reply, request }, deps) => {
      const job = await visibleJob(deps, params.id, principal);
      const after = lastEventId(request);
      if (hasEnded(job) && (await deps.store.jobs.events(job.id, after, 1)).length === 0)
        return reply.code(204).send();
      takeStream(deps, principal, reply);
      const options = { after, signal: closeSignal(reply) };
      return await sendPieces(deps, reply, EVENTS_TYPE, eventStream(deps, job.id, options));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/{id}/export/',
    operationId: 'exportJob',
    summary: 'Export the results of a job',
    description:
      'All results so far. `jsonl`: as the stream of results. `csv` (RFC 4180, UTF-8): the items with their states and errors, and a column for each field of `extract` and `json`, such as `extract.price`; what spreadsheets would run as a formula begins with an apostrophe. `xlsx`: the same as a workbook, with texts as text; what is beyond 1,048,576 rows is on further sheets, cells of more than 32,767 characters are cut. `zip`: the Markdown of the pages whose requests asked for it, as files in the folders of their URLs, and an index with all items as lines of JSON. If the connection breaks, the export is incomplete.',
    access: 'scope:read',
    params: JOB_ID,
    query: {
      parameters: {
        format: {
          description: 'Format of the file.',
          schema: Type.Enum([...EXPORT_FORMATS], { default: 'jsonl' }),
        },
        state: ENDED_STATES,
      },
      read: (query: QueryReader) => ({
        format: query.oneOf('format', EXPORT_FORMATS) ?? 'jsonl',
        states: readEndedStates(query),
      }),
    },
    responses: { 200: bytes('The file.', LINES_TYPE, 'text/csv', EXPORTS.xlsx, 'application/zip') },
    handler: async ({ params, query: { format, states }, principal, reply }, deps) => {
      const { id } = await visibleJob(deps, params.id, principal);
      const options = { after: 0, follow: false, states, signal: closeSignal(reply) };
      reply.header('content-disposition', `attachment; filename="job-${id}.${format}"`);
      const pieces =
        format === 'zip'
          ? zipExport(deps, id, options)
          : exportFile(deps, id, format, options.signal, states);
      return await sendPieces(deps, reply, EXPORTS[format], pieces);
    },
  }),
];
