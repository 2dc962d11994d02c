import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import { makeRecords, makeStats, RARE_HOST } from './lib/made-history.ts';
import { cpuSeconds } from './lib/proc.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';
import { median, quantile, spreadPercent } from './lib/statistics.ts';
import { type Measured, wrk } from './lib/wrk.ts';

const RECORDS = 1_000_000;
/** Requests per query. */
const TIMES = 60;
const ROUNDS = 14;
const SECONDS = 4;
const CONNECTIONS = 32;
/** Clients that poll like an open dashboard: one request a second, in turn for each of `POLLED`. */
const READERS = 5;
const EMAIL = 'bench@example.com';
const PASSWORD = 'a password for the bench';

const LIST = '/api/v1/scrape/';
const PAGES: Readonly<Record<string, string>> = {
  'newest page': LIST,
  'outcome of 1 in 13': `${LIST}?outcome=target_error`,
  'host of 1 in 5,000': `${LIST}?host=${RARE_HOST}`,
  'host that is not there': `${LIST}?host=none.example`,
  'status that is not there': `${LIST}?status=418`,
  'error that is not there': `${LIST}?error_code=tls.invalid`,
  'key that is not there': `${LIST}?key_id=none`,
  'tag of 1 in 8': `${LIST}?tag=team:blue`,
  'tag that is not there': `${LIST}?tag=team:red`,
  'a day in the past': `${LIST}?to=${new Date(Date.now() - 3 * 86_400_000).toISOString()}`,
  'stats of 1h': '/api/v1/stats/?window=1h',
  'stats of 24h': '/api/v1/stats/?window=24h',
  'stats of 7d': '/api/v1/stats/?window=7d',
};
const POLLED = [LIST, `${LIST}?outcome=failed`, '/api/v1/stats/?window=24h'];

