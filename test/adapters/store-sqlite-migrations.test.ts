import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { sqliteJobDialect } from '../../src/adapters/store/queries/jobs/job-dialect.ts';
import { folderQueries } from '../../src/adapters/store/queries/jobs/job-folders.ts';
import { createCompiler } from '../../src/adapters/store/queries/query-compiler.ts';
import { MIGRATIONS } from '../../src/adapters/store/schema/migrations.ts';
import { prepareBackfill } from '../../src/adapters/store/sqlite/backfill.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { newestVersion, prepareDatabase } from '../../src/adapters/store/sqlite/prepare-database.ts';
import { StorageError } from '../../src/ports/store.ts';
import { ANNA, filter, idAt, item, job, T0 } from '../contracts/samples.ts';
import {
  backfillMark,
  makeDatabase,
  NEXT_MIGRATION,
  RECORDS_JOB,
  RECORDS_USER,
} from '../helpers/many-records.ts';
import { afterwards, tempFolder } from './temp.ts';

const MIGRATE_FILE = fileURLToPath(new URL('./children/migrate-file.ts', import.meta.url));
const JOB = idAt(T0, 1);
const log = () => {};
const bytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

async function open(t: TestContext, file: string) {
  const store = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => store.close());
  return store;
}

test('SQLite: a database of before 0.1 is refused, with what to do, and not changed', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  makeDatabase(file, 1, 10);
  const set = (version: number) => {
    const db = new Database(file);
    db.pragma(`user_version = ${version}`);
    db.close();
  };
  set(29);
  await assert.rejects(openSqliteStore({ file, durability: 'normal' }), (error: Error) => {
    assert.ok(error instanceof StorageError);
    assert.match(
      error.message,
      /schema has version 29, .* needs at least 30\. Update it once with `sluice migrate` of commit fae8ce03/,
    );
    return true;
  });
  set(newestVersion(MIGRATIONS));
  assert.equal(
    (await (await open(t, file)).records.list(filter({ userId: RECORDS_USER }), 10, null)).items.length,
    1,
  );
});

test('SQLite: an update does not read the records', { skip: process.platform !== 'linux' }, (t) => {
  const folder = tempFolder(t);
  const read = ([10, 20_000] as const).map((records) => {
    const file = join(folder, `${records}.db`);
    makeDatabase(file, records, 500);
    const output = execFileSync(process.execPath, [MIGRATE_FILE, file], { encoding: 'utf8' });
    return { read: Number(output), size: statSync(file).size };
  });
  const [small, large] = read as [(typeof read)[number], (typeof read)[number]];
  assert.ok(large.size > 10e6 && small.size < 2e6, JSON.stringify(read));
  // Reading the records alone, without their contents, would be 3 MB.
  assert.ok(large.read - small.read < 200_000, JSON.stringify(read));
});

test('SQLite: a back-fill goes in steps; another process can go on with it', (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  makeDatabase(file, 2_500, 10);
  const migrations = [...MIGRATIONS, NEXT_MIGRATION];
  prepareDatabase({ file, migrations, log }, () => {});
  assert.equal(backfillMark(file), '');
  const first = new Database(file);
  const ids = first.prepare('SELECT hex(id) FROM records ORDER BY id').pluck().all() as string[];
  assert.equal(prepareBackfill(first, migrations)(), true);
  assert.equal(backfillMark(file), ids[999]!.toLowerCase());
  first.close();
  const other = new Database(file);
  const step = prepareBackfill(other, migrations);
  let steps = 0;
  while (step()) steps++;
  assert.equal(steps, 3, 'rows 1000 to 1999, the rest, and the end');
  assert.equal(backfillMark(file), null);
  assert.equal(other.prepare('SELECT count(*) FROM made_marks').pluck().get(), 2_500);
  assert.equal(other.pragma('integrity_check', { simple: true }), 'ok');
  other.close();
});

test('SQLite: the records of jobs are found that a back-fill of the development had not reached', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  makeDatabase(file, 2_500, 10);
  const db = new Database(file);
  db.exec(`DELETE FROM record_jobs; INSERT INTO backfills VALUES (21, x'')`);
  db.close();
  const store = await open(t, file);
  assert.deepEqual(store.schema, { before: newestVersion(MIGRATIONS), now: newestVersion(MIGRATIONS) });
  while (await store.backfill());
  assert.equal(backfillMark(file), null);
  assert.equal((await store.records.sweepJob(RECORDS_JOB, 2_000)).deleted, 1_250);
});

test('SQLite: the folders of a job from before they were counted are listed, also when it goes on', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  prepareDatabase({ file, migrations: MIGRATIONS, log }, () => {});
  const db = new Database(file);
  // Without rows in `job_folders`, as then.
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
