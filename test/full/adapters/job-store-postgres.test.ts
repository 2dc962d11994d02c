import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import { jobStoreContract } from '../../contracts/job-store.ts';
import { ended, item, job, T0 } from '../../contracts/samples.ts';
import { testDatabase } from '../../helpers/postgres.ts';
import { openTestStore } from '../../helpers/postgres-store.ts';
import { eventually } from '../../helpers/service.ts';

jobStoreContract('PostgreSQL', openTestStore);

test('items are claimed and ended by an index, however many there are', async (t) => {
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
    for (const one of claimed.items) await jobs.end([ended(one)]);
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
