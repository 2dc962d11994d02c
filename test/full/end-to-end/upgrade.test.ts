import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import pg from 'pg';
import { totpCode } from '../../../src/account/totp.ts';
import { migratePostgres } from '../../../src/adapters/store/postgres/migrate.ts';
import { MIGRATIONS } from '../../../src/adapters/store/schema/migrations.ts';
import { POSTGRES_MIGRATIONS } from '../../../src/adapters/store/schema/postgres-migrations.ts';
import { newestVersion } from '../../../src/adapters/store/sqlite/prepare-database.ts';
import { makeFaults } from '../../helpers/faults.ts';
import { makeDatabase } from '../../helpers/many-records.ts';
import { noPostgres, type PostgresServer, postgresProgram, startPostgres } from '../../helpers/postgres.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { base32Bytes, PASSWORD, visit, visitorOf } from '../../helpers/visitor.ts';
import type { SessionObject } from '../../helpers/wire-types.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/upgrade/0.1');

/** What the program that made a fixture said of it. */
interface Made {
  /** ms since the epoch */
  readonly at: number;
  /** The site that it scraped, which is gone. */
  readonly base: string;
  readonly ann: string;
  /** Of her session. */
  readonly cookie: string;
  /** Of her second factor, base 32. */
  readonly totp: string;
  readonly recovery: string;
  readonly limitedKey: string;
  readonly webhookSecret: string;
  readonly records: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, string>>;
  readonly monitors: Readonly<Record<string, string>>;
  /** Answers of its API by path, without what depends on the moment (`steady`). */
  readonly answers: Readonly<Record<string, unknown>>;
}

const madeFor = (engine: string): Made =>
  JSON.parse(gunzipSync(readFileSync(join(FIXTURES, `${engine}-answers.json.gz`))).toString()) as Made;

/** An answer without what depends on the moment, and with hashes in place of long texts. */
const steady = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value) => {
    if (/_url$|^url_|^last_|seen|^next_|^request_id$|^rate_per_s$|^eta_s$/.test(name)) return null;
    if (typeof value === 'string' && value.length > 500)
      return `sha256 ${createHash('sha256').update(value).digest('hex')}`;
    // Sums of equal size have no fixed order.
    if (Array.isArray(value) && value.every((one) => typeof one === 'object' && !('id' in one)))
      return value.map((one) => JSON.stringify(one)).sort();
    return value;
  });

/** `actual` with the members alone that `expected` has: an answer may have got more since. */
function onlyMembersOf(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((one, at) => (at < expected.length ? onlyMembersOf(expected[at], one) : one));
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null)
    return actual;
  const had = new Map<string, unknown>(Object.entries(expected));
  const kept = Object.entries(actual).filter(([name]) => had.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, onlyMembersOf(had.get(name), value)]));
}

/** Deliveries go on, and the pool that an alert is about has no history in a new process. */
const GOES_ON = /^\/api\/v1\/(webhooks|alerts|alerts\/events)\/$/;

/** As when the fixtures were made. */
const ENV = {
  SLUICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  SLUICE_SECRET: 'a secret of the fixture, which nobody else uses',
  SLUICE_RETENTION_DAYS: '36500',
  SLUICE_PRICES: join(FIXTURES, 'prices.json'),
  SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
};

const tempFolder = () => mkdtempSync(join(tmpdir(), 'sluice-upgrade-'));

/** By the clock of the test, the rows were made so long ago, however old the fixture is: sessions and others end some day. */
const LATER_MS = 60_000;

interface TestClock extends Disposable {
  /** Variables that give it to a process. */
  readonly env: NodeJS.ProcessEnv;
  now(): number;
}

/** A clock for the service and for PostgreSQL. @returns a reason for skipping the test if there is none */
function clockAfter(at: number): TestClock | string {
  const faults = makeFaults();
  if (typeof faults === 'string') return faults;
  const seconds = Math.round((at + LATER_MS - Date.now()) / 1000);
  faults.clock(seconds);
  // PostgreSQL may run as another user.
  chmodSync(dirname(faults.env.FAULT_CLOCK!), 0o755);
  return {
    env: faults.env,
    now: () => Date.now() + seconds * 1000,
    [Symbol.dispose]: () => faults[Symbol.dispose](),
  };
}

interface Fixture {
  readonly dataDir: string;
  readonly made: Made;
  readonly clock: TestClock;
  /** Of now; that of the fixture is gone. */
  readonly site: { readonly url: string };
}

