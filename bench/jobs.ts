/**
 * Measures jobs at their limits: how long a batch of 10,000 and a map of 50,000 take, the memory with 10,000 and with a
 * million URLs that wait, and how much a crawl at full speed slows the scrapes of another user. A word picks one of them:
 * `batch`, `map`, `links`, `frontier`, `beside`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import { item, job } from '../test/contracts/samples.ts';
import { cleanEnvironment, SLUICE } from '../test/helpers/repository.ts';
import { residentMib } from './lib/proc.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';

interface JobState {
  readonly id: string;
  readonly state: string;
  readonly counts: { readonly queued: number; readonly ok: number };
}

type Row = readonly [what: string, figure: string];

async function call<T>(
  service: SluiceServed,
  method: string,
  path: string,
  body?: unknown,
  authorization = service.authorization,
): Promise<T> {
  const response = await fetch(`${service.base}/api/v1${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

const seconds = (since: number): string => `${fixed((performance.now() - since) / 1000)} s`;

async function batch(service: SluiceServed, site: string): Promise<readonly Row[]> {
  const requests = Array.from({ length: 10_000 }, (_, n) => ({ url: `${site}/page/${n}` }));
  const began = performance.now();
  const { id } = await call<JobState>(service, 'POST', '/batches/', {
    requests,
    defaults: { scraper: 'http' },
  });
  const took = seconds(began);
  await call(service, 'DELETE', `/jobs/${id}/`);
  return [['a batch of 10,000 is accepted in', took]];
}

async function map(service: SluiceServed, site: string): Promise<readonly Row[]> {
  const began = performance.now();
  const { items } = await call<{ items: readonly unknown[] }>(service, 'POST', '/maps/', {
    url: `${site}/`,
    sitemap: 'only',
    limit: 100_000,
  });
  return [[`a map of ${whole(items.length)} URLs of a sitemap takes`, seconds(began)]];
}

const FRONTIER_JOBS = 10;
/** Pages that are visited in both parts, so that memory is compared after the same work. */
const FRONTIER_VISITS = 1_000;

/** The memory that crawls take while 10,000 URLs wait, and while a million do: as many as a user may have waiting. */
async function frontier(service: SluiceServed, site: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const waiting of [10_000, 1_000_000]) {
    const crawls = Array.from({ length: FRONTIER_JOBS }, (_, n) => ({
      url: `${site}/links/${waiting}-${n}`,
      limit: waiting / FRONTIER_JOBS,
      sitemap: 'ignore',
      max_depth: 50,
      per_host: 20,
      max_urls_per_pattern: 100_000,
      request: { scraper: 'http' },
    }));
    const started = await Promise.all(
      crawls.map((crawl) => call<JobState>(service, 'POST', '/crawls/', crawl)),
    );
    let peak = 0;
    let most = 0;
    for (let visited = 0; visited < FRONTIER_VISITS; await pause(100)) {
      peak = Math.max(peak, residentMib(service.pid));
      const jobs = await Promise.all(started.map(({ id }) => call<JobState>(service, 'GET', `/jobs/${id}/`)));
      visited = jobs.reduce((sum, { counts }) => sum + counts.ok, 0);
      most = Math.max(
        most,
        jobs.reduce((sum, { counts }) => sum + counts.queued, 0),
      );
    }
    rows.push([`most memory while up to ${whole(most)} URLs wait`, `${whole(peak)} MiB`]);
    for (const { id } of started) await call(service, 'DELETE', `/jobs/${id}/`);
  }
  return rows;
}

