import { type Static, Type } from 'typebox';
import { sleep } from '../../base/wait.ts';
import { closed } from '../../domain/json-schema.ts';
import { addProblem } from '../../wire/schema/problems.ts';
import { furtherMembers, REQUEST, TIMEOUT, Url } from '../arguments.ts';
import { pieceOfText } from '../piece-of-text.ts';
import { type ToolCall, tool } from '../tool.ts';
import { isSuccess, jsonOfReply, refusedResult, type ToolResult } from '../tool-result.ts';

const Patterns = (what: string) =>
  Type.Optional(
    Type.Array(Type.String(), { description: `${what}: globs such as /blog/** or /regular expressions/.` }),
  );

const SITE_ARGUMENTS = {
  include: Patterns('Only URLs that match one of these'),
  exclude: Patterns('No URLs that match one of these'),
  scope: Type.Optional(
    Type.Enum(['host', 'path', 'domain', 'any'], {
      default: 'host',
      description: 'How far links are followed.',
    }),
  ),
};

const MapArguments = closed({
  url: Url,
  search: Type.Optional(Type.String({ description: 'Only URLs that contain all of these words.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000, default: 200 })),
  ...SITE_ARGUMENTS,
  timeout_ms: TIMEOUT,
});

interface SiteMap {
  readonly items: readonly { readonly url: string; readonly title: string | null }[];
  readonly page: { readonly error: { readonly code: string; readonly message: string } | null } | null;
  readonly sitemaps: readonly unknown[];
  readonly dropped: Readonly<Record<string, number>>;
  readonly truncated: boolean;
}

const map = tool({
  name: 'map',
  title: 'List the URLs of a site',
  description:
    'Lists URLs of a site from its sitemaps, the links of one page and earlier scrapes, quickly and without visiting the pages. A URL a line, with its title where it is known.',
  inputSchema: MapArguments,
  annotations: { readOnlyHint: true, openWorldHint: true },
  read: (args) => ({ limit: 200, ...args }),
  run: async (body, { callService, signal }) => {
    const reply = await callService({ method: 'POST', path: '/api/v1/maps/', body, signal });
    const site = jsonOfReply<SiteMap>(reply);
    if (!isSuccess(reply) || site === null) return refusedResult(reply);
    const { items, page, sitemaps, dropped, truncated } = site;
    const lines = items.map(({ url, title }) => (title === null ? url : `${url} ${JSON.stringify(title)}`));
    return {
      facts: { urls: items.length, truncated, sitemaps: sitemaps.length, dropped, page },
      foreignText: lines.join('\n'),
    };
  },
});

interface JobAnswer {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}

const ENDED: readonly string[] = ['done', 'cancelled', 'failed'];
/** How often a job that is waited for is looked at, ms. */
const POLL_MS = 500;

const WAIT = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 600,
    default: 0,
    description: 'Waits so many seconds for the end of the job, with progress; 0: does not wait.',
  }),
);

const jobPath = (id: string) => `/api/v1/jobs/${encodeURIComponent(id)}/`;

const jobFacts = ({ id, state, counts, ...job }: JobAnswer & Readonly<Record<string, unknown>>) => ({
  job_id: id,
  state,
  counts,
  kind: job.kind,
  pause: job.pause,
  waiting: job.waiting,
  next_try_at: job.next_try_at,
  last_error: job.last_error,
  error: job.error,
  cost: job.cost,
  eta_s: job.eta_s,
  ended_at: job.ended_at,
  expires_at: job.expires_at,
  next: ENDED.includes(state)
    ? 'job with action results lists the pages; read with their scrape_id gives their text'
    : 'job with wait_s waits for the end',
});

/** The state of a job, at its end or after `seconds`. */
async function waitForJob(id: string, seconds: number, call: ToolCall): Promise<ToolResult> {
  const { callService, signal, progress } = call;
  let told = -1;
  for (const end = performance.now() + seconds * 1_000; ; await sleep(POLL_MS, signal)) {
    const reply = await callService({ method: 'GET', path: jobPath(id), signal });
    const job = jsonOfReply<JobAnswer>(reply);
    if (!isSuccess(reply) || job === null) return refusedResult(reply);
    const { ok = 0, failed = 0, skipped = 0, found = 0 } = job.counts;
    const ended = ok + failed + skipped;
    // Progress must grow.
    if (ended > told) progress(ended, found === 0 ? null : found, `${ended} of ${found} pages, ${job.state}`);
    told = Math.max(told, ended);
    const hasEnded = ENDED.includes(job.state);
    if (hasEnded || performance.now() >= end || signal.aborted)
      return { facts: jobFacts({ ...job }), ...(job.state === 'failed' ? { isError: true } : {}) };
  }
}

const CrawlArguments = closed({
  url: Url,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, default: 50, description: 'Pages at most.' }),
  ),
  max_depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 50, default: 10 })),
  ...SITE_ARGUMENTS,
  wait_s: WAIT,
  request: REQUEST,
});

