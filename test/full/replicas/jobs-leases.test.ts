import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { endOf, jobOf, startBatch } from '../../end-to-end/job-calls.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';
import { allResults, batchOf, ENV, PER_HOST, startReplicas, startTarget } from './replicas.ts';

describe('leases of items on several services', { skip: noPostgres }, () => {
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
    process.kill(paused!.pid, 'SIGSTOP');
    isSlow = false;
    await pause(15_000);
    process.kill(paused!.pid, 'SIGCONT');
    const job = await endOf(first!, id);
    assert.equal(job.counts.ok, PER_HOST);
    await pause(1_000);
    const results = await allResults(first!, id);
    assert.equal(new Set(results.map(({ url }) => url)).size, PER_HOST);
    assert.deepEqual((await jobOf(paused!, id)).outcomes, { ok: PER_HOST });
  });

  test('a service that stops ends its items itself, even if they take longer than a lease', async (t) => {
    const target = await startTarget(t, (_, response) => {
      setTimeout(() => response.end('ok'), 12_000);
    });
    const { services } = await startReplicas(t, 2, ENV);
    const [first, stopped] = services;
    const id = await startBatch(first!, batchOf(target.url, 'x', PER_HOST));
    await eventually(async () => target.inFlight === PER_HOST);
    await stopped!.stop();
    assert.equal((await endOf(first!, id)).counts.ok, PER_HOST);
    assert.ok([...target.requests.values()].every((count) => count === 1));
  });
});
