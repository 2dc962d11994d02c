import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { ANNA, BERT, ended, item, job, record, T0 } from '../contracts/samples.ts';
import { afterwards, tempFolder } from './temp.ts';

test('SQLite: equal contents of the jobs of a user are stored once, until the last of them is deleted', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  const store = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => store.close());
  const { jobs, records } = store;
  const db = new Database(file, { readonly: true });
  afterwards(t, () => void db.close());
  const uses = () =>
    db.prepare('SELECT uses FROM shared_contents ORDER BY number').all() as { uses: number }[];
  const content = new Uint8Array(randomBytes(50_000));
  /** Stores the content as the result of a job's only item. */
  const stored = async (n: number, userId: string) => {
    const { id } = job(n, { userId });
    await jobs.create(job(n, { userId }));
    await jobs.add(id, [item('https://a.test/')], T0);
    await jobs.start(id, T0, { openJobs: 100, queuedItems: 100 });
    const { items } = await jobs.claim({
      jobs: [{ id, limit: 1 }],
      now: T0,
      leaseUntil: T0 + 60_000,
      perHost: 10,
    });
    const kept = record(n, { userId, content });
    assert.deepEqual(await jobs.end([ended(items[0]!, { record: kept })]), ['stored']);
    return kept.id;
  };
  const first = await stored(1, ANNA);
  const second = await stored(2, ANNA);
  const other = await stored(3, BERT);
  assert.deepEqual(uses(), [{ uses: 2 }, { uses: 1 }]);
  const contentOf = async (id: string) => (await records.get(id, null))!.content;
  for (const id of [first, second, other])
    assert.deepEqual(Buffer.from((await contentOf(id))!), Buffer.from(content));

  await records.delete(first, ANNA);
  assert.deepEqual(Buffer.from((await contentOf(second))!), Buffer.from(content));
  assert.deepEqual(uses(), [{ uses: 1 }, { uses: 1 }]);
  await records.delete(second, ANNA);
  assert.deepEqual(uses(), [{ uses: 1 }]);
  await jobs.delete(job(3).id);
  while ((await records.sweep(T0 + 1_000, 10)).deleted > 0);
  assert.equal(await records.get(other, null), null);
  assert.deepEqual(uses(), []);
});
