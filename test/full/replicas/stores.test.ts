import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openPostgres } from '../../../src/adapters/postgres/postgres.ts';
import { retryPart } from '../../../src/adapters/store/postgres/jobs/change-jobs.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import { RETRIED_ROWS } from '../../../src/adapters/store/queries/jobs/retry-in-parts.ts';
import { idBytes } from '../../../src/adapters/store/schema/tables.ts';
import type { ItemEnd } from '../../../src/ports/jobs.ts';
import type { Store } from '../../../src/ports/store.ts';
import { afterwards } from '../../adapters/temp.ts';
import { monitor } from '../../contracts/monitor-store.ts';
import { ended, idAt, item, job, record, T0 } from '../../contracts/samples.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';

const LIMITS = { openJobs: 100, queuedItems: 100_000 };

/** Stores of one new database, as several services open it. */
async function openStores(t: TestContext, count: number): Promise<readonly [Store, ...Store[]]> {
  const options = { url: await testDatabase(), directUrl: null, readUrl: null };
  const stores = await Promise.all(
    Array.from({ length: count }, async () => {
      const store = await openPostgresStore(options);
      afterwards(t, () => store.close());
      return store;
    }),
  );
  return stores as [Store, ...Store[]];
}

async function startJob({ jobs }: Store, n: number, urls: readonly string[], change = {}): Promise<string> {
  const settings = job(n, change);
  await jobs.create(settings);
  await jobs.add(
    settings.id,
    urls.map((url) => item(url)),
    T0,
  );
  assert.equal(await jobs.start(settings.id, T0, LIMITS), null);
  return settings.id;
}

const claimOf = (id: string, limit: number, perHost: number) => ({
  jobs: [{ id, limit }],
  now: T0,
  leaseUntil: T0 + 10_000,
  perHost,
});

