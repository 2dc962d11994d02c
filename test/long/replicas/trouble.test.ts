import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startTarget } from '../../full/replicas/replicas.ts';
import { startCluster } from '../../helpers/cluster.ts';
import { noPostgres, startPostgres } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { Problem } from '../../helpers/wire-types.ts';

interface Answer extends Partial<Problem> {
  readonly id: string;
}

describe('two services, and trouble with what they share', { skip: noPostgres }, () => {
  const site = useSite();

  test('PostgreSQL stops and crashes: clear 503s, nothing acknowledged is lost, and all is well afterwards', async () => {
    const postgres = await startPostgres();
    await using cluster = await startCluster(['all', 'all'], {
      SLUICE_DATABASE_URL: await postgres.createDatabase(),
    });
    const stored: string[] = [];
    const refused: string[] = [];
    let isRunning = true;
    let count = 0;
    const caller = async () => {
      while (isRunning) {
        const body = { url: `${site.url}/text?n${count++}`, scraper: 'http' };
        const reply = await cluster.random().api<Answer>('POST', '/api/v1/scrape/', { body });
        if (reply.status === 200) stored.push(reply.body.id);
        else refused.push(`${reply.status} ${reply.body.code ?? JSON.stringify(reply.body)}`);
        await pause(20);
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    const isWell = async () => {
      const replies = await Promise.all(
        cluster.replicas.map(({ api }) =>
          api('POST', '/api/v1/scrape/', { body: { url: `${site.url}/text`, scraper: 'http' } }),
        ),
      );
      return replies.every(({ status }) => status === 200);
    };
    try {
      for (const how of ['fast', 'immediate'] as const) {
        await eventually(async () => stored.length > 0);
        await postgres.stop(how);
        const before = refused.length;
        await eventually(async () => refused.length > before + 10);
        await postgres.start();
        // After a crash nobody knows for ten seconds who holds what.
        await eventually(isWell);
      }
    } finally {
      isRunning = false;
    }
    await Promise.all(callers);
    const kinds = [...new Set(refused)].toSorted();
    for (const kind of kinds) assert.match(kind, /^503 service\.(storage|unavailable)$/, kinds.join(', '));
    for (const id of stored) {
      const { status } = await cluster.random().api('GET', `/api/v1/scrape/${id}/`);
      assert.equal(status, 200, `${id} was acknowledged`);
    }
    await cluster[Symbol.asyncDispose]();
    await postgres.close();
  });

  test('Redis stops and comes back: never a 51st, and no request fails for longer than the services need to agree', {
    skip: noRedis,
  }, async (t) => {
    /** Responses that the target holds back until all callers of a round are there. */
    const held = new Set<ServerResponse>();
    const target = await startTarget(t, (_, response) => {
      held.add(response);
      response.once('close', () => held.delete(response));
    });
    const redis = await startRedis();
    await using cluster = await startCluster(['all', 'all'], { SLUICE_REDIS_URL: redis.url });
    const call = () =>
      cluster.random().api<Answer>('POST', '/api/v1/scrape/', {
        body: { url: `${target.url}/x`, scraper: 'http', timeout_ms: 60_000 },
      });
    const round = async () => {
      let replied = 0;
      const calls = Array.from({ length: 60 }, () => call().finally(() => replied++));
      await eventually(() => target.inFlight + replied === 60);
      for (const response of held) response.end('ok');
      const replies = await Promise.all(calls);
      for (const { status, body } of replies)
        assert.ok(
          status === 200 || status === 429 || (status === 503 && body.code === 'service.unavailable'),
          JSON.stringify(body),
        );
      return replies.filter(({ status }) => status === 200).length;
    };
    assert.equal(await round(), 50);
    await redis.stop();
    await eventually(async () => (await round()) === 50);
    await redis.start();
    await eventually(async () => (await round()) === 50);
    assert.ok(target.maxInFlight <= 50, `${target.maxInFlight} at once`);
    await cluster[Symbol.asyncDispose]();
  });
});
