import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { jobOf, startBatch } from '../../end-to-end/job-calls.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';
import { allResults, batchOf, ENV, PER_HOST, PER_SERVICE, startReplicas, startTarget } from './replicas.ts';

/** With `LONG=1` as the plan of the service asks: 100,000 items and many kills. */
const LONG = process.env.LONG === '1';
const COUNT = LONG ? 50_000 : 200;
const KILLS = LONG ? 20 : 1;
const MOST_MS = LONG ? 3_600_000 : 120_000;

describe('jobs on several services', { skip: noPostgres }, () => {
  test(`${2 * COUNT} items, ${KILLS} killed, others come: nothing is lost or stored twice, the limit of the host holds`, async (t) => {
    // The target answers only after it had more requests at once than one service makes: several services work.
    const held: ServerResponse[] = [];
    const target = await startTarget(t, (_, response) => {
      held.push(response);
      if (target.maxInFlight <= PER_SERVICE) return;
      const due = held.splice(0);
      setTimeout(() => {
        for (const each of due) each.end('ok');
      }, 5);
    });
    const { services, add } = await startReplicas(t, 3, ENV);
    const [first] = services;
    const others = services.slice(1);
    const ids = await Promise.all(
      ['a', 'b'].map((name) => startBatch(first!, batchOf(target.url, name, COUNT))),
    );
    for (let kill = 1; kill <= KILLS; kill++) {
      const reached = (2 * COUNT * kill) / (2 * KILLS + 1);
      await eventually(async () => target.requests.size > reached, MOST_MS);
      await others.shift()!.kill9();
      others.push(await add());
    }
    for (const [index, id] of ids.entries()) {
      await eventually(async () => (await jobOf(first!, id)).state === 'done', MOST_MS);
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
    // Only what those that were killed had under way was requested again.
    const again = [...target.requests.values()].filter((count) => count > 1);
    assert.ok(again.length <= KILLS * PER_SERVICE && again.every((count) => count <= 1 + KILLS), `${again}`);
    assert.ok(target.maxInFlight <= PER_HOST, `${target.maxInFlight} at once`);
  });

  test('a job is cancelled on all services; a service that stops hands its items back', async (t) => {
    const target = await startTarget(t, () => {});
    const { services } = await startReplicas(t, 2, { ...ENV, SLUICE_DRAIN_SECONDS: '1' });
    const [first, second] = services;
    const id = await startBatch(first!, batchOf(target.url, 'x', 20));
    await eventually(async () => target.inFlight === PER_HOST);
    await first!.api('DELETE', `/api/v1/jobs/${id}/`);
    await eventually(async () => target.inFlight === 0);
    const next = await startBatch(first!, batchOf(target.url, 'y', 2 * PER_SERVICE, { name: 'y' }));
    await eventually(async () => target.inFlight === PER_HOST);
    await second!.stop();
    await eventually(async () => target.inFlight === PER_SERVICE);
    const { counts } = await jobOf(first!, next);
    assert.deepEqual([counts.running, counts.queued], [PER_SERVICE, PER_SERVICE]);
  });
});
