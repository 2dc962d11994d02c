import type { FastifyRequest } from 'fastify';
import { MISSING_SCOPE } from '../../account/authenticate.ts';
import type { Principal } from '../../domain/account.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import { isObject } from '../../domain/json-schema.ts';
import { type ReadingOptions, wantsReading } from '../../domain/reading.ts';
import type { StoredRecord } from '../../domain/record.ts';
import { isBrowser, type ScraperName } from '../../domain/scrapers.ts';
import { type TemplateReference, templateName } from '../../domain/template.ts';
import { loadTemplate } from '../../pipeline/extract-template.ts';
import type { StoredPage } from '../../pipeline/read-record.ts';
import { ReadingResult } from '../../wire/answer/answer-schema.ts';
import { readingJson } from '../../wire/answer/reading-json.ts';
import { contentFacts } from '../../wire/record/record-json.ts';
import { readExtractRules } from '../../wire/request/extract-rules.ts';
import { ReadingRequestBody, readReadingOptions } from '../../wire/request/reading-options.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { memoryOf, outOfMemoryRefusal, readBlob } from '../core/request-resources.ts';
import { json, problem } from '../core/responses.ts';
import { EXPIRED, missingRecord, RECORD_ID, recordId, visibleUser } from '../operations/missing-record.ts';

const NO_CONTENT = {
  retain: 'The content was not kept, because the request set `router.retain`.',
  storage: 'The content was deleted to free space.',
  no_page: 'The scrape got no page.',
};

const noContent = (reason: keyof typeof NO_CONTENT): Failure =>
  failure('record.no_content', NO_CONTENT[reason], { details: { reason } });

function whyNoContent({ answerJson, contentBytes, statusCode }: StoredRecord): Failure {
  if (contentBytes !== null) return noContent('storage');
  return noContent(answerJson === null || statusCode !== null ? 'retain' : 'no_page');
}

async function storedPage(
  record: StoredRecord,
  request: FastifyRequest,
  { store: { records }, blobs, memory }: EndpointDeps,
): Promise<StoredPage | Failure> {
  if (record.contentEncoding === null) return whyNoContent(record);
  const bytes = record.contentInBlob
    ? await readBlob(request, record.id, record.contentBytes ?? 0, { memory, blobs })
    : record.content;
  // The blob was deleted after the record had been read.
  if (bytes === null) return noContent('storage');
  const { finalUrl, ...facts } = contentFacts(record);
  const scripting = isBrowser(record.scraper as ScraperName)
    ? runsScripts(await records.request(record.id, record.userId))
    : false;
  return {
    bytes,
    encoding: record.contentEncoding,
    ...facts,
    url: finalUrl ?? record.url ?? '',
    scripting,
  };
}

/** Whether the browser ran the scripts of the page. @param requestJson the stored request; null: not retained */
function runsScripts(requestJson: string | null): boolean {
  const { scraper_options: options } = JSON.parse(requestJson ?? '{}') as Record<string, unknown>;
  return !isObject(options) || options.javascript !== false;
}

interface ReadingCall {
  readonly options: ReadingOptions;
  /** Name of the template whose rules are used; null: none. */
  readonly template: string | null;
}

function readBody(body: JsonObject, problems: Problems): ReadingCall {
  const template = templateName(body.extract);
  const { extract: _, ...others } = body;
  const options = readReadingOptions(template === null ? body : others, problems);
  if (problems.length === 0 && template === null && !wantsReading(options))
    addProblem(
      problems,
      '',
      'asks for nothing; set `formats`, `markdown`, `main_content`, `json` or `extract`',
    );
  return { options, template };
}

/** The options with the rules of the template that the call names. @throws Refusal if there is none */
async function withTemplate(
  { options, template: name }: ReadingCall,
  { userId }: Principal,
  { store }: EndpointDeps,
): Promise<{ readonly options: ReadingOptions; readonly template: TemplateReference | null }> {
  if (name === null) return { options, template: null };
  const loaded = await loadTemplate(store.templates, userId, name, '/extract');
  if (isFailure(loaded)) throw new Refusal([loaded]);
  const problems: Problems = [];
  const extract = readExtractRules(loaded.rules, '/extract', problems);
  if (problems.length > 0) throw new Refusal(problems);
  return { options: { ...options, extract }, template: { name, version: loaded.version } };
}

async function read(
  id: string,
  { options, template }: Awaited<ReturnType<typeof withTemplate>>,
  userId: string | null,
  request: FastifyRequest,
  deps: EndpointDeps,
): Promise<string> {
  const record = await deps.store.records.get(id, userId);
  if (record === null) throw missingRecord(id, deps);
  const page = await storedPage(record, request, deps);
  if (isFailure(page)) throw new Refusal([page]);
  request.cancel ??= new AbortController();
  const reservation = memoryOf(request, deps.memory);
  const reading = await deps.pipeline.read(page, options, request.cancel.signal, reservation);
  if (reading === 'out of memory') throw outOfMemoryRefusal();
  // The caller has disconnected, so nobody reads this response.
  if (reading === null) throw Refusal.of('service.unavailable', 'The reading was stopped.');
  return readingJson(id, reading, template, reading);
}

const EXAMPLES = {
  markdown: { markdown: { max_chars: 20_000 }, only_main_content: true },
  data: {
    formats: ['structured', 'images'],
    extract: { title: 'h1', prices: { selector: '//td', type: 'list', transform: 'number' } },
  },
  json: {
    json: { schema: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } } },
  },
};

export const READ = [
  endpoint({
    method: 'post',
    path: '/api/v1/scrape/{id}/read/',
    operationId: 'readScrape',
    summary: 'Read a stored scrape again',
    description:
      'Reads formats and data from the stored content, without fetching the page. The members are those of `scraper_options`, and the results those of `scraper_data`. Makes no record and changes nothing, but counts as a request in flight, also by session. `json` also needs the scope `scrape`. Documents in frames are not stored, except for those in `srcdoc`.',
    access: 'scope:read',
    needsPermit: true,
    params: RECORD_ID,
    body: jsonBody(ReadingRequestBody, {
      examples: EXAMPLES,
      read: readBody,
    }),
    responses: {
      200: json('What was read.', ReadingResult),
      410: EXPIRED,
      422: problem(
        'The record has no content: `record.no_content`; `details.reason` says why. Or there is no such template: `template.unknown`; or `json` needs a model and there is none: `scraper.unsupported_option`.',
      ),
    },
    handler: async ({ params, body, principal, request, reply }, deps) => {
      const id = recordId(params.id);
      // A model may cost money, like a scrape.
      if (body.options.json !== null && !principal.scopes.includes('scrape'))
        throw new Refusal([MISSING_SCOPE.scrape]);
      const reading = await withTemplate(body, principal, deps);
      const problems = deps.pipeline.readingProblems(reading.options, '');
      if (problems.length > 0) throw new Refusal(problems);
      const refused = deps.pipeline.readingRefusal(reading.options, '');
      if (refused !== null) throw new Refusal([refused]);
      const work = read(id, reading, visibleUser(principal), request, deps);
      // `request.work`: the memory stays reserved until the reading has settled, even if the caller disconnects.
      request.work = work;
      const text = await work;
      return reply.header('content-type', 'application/json; charset=utf-8').send(text);
    },
  }),
];
