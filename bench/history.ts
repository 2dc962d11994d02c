import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteStore } from '../src/adapters/store/open-sqlite-store.ts';
import { makeRecords, makeStats, RARE_HOST } from './lib/made-history.ts';
import { cpuSeconds } from './lib/proc.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';
import { median, quantile, spreadPercent } from './lib/statistics.ts';
import { type Measured, wrk } from './lib/wrk.ts';

const RECORDS = 1_000_000;
const TIMES = 60;
const ROUNDS = 14;
const SECONDS = 4;
const CONNECTIONS = 32;
/** Dashboards that are open; each asks every second, in turn for the newest page, one that is filtered, and the stats. */
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

/** The history of a million scrapes read over HTTP; and what that takes from the scrapes that run meanwhile. */
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
      await reading(sluice, cookie);
      await scraping(sluice, cookie, `${target.base}/1`);
    } finally {
      await Promise.all([sluice.stop(), target.stop()]);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A first start makes the user whose records they are. */
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
  const answer = await fetch(`${base}/api/v1/session/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  if (answer.status !== 201) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  return answer.headers.getSetCookie()[0]!.split(';')[0]!;
}

type Sample = Measured & { readonly cpuMs: number };
type Headers = Readonly<Record<string, string>>;

/** Milliseconds until the whole answer was there. */
async function asked(url: string, headers: Headers): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  return performance.now() - began;
}

async function reading(sluice: SluiceServed, cookie: string): Promise<void> {
  const rows: string[][] = [];
  const own: Headers = { authorization: sluice.authorization };
  for (const [whose, headers] of [
    ['own', own],
    ['all users', { cookie }],
  ] as const) {
    for (const [name, path] of Object.entries(PAGES)) {
      const taken: number[] = [];
      for (let n = 0; n < TIMES; n++) taken.push(await asked(sluice.base + path, headers));
      rows.push([`${whose}: ${name}`, fixed(median(taken), 1), fixed(quantile(taken, 0.95), 1)]);
    }
    const deep = await paged(sluice.base, headers);
    rows.push([
      `${whose}: page after page, 200 each`,
      fixed(median(deep), 1),
      fixed(quantile(deep, 0.95), 1),
    ]);
  }
  console.log(`\n${whole(RECORDS)} records, ${TIMES} times each, one after the other, over HTTP.\n`);
  console.log(table(['', 'p50 ms', 'p95 ms'], rows));
}

async function paged(base: string, headers: Headers): Promise<number[]> {
  const taken: number[] = [];
  let cursor = '';
  for (let n = 0; n < 3 * TIMES; n++) {
    const began = performance.now();
    const answer = await fetch(`${base}${LIST}?limit=200${cursor}`, { headers });
    const { next_cursor } = (await answer.json()) as { next_cursor: string | null };
    taken.push(performance.now() - began);
    if (next_cursor === null) break;
    cursor = `&cursor=${next_cursor}`;
  }
  return taken;
}

async function scraping(sluice: SluiceServed, cookie: string, page: string): Promise<void> {
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
      async () => void beside.push(await read(sluice.base, cookie, load, reads)),
    ];
    for (const one of round % 2 === 0 ? both : both.reverse()) await one();
    console.error(`round ${round + 1} of ${ROUNDS}`);
  }
  const ratios = beside.map(({ perSecond }, n) => perSecond / alone[n]!.perSecond);
  const of = (samples: readonly Sample[], member: 'perSecond' | 'p50' | 'p99' | 'cpuMs') =>
    median(samples.map((sample) => sample[member]));
  console.log(
    `\nScrapes of a 1 KB page over ${CONNECTIONS} connections, with nobody reading and with ${READERS} clients that each ask every second, in turn for the newest page, a filtered one and the stats of all users: medians of ${ROUNDS} rounds of ${SECONDS} s, turn and turn about.\n`,
  );
  const line = (name: string, samples: readonly Sample[]) => [
    name,
    whole(of(samples, 'perSecond')),
    fixed(of(samples, 'p50')),
    fixed(of(samples, 'p99')),
    fixed(of(samples, 'cpuMs'), 3),
    String(samples.reduce((sum, { errors }) => sum + errors, 0)),
  ];
  console.log(
    table(
      ['', 'scrapes /s', 'p50 ms', 'p99 ms', 'CPU ms a scrape', 'errors'],
      [line('alone', alone), line('while read', beside)],
    ),
  );
  console.log(`\nRatio: ${fixed(median(ratios), 3)}, spread ±${fixed(spreadPercent(ratios), 0)} %.`);
  const dearer = median(beside.map(({ cpuMs }, n) => alone[n]!.cpuMs / cpuMs));
  console.log(`By the processor time of the service, reads included: ${fixed(dearer, 3)}.`);
  console.log(
    `Reads meanwhile: ${reads.length}, p50 ${fixed(median(reads), 1)} ms, p95 ${fixed(quantile(reads, 0.95), 1)} ms.`,
  );
}

/** What the load gives while the clients poll. */
async function read(
  base: string,
  cookie: string,
  load: () => Promise<Sample>,
  reads: number[],
): Promise<Sample> {
  const over = new AbortController();
  const client = async (n: number) => {
    await pause((n * 1000) / READERS);
    let turn = n;
    while (!over.signal.aborted) {
      const next = performance.now() + 1000;
      const path = POLLED[turn++ % POLLED.length]!;
      reads.push(await asked(base + path, { cookie }));
      await pause(Math.max(0, next - performance.now()));
    }
  };
  const clients = Promise.all(Array.from({ length: READERS }, (_, n) => client(n)));
  try {
    return await load();
  } finally {
    over.abort();
    await clients;
  }
}
