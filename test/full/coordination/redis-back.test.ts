import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { takeAll, twoReplicas } from '../../helpers/coordination.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';
import { eventually } from '../../helpers/service.ts';

describe('Redis is back', { skip: noPostgres || noRedis }, () => {
  test('after it was well for half a minute, Redis counts again', async (t) => {
    const redis = await startRedis();
    const [one, two] = await twoReplicas(t, redis);
    await redis.stop();
    const held = await takeAll([one, two]);
    assert.equal(held.length, 50);
    await one.values.update('may be lost', () => ({ value: 'x', ttlMs: 60_000 }));
    await redis.start();
    const startedAt = performance.now();
    await eventually(() => one.counter() === 'redis' && two.counter() === 'redis', 50_000);
    assert.ok(performance.now() - startedAt > 25_000);
    assert.equal(await two.values.get('may be lost'), null);
    held.pop()!.release();
    assert.equal((await takeAll([one, two])).length, 1, 'what was held in between counts');
  });
});