/** Starts the present program on what a fixture has, reads everything, and works with it. */
async function check(env: NodeJS.ProcessEnv, { dataDir, made, clock, site }: Fixture): Promise<void> {
  await using service = await startService({ ...ENV, ...env }, { dataDir });
  const read = async (path: string) => {
    const { status, body } = await service.api('GET', path);
    assert.equal(status, 200, path);
    return body;
  };
  for (const [path, answer] of Object.entries(made.answers))
    if (!GOES_ON.test(path))
      assert.deepEqual(steady(onlyMembersOf(answer, await read(asOf01(path)))), steady(answer), path);
    else
      assert.deepEqual(new Set(idsOf(answer)).difference(new Set(idsOf(await read(path)))), new Set(), path);
  await readsAccounts(service, made, clock);
  await goesOn(service, made, site.url);
  await worksAnew(service, site.url);
  const migrated = await service.cli(['migrate']);
  assert.match(migrated.stdout, /up to date/);
  await service.stop();
}

/** The request of now for the answer that 0.1 gave: its lists of jobs had the runs of monitors, too. */
const asOf01 = (path: string) => path.replace(/^(\/api\/v1\/jobs\/\?.*)$/, '$1&with_runs=true');

const idsOf = (answer: unknown) => itemsOf(answer).map(({ id }) => id);
const itemsOf = (answer: unknown) =>
  (answer as { readonly items: readonly { readonly id: string | number }[] }).items;

/** The session, the password with the second factor, a recovery code, a key, and the secret of webhooks. */
async function readsAccounts(service: Service, made: Made, { now }: TestClock): Promise<void> {
  const headers = { cookie: made.cookie };
  const session = await visit<SessionObject>(service, 'GET', '/api/v1/session/', { headers });
  assert.equal(session.status, 200, session.text);
  const secret = await visit<{ secret: string }>(service, 'GET', '/api/v1/webhooks/secret/', { headers });
  assert.equal(secret.body.secret, made.webhookSecret);
  const signIn = (body: object) =>
    visit<SessionObject>(service, 'POST', '/api/v1/session/', {
      body: { email: made.ann, password: PASSWORD, ...body },
    });
  assert.equal((await signIn({})).status, 401, 'it asks for the second factor');
  const step = Math.floor(now() / 30_000);
  assert.equal((await signIn({ code: totpCode(base32Bytes(made.totp), step) })).status, 201);
  visitorOf(service, await signIn({ code: made.recovery }));
  const key = await service.api('GET', '/api/v1/key/', { key: made.limitedKey });
  assert.equal(key.status, 200, key.text);
}

/** The paused job ends, although its site is gone; the paused monitor runs, on the site of now; and an answer that was kept for a key is sent again. */
async function goesOn(service: Service, made: Made, url: string): Promise<void> {
  const again = await service.scrape(
    { url: `${made.base}/idempotent`, scraper: 'http' },
    { headers: { 'idempotency-key': 'a-key-of-the-fixture' } },
  );
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(again.body.id, made.records.idempotent);
  assert.equal((await service.api('POST', `/api/v1/jobs/${made.jobs.paused}/resume/`)).status, 200);
  await ended(service, made.jobs.paused!);
  // Its only proxy is dead, and scrapes would go through it.
  assert.equal((await service.api('DELETE', '/api/v1/proxies/pools/own/')).status, 204);
  const monitor = `/api/v1/monitors/${made.monitors.page}/`;
  const request = { url: `${url}/html/3000`, scraper: 'http' };
  assert.equal((await service.api('PATCH', monitor, { body: { request } })).status, 200);
  const before = itemsOf((await service.api('GET', `${monitor}runs/`)).body).length;
  assert.equal((await service.api('POST', `${monitor}resume/`)).status, 200);
  assert.equal((await service.api('POST', `${monitor}run/`)).status, 202);
  await eventually(async () => {
    const runs = itemsOf((await service.api('GET', `${monitor}runs/`)).body) as unknown as readonly {
      readonly state: string;
    }[];
    return runs.length > before && runs.every(({ state }) => state !== 'running');
  });
}

async function worksAnew(service: Service, url: string): Promise<void> {
  const scrape = await service.scrape({ url: `${url}/html/700000`, scraper: 'http' });
  assert.equal(scrape.body.router.outcome, 'ok');
  const body = { requests: [1, 2].map((n) => ({ url: `${url}/html/${2_000 + n}`, scraper: 'http' })) };
  const job = await service.api<{ id: string }>('POST', '/api/v1/batches/', { body });
  assert.equal(await ended(service, job.body.id), 'done');
}

