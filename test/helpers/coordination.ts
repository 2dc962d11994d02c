import type { TestContext } from 'node:test';
import { openCoordination } from '../../src/adapters/coordination/open-coordination.ts';
import { migratePostgres } from '../../src/adapters/store/postgres/migrate.ts';
import { parseRedisUrl } from '../../src/domain/redis-address.ts';
import type { Coordination, Holding } from '../../src/ports/coordination.ts';
import { testDatabase } from './postgres.ts';
import type { RedisServer } from './redis.ts';
import { eventually } from './service.ts';

/** A database with the schema. @returns its URL */
export async function replicaDatabase(): Promise<string> {
  const url = await testDatabase();
  await migratePostgres({ url, directUrl: null });
  return url;
}

/** Another replica on this database, until the test ends. */
export async function openReplica(t: TestContext, url: string, redisUrl?: string): Promise<Coordination> {
  const redis = redisUrl === undefined ? null : parseRedisUrl(redisUrl);
  if (typeof redis === 'string') throw new Error(redis);
  const coordination = await openCoordination({ database: { url, directUrl: null, readUrl: null }, redis });
  t.after(() => coordination.close());
  return coordination;
}

/** Opens replicas on a new database, each when Redis counts for it. */
export async function redisReplicas(t: TestContext, redisUrl: string): Promise<() => Promise<Coordination>> {
  const url = await replicaDatabase();
  return async () => {
    const replica = await openReplica(t, url, redisUrl);
    await eventually(() => replica.counter() === 'redis');
    return replica;
  };
}

const CLAIMS = [{ name: 'user:1', limit: 50 }];

/** Takes as many of 50 places as there are. Rejects if one caller was neither served nor refused within ten seconds. */
export async function takeAll(replicas: readonly Coordination[]): Promise<Holding[]> {
  const taken = await Promise.all(
    Array.from({ length: 60 }, (_, n) => replicas[n % replicas.length]!.limits.take(CLAIMS)),
  );
  return taken.filter((holding) => holding !== null);
}

/** Two replicas, for which Redis counts. */
export async function twoReplicas(t: TestContext, redis: RedisServer): Promise<[Coordination, Coordination]> {
  const url = await replicaDatabase();
  const replicas: [Coordination, Coordination] = [
    await openReplica(t, url, redis.url),
    await openReplica(t, url, redis.url),
  ];
  for (const replica of replicas) await eventually(() => replica.counter() === 'redis');
  return replicas;
}
