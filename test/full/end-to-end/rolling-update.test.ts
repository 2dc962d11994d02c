import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster, startLoadBalancer } from '../../helpers/cluster.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { Problem } from '../../helpers/wire-types.ts';

describe('a rolling update', { skip: noPostgres }, () => {
  const site = useSite();

  test('under load: no request fails, and no item of a job is lost or done twice', async () => {
    await using cluster = await startCluster(['api', 'api', 'worker']);
    await using balancer = await startLoadBalancer(cluster);
    const failures: string[] = [];
    let count = 0;
    let isRunning = true;
    const caller = async (number: number, change: object) => {
      while (isRunning) {
        const body = { url: `${site.url}/text?load${number}-${count++}`, ...change };
        const reply = await balancer.api<Partial<Problem>>('POST', '/api/v1/scrape/', { body });
        if (reply.status !== 200)
          failures.push(`${reply.status} ${JSON.stringify(reply.body).slice(0, 500)}`);
        await pause(20);
      }
    };
    const urls = Array.from({ length: 300 }, (_, index) => `${site.url}/text?item${index}`);
    await eventually(
      async () => (await balancer.api<{ status: string }>('GET', '/readyz')).body.status === 'ok',
    );
    const job = await balancer.api<{ id: string }>('POST', '/api/v1/batches/', {
      body: { requests: urls.map((url) => ({ url })) },
    });
    const callers = [1, 2, 3].map((number) => caller(number, {}));
    callers.push(caller(4, { scraper: 'browser', timeout_ms: 60_000 }));
    for (const old of [...cluster.replicas]) {
      await cluster.start(old.role);
      await cluster.stop(old);
    }
    isRunning = false;
    await Promise.all(callers);
    assert.deepEqual(failures, []);
    assert.ok(count > 100, `${count} requests`);
    const path = `/api/v1/jobs/${job.body.id}/`;
    const done = await eventually(async () => {
      const { body } = await balancer.api<{ state: string; counts: Record<string, number> }>('GET', path);
      return body.state === 'done' && body;
    }, 30_000);
    assert.equal(done.counts.ok, urls.length, JSON.stringify(done));
    const seen = site.log.filter(({ url }) => url.startsWith('/text?item')).map(({ url }) => url);
    assert.equal(new Set(seen).size, urls.length);
  });
});
