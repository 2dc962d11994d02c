import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { MIGRATIONS, newestVersion, prepareDatabase } from '../../src/adapters/store/database.ts';
import { sqliteJobDialect } from '../../src/adapters/store/jobs/job-dialect.ts';
import { folderQueries } from '../../src/adapters/store/jobs/job-folders.ts';
import { openSqliteStore } from '../../src/adapters/store/open-sqlite-store.ts';
import { createCompiler } from '../../src/adapters/store/query-compiler.ts';
import { uuidText } from '../../src/base/uuid7.ts';
import { ANNA, filter, idAt, item, job, T0 } from '../contracts/samples.ts';
import { backfillMark, makeOldDatabase, OLD_USER } from '../helpers/database-0.1.ts';
import { afterwards, tempFolder } from './temp.ts';

const MIGRATE_FILE = fileURLToPath(new URL('./children/migrate-file.ts', import.meta.url));
const JOB = idAt(T0, 1);
const log = () => {};
const bytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** Names and SQL of all tables, indexes and triggers. */
function schemaOf(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();
  } finally {
    db.close();
  }
}

/** A database of version 20, whose index on the jobs of records was made by migration 8. Every other record has a job. */
function makeVersion20(file: string, records: number): void {
  prepareDatabase({ file, migrations: MIGRATIONS.slice(0, 20), log }, () => {});
  const db = new Database(file);
  db.exec('CREATE INDEX records_job ON records (job_id, id) WHERE job_id IS NOT NULL');
  const insert =
    db.prepare(`INSERT INTO records (id, user_id, created_at, host, outcome, duration_ms, has_screenshot, content_in_blob, job_id)
VALUES (?, ?, ?, 'example.com', 'ok', 1, 0, 0, ?)`);
  db.transaction(() => {
    for (let n = 0; n < records; n++)
      insert.run(bytes(idAt(T0 + n)), bytes(ANNA), T0 + n, n % 2 === 0 ? bytes(JOB) : null);
  })();
  db.close();
}

async function open(t: TestContext, file: string) {
  const store = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => store.close());
  return store;
}

test('SQLite: databases of version 0.1 and of version 20 of the schema get the schema of a new one', (t) => {
  const folder = tempFolder(t);
  const files = ['new', 'old', 'v20'].map((name) => join(folder, `${name}.db`)) as [string, string, string];
  makeOldDatabase(files[1], 0, 0);
  makeVersion20(files[2], 0);
  for (const file of files) prepareDatabase({ file, migrations: MIGRATIONS, log }, () => {});
  for (const file of files.slice(1)) assert.deepEqual(schemaOf(file), schemaOf(files[0]));
});

test('SQLite: an update does not read the records', { skip: process.platform !== 'linux' }, (t) => {
  const folder = tempFolder(t);
  const read = ([10, 20_000] as const).map((records) => {
    const file = join(folder, `${records}.db`);
    makeOldDatabase(file, records, 500);
    const output = execFileSync(process.execPath, [MIGRATE_FILE, file], { encoding: 'utf8' });
    return { read: Number(output), size: statSync(file).size };
  });
  const [small, large] = read as [(typeof read)[number], (typeof read)[number]];
  assert.ok(large.size > 10e6 && small.size < 1e6, JSON.stringify(read));
  // Reading the records alone, without their contents, would be 3 MB.
  assert.ok(large.read - small.read < 200_000, JSON.stringify(read));
});

test('SQLite: a back-fill goes in steps; another process can go on with it; records of before and after are swept', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  makeVersion20(file, 2_500);
  const store = await open(t, file);
  assert.deepEqual(store.schema, { before: 20, now: newestVersion(MIGRATIONS) });
  assert.equal(backfillMark(file), '');
  assert.equal(await store.backfill(), true);
  assert.equal(backfillMark(file), bytes(idAt(T0 + 999)).toString('hex'));
  await store.close();
  const other = await open(t, file);
  assert.equal(other.schema.before, newestVersion(MIGRATIONS));
  let steps = 0;
  while (await other.backfill()) steps++;
  assert.equal(steps, 3, 'rows 1000 to 1999, the rest, and the end');
  assert.equal(backfillMark(file), null);
  assert.equal((await other.records.sweepJob(JOB, 2_000)).deleted, 1_250);
  assert.equal((await other.records.list(filter(), 200, null)).items.length, 200);
  await other.close();
  const db = new Database(file, { readonly: true });
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  assert.deepEqual([count('records'), count('record_jobs')], [1_250, 0]);
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  db.close();
});

test('SQLite: records of version 0.1 are there after the update', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  makeOldDatabase(file, 30, 100);
  const store = await open(t, file);
  const userId = uuidText(OLD_USER);
  const { items } = await store.records.list(filter({ userId }), 50, null);
  assert.equal(items.length, 30);
  assert.equal((await store.records.get(items[0]!.id, userId))!.content!.length, 100);
});

test('SQLite: the folders of a job from before they were counted are listed, also when it goes on', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  prepareDatabase({ file, migrations: MIGRATIONS.slice(0, 22), log }, () => {});
  const db = new Database(file);
  db.prepare(
    `INSERT INTO jobs (id, user_id, kind, tags, priority, per_host, delay_ms, retries, kept_ms, created_at, request, spec, state, queued, last_item)
VALUES (?, ?, 'crawl', '{}', 0, 10, 0, 0, 1000, 0, '{}', x'', 'running', 1, 1)`,
  ).run(bytes(JOB), bytes(ANNA));
  db.prepare(
    `INSERT INTO job_items (job_id, item, url, host, depth, repeatable, state) VALUES (?, 1, 'https://a.test/docs/', 'a.test', 0, 1, 'queued')`,
  ).run(bytes(JOB));
  db.close();
  const { jobs } = await open(t, file);
  await jobs.add(JOB, [item('https://a.test/docs/x')], T0);
  await jobs.skipQueued(JOB, { code: 'job.cost_cap', message: 'x' }, 1, T0);
  const [docs] = await jobs.folders(JOB, 'a.test/', 10, null);
  assert.partialDeepStrictEqual(docs, { folder: 'a.test/docs/', counts: { queued: 1, skipped: 1 } });
});

test('SQLite: folders of a job are read without its items', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  await (await open(t, file)).close();
  const { foldersQuery } = folderQueries(sqliteJobDialect);
  const { sql, parameters } = foldersQuery(
    createCompiler(),
    job(1).id,
    'a.test/',
    10,
    'a.test/docs/',
  ).compile();
  const db = new Database(file, { readonly: true });
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...parameters)
    .map((row) => (row as { detail: string }).detail);
  db.close();
  const tables = plan.filter((step) => /^(SEARCH|SCAN) (f|job_items) /.test(step));
  assert.deepEqual(tables, [
    'SEARCH job_items USING INDEX job_items_running (lease_until>?)',
    'SEARCH f USING PRIMARY KEY (job_id=? AND parent=? AND name>?)',
  ]);
});
