import { Type } from 'typebox';
import { failure } from '../../domain/failure.ts';
import { closed, count, optional } from '../../domain/json-schema.ts';
import { type ImportedRequest, type ImportFiles, importCurl } from '../../wire/import/curl-command.ts';
import { importHar } from '../../wire/import/har.ts';
import { importScrapingBee } from '../../wire/import/scrapingbee.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import { readBase64 } from '../../wire/request/body.ts';
import { parseTask } from '../../wire/request/parse-task.ts';
import { childPointer, type Problems } from '../../wire/schema/problems.ts';
import { readJson } from '../../wire/schema/read-json.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json } from '../core/responses.ts';

const ImportBody = closed(
  optional({
    curl: Type.String({
      maxLength: 1_000_000,
      description: 'A curl command, as it is typed into a POSIX shell (bash, zsh), or copied from a browser.',
    }),
    files: Type.Record(Type.String(), Type.String(), {
      description:
        'Contents of the files that the curl command reads (`@file`), as Base64, by the names in the command.',
    }),
    har: Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })], {
      description: 'An HTTP archive (HAR 1.2), as JSON or as its text.',
    }),
    entry: count('Which entry of the archive, counted from 0. Without it, the first document.'),
    scrapingbee: Type.String({
      maxLength: 1_000_000,
      description:
        'URL of a call of ScrapingBee, ScraperAPI, ScrapingAnt or Scrape.do, or its query alone. The key is not needed.',
    }),
  }),
  { title: 'ImportRequest' },
);

const ImportResult = closed(
  {
    request: Type.Object(
      {},
      { additionalProperties: true, description: 'The body of `POST /api/v1/scrape/` that does the same.' },
    ),
    ignored: Type.Array(Type.String(), {
      description: 'What has no effect on the request, as it was written.',
    }),
  },
  { title: 'ImportResult' },
);

interface ImportMembers {
  readonly curl?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly har?: unknown;
  readonly entry?: number;
  readonly scrapingbee?: string;
}

const refusal = (pointer: string, message: string): Refusal =>
  Refusal.of('request.validation', message, { pointer });

/** @throws Refusal if nothing, or no valid scrape request, comes of it */
function imported(body: ImportMembers): ImportedRequest {
  const kinds = (['curl', 'har', 'scrapingbee'] as const).filter((name) => body[name] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw refusal('', 'The request must have one of `curl`, `har` and `scrapingbee`.');
  if (kind !== 'curl' && body.files !== undefined) throw refusal('/files', '`/files` belongs to `curl`.');
  if (kind !== 'har' && body.entry !== undefined) throw refusal('/entry', '`/entry` belongs to `har`.');
  const pointer = `/${kind}`;
  const result = translated(kind, body);
  if ('problem' in result) throw refusal(pointer, `\`${pointer}\` ${result.problem}.`);
  const { problems } = parseTask(result.request);
  if (problems !== null && problems.length > 0)
    throw refusal(pointer, `\`${pointer}\` leads to a request that is not valid. ${problems[0]!.message}`);
  return result;
}

function translated(kind: 'curl' | 'har' | 'scrapingbee', body: ImportMembers) {
  if (kind === 'curl') return importCurl(body.curl!, filesOf(body.files));
  if (kind === 'scrapingbee') return importScrapingBee(body.scrapingbee!);
  return importHar(archiveOf(body.har), body.entry ?? null);
}

function archiveOf(har: unknown): unknown {
  if (typeof har !== 'string') return har;
  const read = readJson(har, '`/har` is not JSON');
  if (read.problems === null) return read.value;
  throw new Refusal(
    read.problems.map((problem) =>
      problem.pointer === undefined
        ? failure('request.validation', problem.message, { pointer: '/har' })
        : withPrefix(problem, '/har'),
    ),
  );
}

function filesOf(files: Readonly<Record<string, string>> = {}): ImportFiles {
  const problems: Problems = [];
  const contents = Object.entries(files).map(
    ([name, base64]) =>
      [name, readBase64(base64, childPointer('/files', name), problems) ?? Buffer.alloc(0)] as const,
  );
  if (problems.length > 0) throw new Refusal(problems);
  return new Map(contents);
}

export const IMPORT = [
  endpoint({
    method: 'post',
    path: '/api/v1/import/',
    operationId: 'importRequest',
    summary: 'Translate a curl command, an HTTP archive or a call of another API',
    description:
      'Gives the scrape request that does the same, but for the headers that curl or the browser adds by itself. Nothing is fetched. What a scrape request cannot do is refused with its name.',
    access: 'scope:scrape',
    body: jsonBody(ImportBody, {
      examples: {
        curl: {
          curl: "curl 'https://example.com/search' -H 'Accept: application/json' --data-raw 'q=router'",
        },
        har: { har: { log: { entries: [{ request: { method: 'GET', url: 'https://example.com/' } }] } } },
        scrapingbee: {
          scrapingbee:
            'https://app.scrapingbee.com/api/v1/?url=https%3A%2F%2Fexample.com%2F&render_js=true&wait_for=h1',
        },
      },
    }),
    responses: { 200: json('The scrape request.', ImportResult) },
    handler: ({ body }) => imported(body as ImportMembers),
  }),
];