/** Measures queries over a history of a million scrapes by HTTP, and how much such queries slow down scrapes. */
export async function history(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-history-'));
  try {
    const env = { SLUICE_DATA_DIR: dataDir, SLUICE_ADMIN_EMAIL: EMAIL, SLUICE_ADMIN_PASSWORD: PASSWORD };
    await fill(env);
    const target = await startBeside('target.ts');
    const sluice = await startSluice(env);
    try {
      const cookie = await signIn(sluice.base);
      console.log(provenance('npm run bench -- history'));
      await measureQueries(sluice, cookie);
      await measureScrapes(sluice, cookie, `${target.base}/1`);
    } finally {
      await Promise.all([sluice.stop(), target.stop()]);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Fills the database with records of the administrator, whom a first start of the service creates. */
async function fill(env: NodeJS.ProcessEnv & { SLUICE_DATA_DIR: string }): Promise<void> {
  await (await startSluice(env)).stop();
  const store = await openSqliteStore({ file: join(env.SLUICE_DATA_DIR, 'sluice.db'), durability: 'normal' });
  try {
    const [user] = await store.accounts.users();
    const now = Date.now();
    await makeRecords(store, RECORDS, user!.id, now);
    await makeStats(store, user!.id, now);
  } finally {
    await store.close();
  }
}

async function signIn(base: string): Promise<string> {
  const response = await fetch(`${base}/api/v1/session/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  if (response.status !== 201) throw new Error(`sign-in failed: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie()[0]!.split(';')[0]!;
}

type Sample = Measured & { readonly cpuMs: number };
type Headers = Readonly<Record<string, string>>;

/** Milliseconds until the whole response has arrived. */
async function requestMs(url: string, headers: Headers): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - began;
}

async function measureQueries(sluice: SluiceServed, cookie: string): Promise<void> {
  const rows: string[][] = [];
  const own: Headers = { authorization: sluice.authorization };
  for (const [whose, headers] of [
    ['own', own],
    ['all users', { cookie }],
  ] as const) {
    for (const [name, path] of Object.entries(PAGES)) {
      const times: number[] = [];
      for (let n = 0; n < TIMES; n++) times.push(await requestMs(sluice.base + path, headers));
      rows.push([`${whose}: ${name}`, fixed(median(times), 1), fixed(quantile(times, 0.95), 1)]);
    }
    const pageTimes = await timesOfPages(sluice.base, headers);
    rows.push([
      `${whose}: page after page, 200 each`,
      fixed(median(pageTimes), 1),
      fixed(quantile(pageTimes, 0.95), 1),
    ]);
  }
  console.log(`\n${whole(RECORDS)} records, ${TIMES} times each, one after the other, over HTTP.\n`);
  console.log(table(['', 'p50 ms', 'p95 ms'], rows));
}

/** Milliseconds for each of the first pages of the list, by its cursor. */
async function timesOfPages(base: string, headers: Headers): Promise<number[]> {
  const times: number[] = [];
  let cursor = '';
  for (let n = 0; n < 3 * TIMES; n++) {
    const began = performance.now();
    const response = await fetch(`${base}${LIST}?limit=200${cursor}`, { headers });
    const { next_cursor } = (await response.json()) as { next_cursor: string | null };
    times.push(performance.now() - began);
    if (next_cursor === null) break;
    cursor = `&cursor=${next_cursor}`;
  }
  return times;
}

async function measureScrapes(sluice: SluiceServed, cookie: string, page: string): Promise<void> {
  const load = async (): Promise<Sample> => {
    await pause(300);
    const before = cpuSeconds(sluice.pid);
    const measured = await wrk({
      url: `${sluice.base}${LIST}`,
      authorization: sluice.authorization,
      body: JSON.stringify({ url: page }),
      connections: CONNECTIONS,
      seconds: SECONDS,
    });
    return { ...measured, cpuMs: ((cpuSeconds(sluice.pid) - before) * 1000) / measured.requests };
  };
  await load();
  const alone: Sample[] = [];
  const beside: Sample[] = [];
  const reads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const both = [
      async () => void alone.push(await load()),
      async () => void beside.push(await loadWhilePolling(sluice.base, cookie, load, reads)),
    ];
    for (const measure of round % 2 === 0 ? both : both.reverse()) await measure();
    console.error(`round ${round + 1} of ${ROUNDS}`);
  }
  const ratios = beside.map(({ perSecond }, n) => perSecond / alone[n]!.perSecond);
  const medianOf = (samples: readonly Sample[], member: 'perSecond' | 'p50' | 'p99' | 'cpuMs') =>
    median(samples.map((sample) => sample[member]));
  console.log(
    `\nScrapes of a 1 KB page over ${CONNECTIONS} connections, alone and while ${READERS} clients poll every second, in turn the newest page, a filtered one and the stats of all users: medians of ${ROUNDS} rounds of ${SECONDS} s, alternating.\n`,
  );
  const line = (name: string, samples: readonly Sample[]) => [
    name,
    whole(medianOf(samples, 'perSecond')),
    fixed(medianOf(samples, 'p50')),
    fixed(medianOf(samples, 'p99')),
    fixed(medianOf(samples, 'cpuMs'), 3),
    String(samples.reduce((sum, { errors }) => sum + errors, 0)),
  ];
  console.log(
    table(
      ['', 'scrapes /s', 'p50 ms', 'p99 ms', 'CPU ms a scrape', 'errors'],
      [line('alone', alone), line('while clients poll', beside)],
    ),
  );
  console.log(
    `\nScrapes per second while clients poll ÷ alone: ${fixed(median(ratios), 3)}, spread ±${fixed(spreadPercent(ratios), 0)} %.`,
  );
  const cpuRatio = median(beside.map(({ cpuMs }, n) => alone[n]!.cpuMs / cpuMs));
  console.log(`The same ratio by processor time of the service, queries included: ${fixed(cpuRatio, 3)}.`);
  console.log(
    `Queries meanwhile: ${reads.length}, p50 ${fixed(median(reads), 1)} ms, p95 ${fixed(quantile(reads, 0.95), 1)} ms.`,
  );
}

/** Measures the load while the clients poll; adds the milliseconds of their requests to `reads`. */
async function loadWhilePolling(
  base: string,
  cookie: string,
  load: () => Promise<Sample>,
  reads: number[],
): Promise<Sample> {
  const stopPolling = new AbortController();
  const client = async (n: number) => {
    await pause((n * 1000) / READERS);
    let turn = n;
    while (!stopPolling.signal.aborted) {
      const next = performance.now() + 1000;
      const path = POLLED[turn++ % POLLED.length]!;
      reads.push(await requestMs(base + path, { cookie }));
      await pause(Math.max(0, next - performance.now()));
    }
  };
  const clients = Promise.all(Array.from({ length: READERS }, (_, n) => client(n)));
  try {
    return await load();
  } finally {
    stopPolling.abort();
    await clients;
  }
}
