import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { isObject } from '../../domain/json-schema.ts';
import { BatchRequest, BatchSettings } from '../../wire/jobs/batch-request.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import { JobAccepted } from '../../wire/jobs/job-json.ts';
import { bodyParser } from '../../wire/schema/body-parser.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { type JsonLine, jsonLines } from '../core/json-lines.ts';
import { Refusal } from '../core/refusal.ts';
import { json, problem } from '../core/responses.ts';
import { acceptBatch, type BatchEntry } from '../operations/accept-batch.ts';

/** Contract §13: a batch of lines has at most 64 MiB. */
const LINES_LIMIT = 64 * 1024 * 1024;

const parseSettings = bodyParser(BatchSettings, (body) => body as BatchSettings);

/** A batch whose requests are still to be read. */
interface BatchSource {
  readonly settings: BatchSettings;
  /** Of the settings in the body. */
  readonly pointer: string;
  readonly entries: AsyncIterable<BatchEntry>;
}

/** Reads the settings from the first line, if they are there. @throws Refusal */
async function lineSource(stream: Readable): Promise<BatchSource> {
  const lines = jsonLines(stream, LINES_LIMIT);
  const { value: first, done } = await lines.next();
  const entry = done === true ? null : entryOf(first);
  const isSettings = entry !== null && isObject(entry.value) && Object.keys(entry.value).join() === 'job';
  async function* entries() {
    if (entry !== null && !isSettings) yield entry;
    for await (const line of lines) yield entryOf(line);
  }
  if (!isSettings) return { settings: {}, pointer: '', entries: entries() };
  const parsed = parseSettings((entry.value as { readonly job: unknown }).job);
  if (parsed.problems !== null)
    throw new Refusal(
      parsed.problems.map((problem) => ({ ...withPrefix(problem, '/job'), line: entry.line! })),
    );
  return { settings: parsed.value, pointer: '/job', entries: entries() };
}

const entryOf = (line: JsonLine): BatchEntry =>
  line.failure === null ? line : { value: null, failure: line.failure, line: line.line };

/** Requests after which other requests of the service get their turn. */
const ENTRIES_PER_TURN = 200;

async function* arrayEntries(values: readonly unknown[]): AsyncGenerator<BatchEntry> {
  for (const [index, value] of values.entries()) {
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await setImmediate();
    yield { value, failure: null };
  }
}

export const BATCHES = [
  endpoint({
    method: 'post',
    path: '/api/v1/batches/',
    operationId: 'createBatch',
    summary: 'Scrape many pages',
    description:
      'Starts a job with one item for each request. All requests are checked before anything runs. The items take none of the places for concurrent requests.',
    access: 'scope:jobs',
    idempotent: true,
    body: {
      ...jsonBody(BatchRequest, {
        examples: {
          urls: {
            requests: [
              { url: 'https://example.com/a', ref: 'a' },
              { url: 'https://example.com/b', ref: 'b' },
            ],
            defaults: { scraper_options: { formats: ['markdown'] } },
          },
        },
        read: (body): BatchSource | Promise<BatchSource> => {
          const { requests, ...settings } = body as BatchRequest;
          return { settings, pointer: '', entries: arrayEntries(requests) };
        },
      }),
      lines: {
        limit: LINES_LIMIT,
        description:
          'A request in each line, at most 100,000 and 64 MiB. The first line may be `{"job": {…}}` with the other members.',
      },
      readLines: lineSource,
    },
    responses: {
      202: json('The job is stored.', JobAccepted),
      402: problem('The daily budget of the key is used up: `budget.exhausted`.'),
      422: problem('There is no such template: `template.unknown`.'),
    },
    handler: async ({ body, principal, reply }, deps) => {
      const { settings, pointer, entries } = await body;
      const batch = await acceptBatch(deps, principal, settings, pointer, entries);
      const { id, problems, invalid } = batch;
      const invalidPart =
        invalid === 0
          ? {}
          : {
              invalid: problems.map(({ pointer: at = '', line, message }) => ({
                pointer: at,
                line,
                message,
              })),
              invalid_total: invalid,
            };
      return reply
        .code(202)
        .header('location', `${deps.baseUrl()}/api/v1/jobs/${id}/`)
        .send({ id, state: 'queued', ...invalidPart });
    },
  }),
];
