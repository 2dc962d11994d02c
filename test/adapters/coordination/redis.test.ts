import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { parseRedisUrl } from '../../../src/domain/redis-address.ts';
import { limitsContract, valuesContract } from '../../contracts/coordination.ts';
import { redisReplicas } from '../../helpers/coordination.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, type RedisServer, startRedis } from '../../helpers/redis.ts';

let server: Promise<RedisServer> | null = null;

describe('Redis', { skip: noPostgres || noRedis }, () => {
  const open = async (t: TestContext) => {
    server ??= startRedis();
    return redisReplicas(t, (await server).url);
  };
  limitsContract('Redis', open);
  valuesContract('Redis', open);
});

test('the text of SLUICE_REDIS_URL', () => {
  const single = {
    hosts: [{ host: 'redis', port: 6379 }],
    tls: false,
    username: undefined,
    password: undefined,
    db: 0,
    kind: 'single',
    master: '',
  };
  assert.deepEqual(parseRedisUrl('redis://redis'), single);
  assert.deepEqual(parseRedisUrl('rediss://me:p%40ss:1@[::1]:7000/3'), {
    ...single,
    ...{ hosts: [{ host: '::1', port: 7000 }], tls: true, username: 'me', password: 'p@ss:1', db: 3 },
  });
  assert.deepEqual(parseRedisUrl('redis://:secret@a:1,b:2?cluster'), {
    ...single,
    ...{ password: 'secret', kind: 'cluster' },
    hosts: [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ],
  });
  assert.deepEqual(parseRedisUrl('redis://a,b:2/1?sentinel=main'), {
    ...single,
    ...{ kind: 'sentinel', master: 'main', db: 1 },
    hosts: [
      { host: 'a', port: 26379 },
      { host: 'b', port: 2 },
    ],
  });
  for (const wrong of [
    'http://a',
    'redis://',
    'redis://a,b',
    'redis://a?sentinel',
    'redis://a/1?cluster',
    'redis://a:b:c',
    'redis://%zz@a',
  ])
    assert.equal(typeof parseRedisUrl(wrong), 'string', wrong);
});
