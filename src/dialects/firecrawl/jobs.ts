import { isObject } from '../../domain/json-schema.ts';
import { BadRequest } from './bad-request.ts';
import { ApiRefusal, type Caller, jsonOf } from './caller.ts';
import type { DialectCall } from './dialect-call.ts';
import { documentOf, type OwnScrape, timeOfId } from './document.ts';
import type { WantedParts } from './draft.ts';
import type { JobMemory } from './job-members.ts';
import type { Json } from './members.ts';

/** `path`: of the jobs of a kind. */
export const JOB_KINDS = {
  crawl: { kind: 'crawl', path: '/v2/crawl' },
  batch: { kind: 'batch', path: '/v2/batch/scrape' },
} as const;
export type JobPath = (typeof JOB_KINDS)[keyof typeof JOB_KINDS];

/** The members of our jobs that are read here. */
export interface OwnJob {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly counts: Readonly<Record<'queued' | 'running' | 'ok' | 'failed' | 'skipped', number>>;
  readonly error: { readonly message: string } | null;
  readonly metadata: Json | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

interface OwnItem {
  readonly n: number;
  readonly url: string;
  readonly state: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly scrape: string | OwnScrape | null;
  readonly gone: string | null;
}

const STATES: Readonly<Record<string, string>> = {
  done: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

export const isOpen = ({ state }: OwnJob): boolean => STATES[state] === undefined;

/** Of a job that was not made by this dialect. */
const WANTED_BY_DEFAULT: WantedParts = {
  members: ['markdown', 'html', 'links', 'screenshot', 'json'],
  attributes: [],
  actions: [],
};

/** null: the job was made by our own API. */
export function memoryOf({ metadata }: OwnJob): JobMemory | null {
  const memory = metadata?.firecrawl;
  return isObject(memory) ? (memory as unknown as JobMemory) : null;
}

/** @throws BadRequest 404 */
export async function jobAt(caller: Caller, { kind }: Pick<JobPath, 'kind'>, id: string): Promise<OwnJob> {
  const reply = await caller.send({ method: 'GET', path: pathOf(id) });
  if (reply.status !== 200 && reply.status !== 404) throw new ApiRefusal(reply);
  const job = reply.status === 404 ? null : (jsonOf(reply) as unknown as OwnJob);
  if (job?.kind !== kind) throw new BadRequest('Job not found.', 404);
  return job;
}

const pathOf = (id: string, rest = ''): string => `/api/v1/jobs/${encodeURIComponent(id)}/${rest}`;

/** A page of a status has about this many documents or bytes, of this many items: most may have been skipped. */
const PAGE_DOCUMENTS = 100;
const PAGE_BYTES = 10 * 1024 * 1024;
const PAGE_ITEMS = 2_000;
const ITEMS_AT_ONCE = 50;

interface Page {
  readonly documents: readonly Json[];
  /** Where the next page begins; null: nothing more has ended. */
  readonly next: number | null;
  readonly last: number;
}

/** The documents of items that ended after the item `after`, in the order of ends. */
export async function readPage(
  caller: Caller,
  job: OwnJob,
  after: number,
  limit = PAGE_DOCUMENTS,
): Promise<Page> {
  const { ok, failed, skipped } = job.counts;
  const ended = ok + failed + skipped;
  const wanted = memoryOf(job)?.wanted ?? WANTED_BY_DEFAULT;
  const documents: Json[] = [];
  let last = after;
  for (let bytes = 0; last < ended && bytes < PAGE_BYTES && last - after < PAGE_ITEMS; ) {
    const items = Math.min(ITEMS_AT_ONCE, limit - documents.length);
    if (items <= 0) break;
    const path = pathOf(job.id, `results/?include=full&limit=${items}&cursor=${last}`);
    const reply = await caller.send({ method: 'GET', path });
    if (reply.status !== 200) throw new ApiRefusal(reply);
    const results = (jsonOf(reply) as unknown as { readonly items: readonly OwnItem[] }).items;
    if (results.length === 0) return { documents, next: null, last };
    bytes += reply.body.length;
    last = results.at(-1)!.n;
    for (const item of results) if (item.state === 'ok') documents.push(documentOfItem(item, wanted));
  }
  return { documents, next: last < ended ? last : null, last };
}

function documentOfItem({ url, scrape, gone }: OwnItem, wanted: WantedParts): Json {
  if (isObject(scrape)) return documentOf(scrape as unknown as OwnScrape, url, wanted);
  const error = gone === null ? 'There is no content.' : `The content is no longer stored (${gone}).`;
  return { metadata: { sourceURL: url, url, scrapeId: scrape, error } };
}

/** The members of a status besides `data` and `next`. */
export function statusOf({ state, counts, expires_at, error }: OwnJob): Json {
  const { ok, failed, queued, running } = counts;
  return {
    success: true,
    status: STATES[state] ?? 'scraping',
    total: ok + queued + running,
    completed: ok,
    creditsUsed: ok + failed,
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
    ...(error === null ? {} : { error: error.message }),
  };
}

/** A parameter of a query. @throws BadRequest */
export const wholeNumber = (text: string | undefined, name: string, least: number): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new BadRequest(`${name} must be a whole number from ${least}.`);
  return Number(text);
};

/** `GET /v2/crawl/{id}` and `GET /v2/batch/scrape/{id}`. */
export const jobStatus =
  (of: JobPath) =>
  async ({ params, query, caller, deps }: DialectCall): Promise<Json> => {
    const after = wholeNumber(query.skip, 'skip', 0) ?? 0;
    const limit = wholeNumber(query.limit, 'limit', 1);
    const job = await jobAt(caller, of, params.id!);
    const { documents, next } = await readPage(caller, job, after, limit);
    const at = `${deps.baseUrl()}${of.path}/${job.id}?skip=${next}`;
    // Clients of version 1 follow a `next` that is null.
    const more = next === null ? {} : { next: limit === undefined ? at : `${at}&limit=${limit}` };
    return { ...statusOf(job), ...more, data: documents };
  };

/** `DELETE /v2/crawl/{id}` and `DELETE /v2/batch/scrape/{id}`. */
export const cancelJob =
  (of: JobPath) =>
  async ({ params, caller }: DialectCall): Promise<Json> => {
    const job = await jobAt(caller, of, params.id!);
    if (!isOpen(job) && job.state !== 'cancelled')
      throw new BadRequest(`The job has already ended (${STATES[job.state]}).`, 409);
    if (!isOpen(job)) return { success: true, status: 'cancelled' };
    const reply = await caller.send({ method: 'DELETE', path: pathOf(job.id) });
    if (reply.status >= 300) throw new ApiRefusal(reply);
    return { success: true, status: 'cancelled' };
  };

/** `GET …/errors`: what failed, and what robots.txt forbids. Other skipped URLs are no errors. */
export const jobErrors =
  (of: JobPath) =>
  async ({ params, caller }: DialectCall): Promise<Json> => {
    const job = await jobAt(caller, of, params.id!);
    const errors: Json[] = [];
    const robotsBlocked: string[] = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const page = await caller.get(pathOf(job.id, `results/?include=none&limit=200&cursor=${cursor}`));
      const items = page.items as readonly OwnItem[];
      for (const { state, scrape, url, error } of items) {
        if (state === 'skipped' && error?.code === 'skip.robots') robotsBlocked.push(url);
        if (state !== 'failed') continue;
        const ids = typeof scrape === 'string' ? { id: scrape, timestamp: timeOfId(scrape) } : {};
        errors.push({ ...ids, url, code: error?.code, error: error?.message ?? 'The scrape failed.' });
      }
      cursor = items.length === 0 ? null : (page.next_cursor as string | null);
    }
    return { success: true, errors, robotsBlocked };
  };

const OPEN_STATES = ['queued', 'running', 'paused'];

/** Jobs of the user that have not ended. One call after the other, because each counts towards the limit of the key. */
export async function openJobs(caller: Caller, kind = ''): Promise<readonly OwnJob[]> {
  const jobs: OwnJob[] = [];
  const filter = kind === '' ? '' : `kind=${kind}&`;
  for (const state of OPEN_STATES) {
    const { items } = await caller.get(`/api/v1/jobs/?${filter}with_runs=true&state=${state}&limit=200`);
    jobs.push(...(items as readonly OwnJob[]));
  }
  return jobs;
}

/** Sluice has users instead of teams, and a key belongs to one. */
const TEAM = 'sluice';

/** `GET /v2/crawl/active`. */
export async function activeCrawls({ caller }: DialectCall): Promise<Json> {
  const jobs = await openJobs(caller, 'crawl');
  const crawls = jobs.map((job) => {
    const memory = memoryOf(job);
    return {
      id: job.id,
      teamId: TEAM,
      url: memory?.url ?? '',
      created_at: job.created_at,
      options: memory?.options ?? null,
    };
  });
  return { success: true, crawls };
}
