import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { limitsContract, valuesContract } from '../../contracts/coordination.ts';
import { redisReplicas, takeAll } from '../../helpers/coordination.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, type RedisServer, startRedis } from '../../helpers/redis.ts';
import { eventually } from '../../helpers/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-sentinel-'));
after(() => rmSync(folder, { recursive: true }));

describe('Redis with a sentinel', { skip: noPostgres || noRedis }, () => {
  let master: RedisServer;
  let url: string;
  before(async () => {
    master = await startRedis();
    const replica = await startRedis(['--replicaof', `127.0.0.1 ${master.port}`]);
    await eventually(async () =>
      (await replica.command('INFO replication')).includes('master_link_status:up'),
    );
    const file = join(folder, 'sentinel.conf');
    writeFileSync(
      file,
      `sentinel monitor main 127.0.0.1 ${master.port} 1
sentinel down-after-milliseconds main 1000
sentinel failover-timeout main 3000
`,
    );
    const sentinel = await startRedis(['--sentinel'], [file]);
    // It learns about the replica from the master.
    await eventually(async () =>
      (await sentinel.command('SENTINEL replicas main')).includes(String(replica.port)),
    );
    url = `redis://127.0.0.1:${sentinel.port}?sentinel=main`;
  });

  test('another master: PostgreSQL counts what is held, and the new master counts for others', async (t) => {
    const open = await redisReplicas(t, url);
    const replicas = [await open(), await open()];
    const held = await takeAll(replicas);
    assert.equal(held.length, 50);
    await master.stop();
    for (const holding of held.splice(0, 20)) holding.release();
    assert.equal((await takeAll(replicas)).length, 20);
    for (const replica of replicas) assert.equal(replica.counter(), 'postgresql');
    const another = await redisReplicas(t, url);
    await another();
  });

  const open = (t: TestContext) => redisReplicas(t, url);
  limitsContract('the new master', open);
  valuesContract('the new master', open);
});