describe('several stores on one PostgreSQL', { skip: noPostgres }, () => {
  test('the limit of a host holds over jobs that are claimed at the same moment', async (t) => {
    const stores = await openStores(t, 4);
    const urls = Array.from({ length: 100 }, (_, n) => `https://${'ab'[n % 2]}.test/${n}`);
    const ids: string[] = [];
    for (const n of stores.keys()) ids.push(await startJob(stores[0], n + 1, urls));
    for (let round = 0; round < 30; round++) {
      const claims = await Promise.all(stores.map(({ jobs }, n) => jobs.claim(claimOf(ids[n]!, 5, 3))));
      const items = claims.flatMap((claim) => claim.items);
      const onA = items.filter(({ host }) => host === 'a.test').length;
      assert.ok(onA <= 3 && items.length - onA <= 3, `${onA} of ${items.length} on a.test`);
      assert.ok(items.length > 0);
      await Promise.all(claims.map(({ items: own }, n) => stores[n]!.jobs.end(own.map((one) => ended(one)))));
    }
  });

  test('items of one job are claimed once and end once, whoever works on it', async (t) => {
    const stores = await openStores(t, 4);
    const COUNT = 400;
    const urls = Array.from({ length: COUNT }, (_, n) => `https://${n % 7}.test/${n}`);
    const id = await startJob(stores[0], 1, urls, { perHost: 100 });
    const claimed: string[] = [];
    let records = 0;
    await Promise.all(
      stores.map(async ({ jobs }) => {
        for (;;) {
          const { items } = await jobs.claim(claimOf(id, 9, 100));
          if (items.length === 0) return;
          claimed.push(...items.map(({ url }) => url));
          // Some contents are the same, in a different order.
          const ends = items.map((one, index) => {
            const content = Buffer.alloc(2_000, String((records + index) % 5));
            return ended(one, { record: record(10_000 + records++, { content }) });
          });
          assert.ok((await jobs.end(ends)).every((result) => result === 'stored'));
        }
      }),
    );
    assert.deepEqual(claimed.toSorted(), urls.toSorted());
    const { state, counts } = (await stores[0].jobs.get(id, null))!;
    assert.deepEqual([state, counts.ok, counts.running], ['done', COUNT, 0]);
    const numbers = (await stores[0].jobs.results(id, 0, COUNT + 1)).map(({ n }) => n);
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, index) => index + 1),
    );
  });

  test('a lease that was lost to another store stores nothing, after whatever way it was lost', async (t) => {
    const [first, second] = await openStores(t, 2);
    const id = await startJob(first, 1, ['https://a.test/']);
    const interrupted = { code: 'job.interrupted', message: 'The process ended.' };
    const [{ items: claimed }] = [await first.jobs.claim(claimOf(id, 1, 9))];
    const late = ended(claimed[0]!, { record: record(50), found: [item('https://a.test/found')] });
    assert.equal(await second!.jobs.recover(T0 + 10_001, false, interrupted), 1);
    assert.deepEqual(await first.jobs.end([late]), ['lost']);
    const { items: again } = await second!.jobs.claim({ ...claimOf(id, 1, 9), now: T0 + 20_000 });
    assert.deepEqual(await first.jobs.end([late]), ['lost']);
    assert.deepEqual(await first.jobs.renew(claimed, T0 + 99_000), claimed);
    await first.jobs.release(claimed, T0);
    assert.equal((await first.jobs.get(id, null))!.counts.running, 1);
    assert.deepEqual(await second!.jobs.end([ended(again[0]!)]), ['stored']);
    assert.equal(await first.records.get(record(50).id, null), null);
    assert.equal((await first.jobs.get(id, null))!.counts.ok, 1);
  });

  test('a change of a job is heard in other stores', async (t) => {
    const [first, second] = await openStores(t, 2);
    const heard: string[] = [];
    second!.jobs.listen((id) => heard.push(id));
    // The listener connects on its own.
    let n = 0;
    await eventually(async () => {
      await startJob(first, ++n, ['https://a.test/']);
      return heard.length > 0;
    });
    const id = await startJob(first, ++n, ['https://a.test/']);
    await first.jobs.cancel(id, T0);
    await eventually(() => heard.filter((one) => one === id).length === 2);
    assert.deepEqual(await second!.jobs.stopped([id, job(1).id, idAt(T0 + 5_000)]), [id, idAt(T0 + 5_000)]);
  });

  test('a retry of failed items that ends after its first part leaves the job as it was; the next one does the rest', async (t) => {
    const url = await testDatabase();
    const options = { url, directUrl: null, readUrl: null };
    const store = await openPostgresStore(options);
    afterwards(t, () => store.close());
    const postgres = openPostgres(options);
    afterwards(t, () => postgres.close());
    const { jobs } = store;
    const urls = Array.from({ length: 2 * RETRIED_ROWS }, (_, n) => `https://a.test/${n}`);
    const id = await startJob(store, 1, urls, { perHost: urls.length });
    const claim = claimOf(id, urls.length, urls.length);
    const { items } = await jobs.claim(claim);
    const failed = { state: 'failed', outcome: 'failed', error: { code: 'dns.not_found', message: 'x' } };
    await jobs.end(items.map((one) => ended(one, failed as Partial<ItemEnd>)));

    const part = await postgres.transaction((connection) => retryPart(connection, idBytes(id), 0, T0));
    assert.equal(part?.count, RETRIED_ROWS);
    assert.partialDeepStrictEqual(await jobs.get(id, null), {
      state: 'done',
      counts: { queued: RETRIED_ROWS, failed: RETRIED_ROWS },
    });
    assert.deepEqual((await jobs.claim(claim)).items, [], 'the job has ended');
    assert.equal(await jobs.retryFailed(id, T0), RETRIED_ROWS);
    assert.equal((await jobs.claim(claim)).items.length, urls.length);
  });

  test('of services that begin a due run of a monitor at once, one does', async (t) => {
    const stores = await openStores(t, 4);
    await stores[0].monitors.create(monitor(1), 5);
    const { id } = monitor(1);
    for (let round = 0; round < 10; round++) {
      const [dueAt, nextAt] = [T0 + 100 + round, T0 + 101 + round];
      const begun = await Promise.all(
        stores.map(({ monitors }, n) =>
          monitors.begin(id, { dueAt, nextAt, jobId: idAt(T0 + 500 + 10 * round + n), now: T0 }),
        ),
      );
      assert.equal(begun.filter((number) => number !== null).length, 1);
    }
    assert.equal((await stores[0].monitors.runs(id, 100, null)).length, 10);
  });

  test('deliveries are claimed once, within the limit of their receiver', async (t) => {
    const stores = await openStores(t, 4);
    const webhook = {
      source: 'job' as const,
      receiver: 'anna https://r.test',
      events: ['page' as const],
      spec: new Uint8Array([7]),
    };
    const urls = Array.from({ length: 60 }, (_, n) => `https://a.test/${n}`);
    const id = await startJob(stores[0], 1, urls, { webhook, perHost: 100 });
    const { items } = await stores[0].jobs.claim(claimOf(id, 100, 100));
    await stores[0].jobs.end(items.map((one) => ended(one)));
    const claimed: number[] = [];
    while (claimed.length < urls.length) {
      const claim = {
        now: T0,
        leaseUntil: T0 + 10_000,
        limit: 10,
        perReceiver: 6,
        breakAfter: 9,
        breakMs: 1,
      };
      const claims = await Promise.all(stores.map(({ webhooks }) => webhooks.claim(claim)));
      const all = claims.flat();
      assert.ok(all.length > 0 && all.length <= 6, `${all.length} at once`);
      claimed.push(...all.map(({ number }) => number));
      for (const { number, lease } of all) {
        const end = { number, lease, result: 'delivered' as const, nextAt: 0, now: T0 };
        await stores[1]!.webhooks.end({ ...end, status: 200, error: null, durationMs: 1, answer: null });
      }
    }
    assert.equal(new Set(claimed).size, urls.length);
  });
});