const crawl = tool({
  name: 'crawl',
  title: 'Crawl a site',
  description:
    'Starts a job that scrapes the pages of a site as Markdown of their main content, and gives its job_id. `job` gives state and results. If a call that waits is cancelled, so is its job.',
  inputSchema: CrawlArguments,
  annotations: { readOnlyHint: false, openWorldHint: true },
  read: (args, problems) => {
    const { wait_s = 0, limit = 50, request: _, ...members } = args as Static<typeof CrawlArguments>;
    const { scraper_options: options, ...request } = furtherMembers(args, ['url'], problems);
    const reading = { formats: ['markdown'], only_main_content: true, return_content: false };
    const scraper_options = { ...reading, ...(options as object | undefined) };
    return { body: { ...members, limit, request: { ...request, scraper_options } }, seconds: wait_s };
  },
  run: async ({ body, seconds }, call) => {
    const { callService, signal } = call;
    // Without the signal: a job that was started must be known, to be cancelled.
    const reply = await callService({ method: 'POST', path: '/api/v1/crawls/', body });
    const started = jsonOfReply<JobAnswer>(reply);
    if (!isSuccess(reply) || started === null) return refusedResult(reply);
    try {
      return await waitForJob(started.id, seconds, call);
    } finally {
      if (signal.aborted) await callService({ method: 'DELETE', path: jobPath(started.id) });
    }
  },
});

const JobArguments = closed({
  job_id: Type.String(),
  action: Type.Optional(
    Type.Enum(['state', 'results', 'cancel'], {
      default: 'state',
      description: 'results: a page of items {n, url, state, scrape_id, error}, one a line.',
    }),
  ),
  wait_s: WAIT,
  cursor: Type.Optional(Type.String({ description: 'Of results: `next_cursor` of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Of results.' })),
  page_chars: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 20_000,
      default: 0,
      description:
        'Of results: also the first characters of each page as Markdown. `read` gives the rest, and the status.',
    }),
  ),
});

interface JobItem {
  readonly n: number;
  readonly url: string;
  readonly state: string;
  readonly scrape: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly scraper_data: { readonly markdown?: string | null } | null;
}

/** An item as a line of JSON. @param pageChars how much of the page it has at most; 0: nothing */
function itemLine({ n, url, state, scrape, error, scraper_data }: JobItem, pageChars: number): string {
  const markdown = scraper_data?.markdown;
  const piece = pageChars === 0 || markdown == null ? null : pieceOfText(markdown, 0, pageChars);
  return JSON.stringify({
    n,
    url,
    state,
    scrape_id: scrape,
    ...(error === null ? {} : { error }),
    ...(piece === null || state !== 'ok' ? {} : { markdown: piece.text, next_offset: piece.next }),
  });
}

async function jobResults(
  id: string,
  { cursor, limit = 50, page_chars = 0 }: Static<typeof JobArguments>,
  { callService, signal }: ToolCall,
): Promise<ToolResult> {
  const query = new URLSearchParams({
    limit: String(limit),
    include: page_chars === 0 ? 'none' : 'formats',
  });
  if (cursor !== undefined) query.set('cursor', cursor);
  const reply = await callService({ method: 'GET', path: `${jobPath(id)}results/?${query}`, signal });
  const page = jsonOfReply<{ items: readonly JobItem[]; next_cursor: string | null }>(reply);
  if (!isSuccess(reply) || page === null) return refusedResult(reply);
  const lines = page.items.map((item) => itemLine(item, page_chars));
  const facts = { job_id: id, items: lines.length, next_cursor: page.next_cursor };
  return { facts, foreignText: lines.join('\n') };
}

const job = tool({
  name: 'job',
  title: 'State, results or end of a job',
  description: 'Gives the state of a job, waits for it, lists its results page by page, or cancels it.',
  inputSchema: JobArguments,
  annotations: { readOnlyHint: false, openWorldHint: false },
  read: (args, problems) => {
    const members = args as Static<typeof JobArguments>;
    const { action = 'state' } = members;
    if (action !== 'results') {
      for (const name of ['cursor', 'limit', 'page_chars'] as const)
        if (members[name] !== undefined) addProblem(problems, `/${name}`, 'needs the action results');
    }
    if (action !== 'state' && members.wait_s !== undefined)
      addProblem(problems, '/wait_s', 'needs the action state');
    return { ...members, action };
  },
  run: async ({ job_id: id, action, ...rest }, call) => {
    if (action === 'results') return jobResults(id, { job_id: id, ...rest }, call);
    if (action === 'cancel') {
      const reply = await call.callService({ method: 'DELETE', path: jobPath(id), signal: call.signal });
      if (!isSuccess(reply)) return refusedResult(reply);
    }
    return waitForJob(id, rest.wait_s ?? 0, call);
  },
});

export const SITE_TOOLS = [map, crawl, job];
