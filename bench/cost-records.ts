/**
 * `npm run bench -- cost --records=1e7 [--postgres] [--replicas=3]`: what a scrape costs and how long lists take in a database that
 * holds so many records. With `--postgres`, scrapes go to one replica and then to so many, and PostgreSQL's time is measured, too.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgresStore } from '../src/adapters/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import { uuidText } from '../src/base/uuid7.ts';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { measureLists } from './lib/list-times.ts';
import { makeRecords, makeStats } from './lib/made-history.ts';
import { LARGE_JOB, makeManyRecords, USER_WITH_FEW } from './lib/many-records.ts';
import { treeCpu } from './lib/process-tree.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';
import { wrk } from './lib/wrk.ts';

const EMAIL = 'bench@example.com';
const PASSWORD = 'a password for the bench';
const CONNECTIONS = 32;
const SECONDS = 8;
/** Not measured: a service that has just started is slower. */
const WARM_UP_SECONDS = 6;

interface Made {
  /** Settings of the services. */
  readonly env: NodeJS.ProcessEnv;
  /** Process of the database; null: it is part of the service. */
  readonly databasePid: number | null;
  readonly size: string;
  close(): Promise<void>;
}

const numberOf = (flags: readonly string[], name: string, or: number): number =>
  Number(flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3) ?? or);

const cpuOf = (pid: number): number => Object.values(treeCpu(pid)).reduce((sum, used) => sum + used, 0);

export async function costRecords(flags: readonly string[]): Promise<void> {
  const records = numberOf(flags, 'records', 1_000);
  const replicas = numberOf(flags, 'replicas', 1);
  const isPostgres = flags.includes('--postgres');
  console.log(provenance(`npm run bench -- cost ${flags.join(' ')}`));
  const began = performance.now();
  const made = await (isPostgres ? onPostgres(records) : onSqlite(records));
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\n${whole(records)} records, ${made.size}, made in ${seconds} s.\n`);
  const target = await startBeside('target.ts');
  const services: SluiceServed[] = [];
  try {
    services.push(await startSluice(made.env));
    await printLists(services[0]!, made);
    const rows = [await measureScrapes(services, made, target.base)];
    while (services.length < replicas) services.push(await startSluice(made.env));
    if (replicas > 1) rows.push(await measureScrapes(services, made, target.base));
    console.log(table(['Replicas', 'scrapes /s', 'Sluice: CPU a scrape', 'PostgreSQL: CPU a scrape'], rows));
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await target.stop();
    await made.close();
  }
}

async function onSqlite(records: number): Promise<Made> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-cost-'));
  const env = { SLUICE_DATA_DIR: dataDir, SLUICE_ADMIN_EMAIL: EMAIL, SLUICE_ADMIN_PASSWORD: PASSWORD };
  await (await startSluice(env)).stop();
  const store = await openSqliteStore({ file: join(dataDir, 'sluice.db'), durability: 'normal' });
  const [user] = await store.accounts.users();
  await makeRecords(store, records, user!.id, Date.now());
  await makeStats(store, user!.id, Date.now());
  const { used } = await store.usage();
  await store.close();
  return {
    env,
    databasePid: null,
    size: megabytes(used),
    close: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

async function onPostgres(records: number): Promise<Made> {
  const server = await startDurablePostgres();
  const url = await server.createDatabase();
  const env = {
    SLUICE_DATABASE_URL: url,
    SLUICE_SECRET: 'the secret of the benchmark, on all replicas',
    SLUICE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SLUICE_ADMIN_EMAIL: EMAIL,
    SLUICE_ADMIN_PASSWORD: PASSWORD,
  };
  await (await startSluice(env)).stop();
  const client = new pg.Client(url);
  await client.connect();
  const { rows: users } = await client.query<{ id: Buffer }>('SELECT id FROM users');
  const userId = uuidText(users[0]!.id);
  await makeManyRecords(url, records, userId, Date.now());
  const store = await openPostgresStore({ url, directUrl: null, readUrl: null });
  await makeStats(store, userId, Date.now());
  await store.close();
  await client.query('VACUUM (ANALYZE) stat_counts');
  const { rows } = await client.query<{ size: string }>(
    'SELECT pg_database_size(current_database()) AS size',
  );
  await client.end();
  return { env, databasePid: server.pid(), size: megabytes(Number(rows[0]!.size)), close: server.close };
}

const megabytes = (bytes: number): string => `${whole(bytes / 2 ** 20)} MiB`;

async function printLists(service: SluiceServed, { databasePid }: Made): Promise<void> {
  const isPostgres = databasePid !== null;
  const times = await measureLists({
    base: service.base,
    authorization: service.authorization,
    cookie: await signIn(service.base),
    userWithFew: isPostgres ? USER_WITH_FEW : null,
    jobId: isPostgres ? LARGE_JOB : null,
    cpu: () => cpuOf(service.pid) + (isPostgres ? cpuOf(databasePid) : 0),
  });
  const rows = times.map(({ name, p50, p95, cpu }) => [name, fixed(p50, 1), fixed(p95, 1), fixed(cpu, 1)]);
  console.log(`${table(['List', 'p50 ms', 'p95 ms', 'CPU ms'], rows)}\n`);
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

/** Scrapes of a page of 1 KB by `http`, over connections that are spread evenly over the services. */
async function measureScrapes(
  services: readonly SluiceServed[],
  { databasePid }: Made,
  target: string,
): Promise<string[]> {
  const load = (seconds: number) =>
    Promise.all(
      services.map((service) =>
        wrk({
          url: `${service.base}/api/v1/scrape/`,
          authorization: service.authorization,
          body: JSON.stringify({ url: `${target}/1`, scraper: 'http' }),
          connections: Math.ceil(CONNECTIONS / services.length),
          seconds,
        }),
      ),
    );
  const used = () => ({
    sluice: services.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    database: databasePid === null ? 0 : cpuOf(databasePid),
  });
  await load(WARM_UP_SECONDS);
  const before = used();
  const measured = await load(SECONDS);
  const after = used();
  const requests = measured.reduce((sum, one) => sum + one.requests, 0);
  const errors = measured.reduce((sum, one) => sum + one.errors, 0);
  if (errors > 0) throw new Error(`${errors} of ${requests} scrapes failed`);
  const ms = (name: 'sluice' | 'database') => `${fixed(((after[name] - before[name]) * 1000) / requests)} ms`;
  return [
    String(services.length),
    whole(requests / SECONDS),
    ms('sluice'),
    databasePid === null ? 'in it' : ms('database'),
  ];
}