const ended = (service: Service, id: string) =>
  eventually(async () => {
    const { body } = await service.api<{ state: string }>('GET', `/api/v1/jobs/${id}/`);
    return ['done', 'failed', 'cancelled'].includes(body.state) && body.state;
  }, 60_000);

describe('the update from the last state of the development of 0.1', () => {
  const site = useSite();
  const folder = tempFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('SQLite: the schema is that of a new database, each table has rows, and all of them are read', async (t) => {
    const made = madeFor('sqlite');
    const clock = clockAfter(made.at);
    if (typeof clock === 'string') return t.skip(clock);
    using _ = clock;
    execFileSync('tar', ['-xzf', join(FIXTURES, 'sqlite.tar.gz'), '-C', folder]);
    const dataDir = join(folder, 'data');
    const fresh = join(folder, 'new.db');
    makeDatabase(fresh, 0, 0);
    const file = join(dataDir, 'sluice.db');
    const schema = (path: string) => {
      const db = new Database(path);
      const rows = db
        .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
        .all();
      const names = db
        .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
        .pluck()
        .all() as string[];
      const empty = names.filter((name) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() === undefined);
      const version = db.pragma('user_version', { simple: true });
      db.close();
      return { rows, empty, version };
    };
    // A back-fill has rows only until it ends.
    assert.deepEqual(schema(file).empty, ['backfills']);
    await check(clock.env, { dataDir, made, site, clock });
    const updated = schema(file);
    assert.deepEqual(updated.rows, schema(fresh).rows);
    assert.equal(updated.version, newestVersion(MIGRATIONS));
  });

  describe('PostgreSQL', { skip: noPostgres }, () => {
    const made = madeFor('postgres');
    const clock = clockAfter(made.at);
    let server: PostgresServer;
    before(async () => {
      server = await startPostgres([], typeof clock === 'string' ? {} : clock.env);
    });
    after(async () => {
      await server?.close();
      if (typeof clock !== 'string') clock[Symbol.dispose]();
    });

    test('the schema is that of a new database, each table has rows, and all of them are read', async (t) => {
      if (typeof clock === 'string') return t.skip(clock);
      const url = await server.createDatabase();
      const sql = gunzipSync(readFileSync(join(FIXTURES, 'postgres-dump.gz')));
      execFileSync(postgresProgram('psql'), ['-q', '-v', 'ON_ERROR_STOP=1', url], {
        input: sql,
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      const fresh = await server.createDatabase();
      await migratePostgres({ url: fresh, directUrl: null });
      assert.deepEqual(await emptyTables(url), EMPTY);
      const to = POSTGRES_MIGRATIONS.at(-1)!.version;
      const from = POSTGRES_MIGRATIONS[0]!.version;
      assert.deepEqual(await migratePostgres({ url, directUrl: null }), { from, to });
      assert.equal(schemaOf(url), schemaOf(fresh));
      const dataDir = join(folder, 'postgres');
      await check({ ...clock.env, SLUICE_DATABASE_URL: url }, { dataDir, made, site, clock });
    });

    test('a schema of before 0.1 is refused, with what to do', async () => {
      const url = await server.createDatabase();
      await migratePostgres({ url, directUrl: null });
      await query(url, 'UPDATE sluice_schema SET version = 32, min_version = 20');
      await assert.rejects(
        startService({ SLUICE_DATABASE_URL: url }),
        /schema has version 32, .* needs at least 33\. Update it once with `sluice migrate` of commit fae8ce03/,
      );
    });
  });
});

/** Tables of PostgreSQL that have rows only while services run, or, `shared_values`, for some minutes. */
const EMPTY: readonly string[] = [
  'hand_over_pieces',
  'hand_overs',
  'limit_replicas',
  'live_replicas',
  'shared_values',
];

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The SQL of the schema, without the partitions, which depend on the day, and without the words that a dump makes up. */
const schemaOf = (url: string): string =>
  execFileSync(postgresProgram('pg_dump'), ['-s', '--no-owner', '--no-privileges', '-T', 'record*_2*', url], {
    encoding: 'utf8',
  }).replace(/^\\(un)?restrict .*$/gm, '');

async function emptyTables(url: string): Promise<string[]> {
  const names = await query(
    url,
    `SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const empty: string[] = [];
  for (const { name } of names)
    if ((await query(url, `SELECT 1 FROM ${String(name)} LIMIT 1`)).length === 0) empty.push(String(name));
  return empty;
}