/** The frontier alone: made-up links that are added to a job by its store, in this process. */
async function links(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-links-'));
  const store = await openSqliteStore({ file: join(folder, 'sluice.db'), durability: 'normal' });
  const rows: Row[] = [];
  try {
    await store.jobs.create({ ...job(1, { kind: 'crawl' }), maxVisits: null });
    let added = 0;
    for (const count of [10_000, 1_000_000]) {
      let peak = 0;
      for (; added < count; added += 1_000) {
        const found = Array.from({ length: 1_000 }, (_, n) => {
          const url = `http://site.example/shelf/${added + n}`;
          return item(url, { fingerprint: createHash('sha256').update(url).digest().subarray(0, 16) });
        });
        await store.jobs.add(job(1).id, found, Date.now());
        peak = Math.max(peak, residentMib(process.pid));
      }
      rows.push([
        `most memory of the store alone while ${whole(count)} URLs are added`,
        `${whole(peak)} MiB`,
      ]);
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

const BESIDE_ROUNDS = 4;
const BESIDE_MS = 10_000;

/** One user scrapes, one request after another, alone and beside a crawl of another user, in turns. */
async function beside(service: SluiceServed, site: string): Promise<readonly Row[]> {
  const authorization = keyOfAnotherUser(service);
  const times: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
  let pages = 0;
  await scrapeFor(service, site, authorization, BESIDE_MS);
  for (let round = 0; round < BESIDE_ROUNDS; round++) {
    times.alone.push(...(await scrapeFor(service, site, authorization, BESIDE_MS)));
    const { id } = await call<JobState>(service, 'POST', '/crawls/', {
      url: `${site}/`,
      limit: 100_000,
      sitemap: 'ignore',
      max_depth: 50,
      per_host: 20,
      max_urls_per_pattern: 100_000,
      request: { scraper: 'http' },
    });
    await pause(1_000);
    const before = await call<JobState>(service, 'GET', `/jobs/${id}/`);
    times.beside.push(...(await scrapeFor(service, site, authorization, BESIDE_MS)));
    const after = await call<JobState>(service, 'GET', `/jobs/${id}/`);
    pages += after.counts.ok - before.counts.ok;
    await call(service, 'DELETE', `/jobs/${id}/?purge=1`);
    await pause(1_000);
  }
  const rows: Row[] = (['alone', 'beside'] as const).map((side) => [
    `p50 / p95 of scrapes of another user, ${side === 'alone' ? 'alone' : 'beside a crawl'}`,
    `${fixed(quantile(times[side], 0.5), 1)} / ${fixed(quantile(times[side], 0.95), 1)} ms`,
  ]);
  const ratio = quantile(times.beside, 0.95) / quantile(times.alone, 0.95);
  return [
    ...rows,
    ['p95 beside : alone', fixed(ratio)],
    ['pages of the crawl a second', whole(pages / ((BESIDE_ROUNDS * BESIDE_MS) / 1000))],
  ];
}

function keyOfAnotherUser({ dataDir }: SluiceServed): string {
  const cli = (...args: readonly string[]): string => {
    const env = { ...cleanEnvironment(), SLUICE_DATA_DIR: dataDir };
    const { status, stdout, stderr } = spawnSync(SLUICE, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`sluice ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const email = 'other@example.com';
  cli('users', 'create', '--email', email, '--password', 'a long enough password');
  return `Api-Key ${cli('keys', 'create', '--user', email, '--name', 'bench')}`;
}

async function scrapeFor(
  service: SluiceServed,
  site: string,
  authorization: string,
  ms: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const began = performance.now();
    await call(service, 'POST', '/scrape/', { url: `${site}/page/1`, scraper: 'http' }, authorization);
    times.push(performance.now() - began);
  }
  return times;
}

function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * q)]!;
}

const PARTS = { batch, map, links, frontier, beside };

export async function jobs(flags: readonly string[]): Promise<void> {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (flags.length > 0 && !flags.includes(name)) continue;
    const target = await startBeside('jobs-target.ts');
    const service = await startSluice({ SLUICE_BROWSER_WARM: 'false', SLUICE_JOB_HOST_CONCURRENCY: '20' });
    try {
      rows.push(...(await measure(service, target.base)));
    } finally {
      await service.stop();
      await target.stop();
    }
  }
  console.log(`${provenance('npm run bench -- jobs')}\n`);
  console.log(table(['what', 'figure'], rows));
}
