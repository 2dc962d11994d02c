import { isObject } from '../../domain/json-schema.ts';
import { BadRequest } from './bad-request.ts';
import { BATCH_MEMBERS, type BatchDraft, checkedUrls } from './batch.ts';
import type { DialectCall } from './dialect-call.ts';
import { newDraft } from './draft.ts';
import { readFormats } from './formats.ts';
import { JOB_MEMBERS, jobOf } from './job-members.ts';
import { isOpen, JOB_KINDS, jobAt, memoryOf, type OwnJob, readPage, statusOf } from './jobs.ts';
import { booleanAt, type Json, type Members, objectAt, readMembers, refused, supported } from './members.ts';
import { CLIENT_MEMBERS, SCRAPE_OPTIONS } from './scrape-options.ts';
import { settle } from './settle.ts';

interface ExtractDraft extends BatchDraft {
  readonly scrape: ReturnType<typeof newDraft>;
  readonly json: Record<string, unknown>;
  showsSources: boolean;
}

const forJson = (name: 'schema' | 'prompt', says: string) =>
  supported<ExtractDraft>(says, (value, { json }) => {
    json[name] = value;
  });

/** The members of `POST /v2/extract`. */
export const EXTRACT_MEMBERS: Members<ExtractDraft> = {
  urls: BATCH_MEMBERS.urls!,
  ignoreInvalidURLs: BATCH_MEMBERS.ignoreInvalidURLs!,
  schema: forJson('schema', 'a JSON Schema; also without a model'),
  prompt: forJson('prompt', 'needs a model'),
  systemPrompt: refused('say it in prompt.'),
  allowExternalLinks: refused('only the given URLs are read; crawl the site instead.', [false]),
  enableWebSearch: refused('Sluice has no search.', [false]),
  includeSubdomains: refused('only the given URLs are read; crawl the site instead.', [false]),
  showSources: supported('which URLs gave a value', (value, draft, at) => {
    draft.showsSources = booleanAt(value, at);
  }),
  scrapeOptions: supported('see the options of scrapes, but no formats', (value, { scrape }, at) => {
    if (objectAt(value, at).formats !== undefined)
      throw new BadRequest(`${at}.formats is not for extract: its format is json.`);
    readMembers(SCRAPE_OPTIONS, value, scrape, at);
  }),
  agent: refused('Sluice has no agents.'),
  webhook: refused('use a batch with the format json, whose webhooks have the pages.'),
  zeroDataRetention: JOB_MEMBERS.zeroDataRetention!,
  threatProtection: supported('only `{mode: "off"}`', (value, { scrape }, at) => {
    const row = SCRAPE_OPTIONS.threatProtection!;
    if (row.kind === 'supported') row.read(value, scrape, at);
  }),
  ...CLIENT_MEMBERS,
};

/** `POST /v2/extract`: a batch whose values are merged when they are read. */
export async function startExtract({ body, caller, deps, idempotency }: DialectCall): Promise<Json> {
  const draft: ExtractDraft = {
    job: {},
    scrape: newDraft(),
    json: {},
    urls: [],
    skipsInvalid: true,
    showsSources: false,
  };
  readMembers(EXTRACT_MEMBERS, objectAt(body, 'The request'), draft, '');
  const { json, scrape, showsSources } = draft;
  if (json.schema === undefined && json.prompt === undefined)
    throw new BadRequest('The request must have a schema, a prompt, or both.');
  readFormats([{ type: 'json', ...json }], scrape, 'extract');
  const { valid, invalid } = checkedUrls(draft);
  const glob = valid.find((url) => url.includes('*'));
  if (glob !== undefined)
    throw new BadRequest(
      `urls: ${JSON.stringify(glob)}: patterns are not supported by this service; map the site first.`,
    );
  await settle(scrape, { caller, hasModel: deps.hasModel });
  const memory = { url: null, options: null, extract: { showsSources } };
  const job = jobOf(draft, scrape, { name: 'defaults', hasModel: deps.hasModel }, memory);
  const requests = valid.map((url) => ({ url }));
  const { id } = await caller.post('/api/v1/batches/', { ...job, requests }, idempotency);
  return { success: true, id, ...(draft.skipsInvalid ? { invalidURLs: invalid } : {}) };
}

/** `GET /v2/extract/{id}`. */
export async function extractStatus({ params, caller }: DialectCall): Promise<Json> {
  const job = await jobAt(caller, JOB_KINDS.batch, params.id!);
  const asked = memoryOf(job)?.extract ?? null;
  if (asked === null) throw new BadRequest('Job not found.', 404);
  const { status, expiresAt, creditsUsed, ...rest } = statusOf(job);
  const common = { success: true, expiresAt, creditsUsed };
  if (isOpen(job)) return { ...common, status: 'processing', data: [] };
  const { data, sources } = merged(await allDocuments(caller, job));
  if (Object.keys(data).length === 0 && job.counts.ok === 0)
    return {
      ...common,
      success: false,
      status: 'failed',
      data,
      error: rest.error ?? 'No page could be read.',
    };
  return { ...common, status, data, ...(asked.showsSources ? { sources } : {}) };
}

async function allDocuments(caller: DialectCall['caller'], job: OwnJob): Promise<readonly Json[]> {
  const documents: Json[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const page = await readPage(caller, job, next);
    documents.push(...page.documents);
    next = page.next;
  }
  return documents;
}

/** Lists of several pages are joined; of other members the first value counts. */
function merged(documents: readonly Json[]) {
  const data: Record<string, unknown> = {};
  const sources: Record<string, string[]> = {};
  for (const { json, metadata } of documents) {
    if (!isObject(json)) continue;
    for (const [name, value] of Object.entries(json)) {
      if (value === null || value === undefined) continue;
      const known = data[name];
      if (Array.isArray(known) && Array.isArray(value)) data[name] = [...known, ...value];
      else if (known === undefined) data[name] = value;
      else continue;
      sources[name] = [...(sources[name] ?? []), String((metadata as Json).sourceURL)];
    }
  }
  return { data, sources };
}
