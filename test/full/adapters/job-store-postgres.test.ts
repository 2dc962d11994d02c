import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import { postgresJobDialect } from '../../../src/adapters/store/queries/jobs/job-dialect.ts';
import { folderQueries } from '../../../src/adapters/store/queries/jobs/job-folders.ts';
import { createCompiler } from '../../../src/adapters/store/queries/query-compiler.ts';
import { jobItemsContract } from '../../contracts/job-items.ts';
import { jobStoreContract } from '../../contracts/job-store.ts';
import { ANNA, ended, idAt, item, job, T0 } from '../../contracts/samples.ts';
import { testDatabase } from '../../helpers/postgres.ts';
import { openTestStore } from '../../helpers/postgres-store.ts';
import { eventually } from '../../helpers/service.ts';

jobStoreContract('PostgreSQL', openTestStore);
jobItemsContract('PostgreSQL', openTestStore);

test('items are claimed and ended, and folders listed, by an index, however many there are', async (t) => {
  const url = await testDatabase();
  const store = await openPostgresStore({ url, directUrl: null, readUrl: null });
  const { jobs } = store;
  const settings = [job(1), job(2)];
  for (const { id, ...rest } of settings) {
    await jobs.create({ id, ...rest });
    const items = Array.from({ length: 10_000 }, (_, n) => item(`https://${n % 3}.test/${n}`));
    await jobs.add(id, items, T0);
    assert.equal(await jobs.start(id, T0, { openJobs: 100, queuedItems: 100_000 }), null);
  }
  const client = new pg.Client(url);
  await client.connect();
  t.after(() => client.end());
  await client.query('ANALYZE');
  const rowsScanned = async () => {
    const { rows } = await client.query(
      "SELECT seq_tup_read AS count FROM pg_stat_user_tables WHERE relname = 'job_items'",
    );
    return Number(rows[0].count);
  };
  const before = await rowsScanned();
  // More often than a prepared statement needs to get a plan that fits any parameters.
  for (let round = 0; round < 10; round++) {
    const claimed = await jobs.claim({
      jobs: settings.map(({ id }) => ({ id, limit: 5 })),
      now: T0,
      leaseUntil: T0 + 10_000,
      perHost: 100,
    });
    assert.equal(claimed.items.length, 10);
    await jobs.end(claimed.items.slice(0, 8).map((one) => ended(one)));
    const folders = await jobs.folders(settings[0]!.id, '', 10, null);
    assert.equal(folders.length, 3);
  }
  await store.close();
  // Connections write what they have counted when they end.
  await eventually(async () => {
    const { rows } = await client.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return rows.length === 0;
  });
  assert.equal(await rowsScanned(), before);
});

test('folders are read by few rows of a job of 20,000 items, also while items run', async (t) => {
  const url = await testDatabase();
  const store = await openPostgresStore({ url, directUrl: null, readUrl: null });
  t.after(() => store.close());
  const { jobs } = store;
  const { id } = job(1);
  await jobs.create(job(1));
  const items = Array.from({ length: 20_000 }, (_, n) => item(`https://a.test/${n % 5}/${n}/`));
  for (let n = 0; n < items.length; n += 5_000) await jobs.add(id, items.slice(n, n + 5_000), T0);
  assert.equal(await jobs.start(id, T0, { openJobs: 100, queuedItems: 100_000 }), null);
  await jobs.claim({ jobs: [{ id, limit: 7 }], now: T0, leaseUntil: T0 + 10_000, perHost: 100 });
  const client = new pg.Client(url);
  await client.connect();
  t.after(() => client.end());
  await client.query('ANALYZE');
  const { foldersQuery } = folderQueries(postgresJobDialect);
  for (const [parent, after, rows] of [
    ['', null, 1],
    ['a.test/', null, 5],
    ['a.test/3/', 'a.test/3/2/', 10],
  ] as const) {
    const { sql, parameters } = foldersQuery(createCompiler(), id, parent, 10, after).compile();
    const { rows: plans } = await client.query(
      // The compiler writes `?`, as the store takes it.
      `EXPLAIN (ANALYZE, FORMAT JSON) ${numbered(sql)}`,
      [...parameters],
    );
    const scans = scansOf(plans[0]['QUERY PLAN'][0].Plan);
    assert.deepEqual(Object.keys(scans).toSorted(), ['job_folders', 'job_items']);
    assert.ok(scans.job_folders! <= rows, JSON.stringify(scans));
    assert.ok(scans.job_items! <= 10, JSON.stringify(scans));
    assert.equal((await jobs.folders(id, parent, 10, after)).length, rows);
  }
});

const numbered = (sql: string): string => {
  let n = 0;
  return sql.replaceAll(/'[^']*'|\?/g, (part) => (part === '?' ? `$${++n}` : part));
};

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan has read, by table. */
function scansOf(node: PlanNode, scans: Record<string, number> = {}): Record<string, number> {
  const table = node['Relation Name'];
  const read =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  if (table !== undefined) scans[table] = (scans[table] ?? 0) + read;
  for (const child of node.Plans ?? []) scansOf(child, scans);
  return scans;
}

test('folders of a job from before they were counted are listed; triggers keep the counts of others', async (t) => {
  const url = await testDatabase();
  const options = { url, directUrl: null };
  const client = new pg.Client(url);
  await client.connect();
  t.after(() => client.end());
  const bytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const addJob = async (id: string) => {
    await client.query(
      `INSERT INTO jobs (id, user_id, kind, tags, priority, per_host, delay_ms, retries, kept_ms, created_at, request, spec, state, queued, last_item)
VALUES ($1, $2, 'crawl', '{}', 0, 10, 0, 0, 1000, 0, '{}', '', 'running', 1, 1)`,
      [bytes(id), bytes(ANNA)],
    );
    await client.query(
      `INSERT INTO job_items (job_id, item, url, host, depth, repeatable, state) VALUES ($1, 1, 'https://a.test/docs/', 'a.test', 0, 1, 'queued')`,
      [bytes(id)],
    );
  };
  const [old, recent] = [idAt(T0, 1), idAt(T0, 2)];
  await addJob(old);
  // As it was then.
  await client.query('DELETE FROM job_folders');
  const store = await openPostgresStore({ ...options, readUrl: null });
  t.after(() => store.close());
  const { jobs } = store;
  await addJob(recent);
  for (const id of [old, recent]) {
    await jobs.add(id, [item('https://a.test/docs/x')], T0);
    await client.query(`UPDATE job_items SET state = 'skipped' WHERE job_id = $1 AND item = 1`, [bytes(id)]);
    const [docs] = await jobs.folders(id, 'a.test/', 10, null);
    assert.partialDeepStrictEqual(docs, { folder: 'a.test/docs/', counts: { queued: 1, skipped: 1 } });
  }
  const { rows } = await client.query('SELECT DISTINCT job_id FROM job_folders');
  assert.deepEqual(rows, [{ job_id: bytes(recent) }]);
  await client.query('DELETE FROM jobs');
  assert.equal((await client.query('SELECT FROM job_folders')).rowCount, 0);
});
