import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { endOf, jobOf, resultsOf, startBatch } from '../../end-to-end/job-calls.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { eventually, type Service } from '../../helpers/service.ts';
import { startReplicas, startTarget } from './replicas.ts';

/** Items of a batch that run on one host (contract §13). It takes two services. */
const PER_HOST = 8;
const PER_SERVICE = 5;
const ENV = { SLUICE_JOB_CONCURRENCY: String(PER_SERVICE) };

const batchOf = (url: string, name: string, count: number, more: object = {}) => ({
  requests: Array.from({ length: count }, (_, n) => ({ url: `${url}/${name}/${n}` })),
  defaults: { scraper: 'http' },
  ...more,
});

async function allResults(service: Service, id: string) {
  const all = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await resultsOf(service, id, `?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

describe('jobs on several services', { skip: noPostgres }, () => {
  test('one is killed, another comes: nothing is lost, nothing is stored twice, the limit of the host holds', async (t) => {
    const COUNT = 500;
    const target = await startTarget(t, (_, response) => {
      setTimeout(() => response.end('ok'), 5);
    });
    const { services, add } = await startReplicas(t, 3, ENV);
    const [first, , killed] = services;
    const ids = await Promise.all(
      ['a', 'b'].map((name) => startBatch(first!, batchOf(target.url, name, COUNT))),
    );
    await eventually(async () => target.requests.size > COUNT / 2, 30_000);
    await killed!.kill9();
    await add();
    for (const [index, id] of ids.entries()) {
      await eventually(async () => (await jobOf(first!, id)).state === 'done', 60_000);
      const job = await jobOf(first!, id);
      assert.deepEqual(job.counts, { found: COUNT, queued: 0, running: 0, ok: COUNT, failed: 0, skipped: 0 });
      assert.deepEqual(job.outcomes, { ok: COUNT });
      const results = await allResults(first!, id);
      assert.deepEqual(
        results.map(({ n }) => n),
        Array.from({ length: COUNT }, (_, n) => n + 1),
      );
      assert.equal(new Set(results.map(({ url }) => url)).size, COUNT);
      assert.equal(new Set(results.map(({ scrape }) => scrape)).size, COUNT);
      const paths = [...target.requests.keys()].filter((path) => path.startsWith(`/${'ab'[index]}/`));
      assert.equal(paths.length, COUNT);
    }
    // Only what the killed one had under way was requested again.
    const again = [...target.requests.values()].filter((count) => count > 1);
    assert.ok(again.length <= PER_SERVICE && again.every((count) => count === 2), `${again}`);
    assert.ok(target.maxInFlight <= PER_HOST, `${target.maxInFlight} at once`);
    assert.ok(target.maxInFlight > PER_SERVICE, 'only one service worked');
  });

  test('a job is cancelled on all services within a second; a service that stops hands its items back', async (t) => {
    const target = await startTarget(t, () => {});
    const { services } = await startReplicas(t, 2, ENV);
    const [first, second] = services;
    const id = await startBatch(first!, batchOf(target.url, 'x', 20));
    await eventually(async () => target.inFlight === PER_HOST);
    const cancelledAt = performance.now();
    await first!.api('DELETE', `/api/v1/jobs/${id}/`);
    await eventually(async () => target.inFlight === 0);
    assert.ok(performance.now() - cancelledAt < 1_000);
    const next = await startBatch(first!, batchOf(target.url, 'y', 2 * PER_SERVICE, { name: 'y' }));
    await eventually(async () => target.inFlight === PER_HOST);
    await second!.stop();
    // Sooner than a lease ends.
    await eventually(async () => target.inFlight === PER_SERVICE, 8_000);
    const { counts } = await jobOf(first!, next);
    assert.deepEqual([counts.running, counts.queued], [PER_SERVICE, PER_SERVICE]);
  });

  test('a service that was paused stores nothing of what it lost', async (t) => {
    let isSlow = true;
    const target = await startTarget(t, (_, response) => {
      if (!isSlow) response.end('ok');
      else setTimeout(() => response.end('late'), 14_000);
    });
    const { services } = await startReplicas(t, 2, ENV);
    const [first, paused] = services;
    const id = await startBatch(first!, batchOf(target.url, 'x', PER_HOST));
    await eventually(async () => target.inFlight === PER_HOST);
    const { pid } = paused!;
    process.kill(pid, 'SIGSTOP');
    isSlow = false;
    await pause(15_000);
    process.kill(pid, 'SIGCONT');
    const job = await endOf(first!, id);
    assert.equal(job.counts.ok, PER_HOST);
    await pause(1_000);
    const results = await allResults(first!, id);
    assert.equal(new Set(results.map(({ url }) => url)).size, PER_HOST);
    assert.deepEqual((await jobOf(paused!, id)).outcomes, { ok: PER_HOST });
  });
});
