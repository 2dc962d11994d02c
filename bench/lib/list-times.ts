/**
 * How long the lists of the API take, by HTTP, one request after the other, and the processor time of service and database, which
 * hardly depends on what else the machine does.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { RARE_HOST } from './made-history.ts';
import { median, quantile } from './statistics.ts';

type Headers = Readonly<Record<string, string>>;

export interface ListTime {
  readonly name: string;
  /** Milliseconds until the whole response has arrived. */
  readonly p50: number;
  readonly p95: number;
  /** Milliseconds of processor time a request. */
  readonly cpu: number;
}

/** Processor time of service and database so far, in seconds. */
type CpuSeconds = () => number;

/** Requests for each list. */
const TIMES = 40;
/** Not measured: the first ones read from disk and plan. */
const WARM_UPS = 6;
const STATS_TIMES = 10;

const LIST = '/api/v1/scrape/';
const JOBS = '/api/v1/jobs/';
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** By the name of the filter. */
const RECORD_QUERIES: Readonly<Record<string, string>> = {
  'no filter': '',
  '200 a page': 'limit=200',
  'oldest first': 'order=asc',
  'at depth: 3 days ago': `to=${daysAgo(3)}`,
  'host of 1 in 5,000': `host=${RARE_HOST}`,
  'host that is not there': 'host=none.example',
  'host by pattern': 'host=*shop-77.*',
  'host by pattern, not there': 'host=*none*',
  'status 404': 'status=404',
  'status that is not there': 'status=418',
  'outcome of 1 in 7': 'outcome=failed',
  'outcome that is not there': 'outcome=blocked',
  'error that is not there': 'error_code=tls.invalid',
  'scraper that is not there': 'scraper=browser',
  'key of 1 in 5': 'key_id=key1',
  'key that is not there': 'key_id=none',
  'tag of 1 in 8': 'tag=team:blue',
  'tag that is not there': 'tag=team:red',
};

const JOB_QUERIES: Readonly<Record<string, string>> = {
  'no filter': '',
  '200 a page': 'limit=200',
  'at depth: 3 days ago': `to=${daysAgo(3)}`,
  'kind of 1 in 5': 'kind=crawl',
  'kind that is not there': 'kind=scrape',
  'state of 1 in 10': 'state=failed',
  'state that is not there': 'state=cancelled',
  'tag of 1 in 4': 'tag=team:blue',
  'tag that is not there': 'tag=team:red',
};

async function request(url: string, headers: Headers): Promise<{ ms: number; text: string }> {
  const began = performance.now();
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
  return { ms: performance.now() - began, text };
}

async function timesOf(name: string, url: string, headers: Headers, cpu: CpuSeconds): Promise<ListTime> {
  for (let n = 0; n < WARM_UPS; n++) await request(url, headers);
  const before = cpu();
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) times.push((await request(url, headers)).ms);
  return { name, ...summaryOf(times), cpu: ((cpu() - before) * 1000) / TIMES };
}

const summaryOf = (times: readonly number[]) => ({ p50: median(times), p95: quantile(times, 0.95) });

/** The second page, by the cursor of the first. */
async function secondPage(url: string, headers: Headers): Promise<string | null> {
  const { next_cursor: next } = JSON.parse((await request(url, headers)).text) as {
    next_cursor: string | null;
  };
  return next === null ? null : `${url}${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next)}`;
}

async function withSecondPages(
  whose: string,
  list: string,
  queries: Readonly<Record<string, string>>,
  headers: Headers,
  cpu: CpuSeconds,
): Promise<ListTime[]> {
  const all: ListTime[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const url = query === '' ? list : `${list}${list.includes('?') ? '&' : '?'}${query}`;
    all.push(await timesOf(`${whose}: ${name}`, url, headers, cpu));
    const next = await secondPage(url, headers);
    if (next !== null) all.push(await timesOf(`${whose}: ${name}, 2nd page`, next, headers, cpu));
  }
  return all;
}

/** Statistics are kept for a second, so they are asked for less often. */
async function statsTimes(base: string, headers: Headers, cpu: CpuSeconds): Promise<ListTime[]> {
  const all: ListTime[] = [];
  for (const window of ['1h', '24h', '7d']) {
    const times: number[] = [];
    let used = 0;
    for (let n = 0; n < STATS_TIMES; n++) {
      const before = cpu();
      times.push((await request(`${base}/api/v1/stats/?window=${window}`, headers)).ms);
      used += cpu() - before;
      await pause(1_050);
    }
    all.push({ name: `statistics of ${window}`, ...summaryOf(times), cpu: (used * 1000) / STATS_TIMES });
  }
  return all;
}

export interface Listed {
  readonly base: string;
  /** `Authorization` of the user who has most of the records. */
  readonly authorization: string;
  /** A session of an administrator, who sees everybody's. */
  readonly cookie: string;
  /** A user with few records; null: there is none. */
  readonly userWithFew: string | null;
  /** A job with many results; null: there are no jobs. */
  readonly jobId: string | null;
  readonly cpu: CpuSeconds;
}

export async function measureLists({
  base,
  authorization,
  cookie,
  cpu,
  ...made
}: Listed): Promise<ListTime[]> {
  const own = { authorization };
  const all = { cookie };
  const records = `${base}${LIST}`;
  const times = [
    ...(await withSecondPages('user with many', records, RECORD_QUERIES, own, cpu)),
    ...(await withSecondPages('all users', records, RECORD_QUERIES, all, cpu)),
  ];
  if (made.userWithFew !== null)
    times.push(
      ...(await withSecondPages(
        'user with few',
        `${records}?user_id=${made.userWithFew}`,
        RECORD_QUERIES,
        all,
        cpu,
      )),
    );
  if (made.jobId !== null) {
    times.push(...(await withSecondPages('jobs', `${base}${JOBS}`, JOB_QUERIES, own, cpu)));
    const results = `${base}${JOBS}${made.jobId}/results/?limit=200`;
    times.push(...(await withSecondPages('a job', results, { results: '' }, own, cpu)));
    times.push(
      ...(await withSecondPages('a job', `${base}${JOBS}${made.jobId}/folders/`, { folders: '' }, own, cpu)),
    );
  }
  for (const path of ['users/', 'keys/', 'monitors/', 'webhooks/', 'system/'])
    times.push(await timesOf(path, `${base}/api/v1/${path}`, all, cpu));
  times.push(...(await statsTimes(base, all, cpu)));
  return times;
}
