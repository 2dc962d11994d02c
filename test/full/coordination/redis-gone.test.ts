import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { takeAll, twoReplicas } from '../../helpers/coordination.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';

describe('Redis gone', { skip: noPostgres || noRedis }, () => {
  for (const how of ['killed', 'stopped', 'emptied'] as const)
    test(`${how}: PostgreSQL counts, nothing held is lost, and none is given twice`, async (t) => {
      const redis = await startRedis();
      const [one, two] = await twoReplicas(t, redis);
      const held = await takeAll([one, two]);
      assert.equal(held.length, 50);
      const set = (value: string) => () => ({ value, ttlMs: 60_000 });
      await one.values.update('may be lost', set('x'));
      await one.keptValues.update('kept', set('x'));
      assert.equal(await two.values.get('may be lost'), 'x');
      if (how === 'killed') await redis.stop();
      else if (how === 'stopped') redis.signal('SIGSTOP');
      else await redis.command('FLUSHALL');
      for (const holding of held.splice(0, 20)) holding.release();
      const begun = performance.now();
      const further = await takeAll([one, two]);
      assert.equal(further.length, 20, 'what is still held counts');
      assert.ok(performance.now() - begun < 10_000, 'within ten seconds');
      for (const replica of [one, two]) {
        assert.equal(replica.counter(), 'postgresql');
        assert.equal(await replica.values.get('may be lost'), null);
        assert.equal(await replica.keptValues.get('kept'), 'x');
      }
      await one.values.update('may be lost', set('y'));
      assert.equal(await two.values.get('may be lost'), 'y');
      for (const holding of [...held, ...further]) {
        assert.equal(holding.signal.aborted, false);
        holding.release();
      }
      await one.limits.inUse('');
      assert.equal(await two.limits.inUse('user:1'), 0);
    });
});
