import type { RedisAddress } from '../../domain/redis-address.ts';
import type { Coordination } from '../../ports/coordination.ts';
import type { StorageError } from '../../ports/store.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../postgres/postgres.ts';
import { createPostgresBus, createPostgresCounters, createPostgresValues } from './postgres-coordination.ts';
import { createPostgresLimits, createReplicaRegistry } from './postgres-limits.ts';
import { RedisLimits } from './redis-limits.ts';
import { createRedisValues } from './redis-values.ts';
import { ReplicatedLimits } from './shared-limits.ts';
import { createReplicatedValues } from './shared-values.ts';

interface CoordinationOptions {
  /** null: PostgreSQL counts. */
  readonly redis: RedisAddress | null;
  /** Where the database is, which has the schema already. */
  readonly database: PostgresOptions;
  /** The connections of the store to it, for what may wait for other work: all but leases and limits. Default: those of the limits. */
  readonly shared?: Postgres | undefined;
  /** Called when Redis can no longer be reached, and with null when it can; also once at the start. */
  readonly onRedis?: (problem: StorageError | null) => void;
}

/** One exchange of limits runs at a time; the other one is for questions. */
const CONNECTIONS = 2;
/** A renewal that takes longer is sent again on another connection. */
const RENEWAL_TIMEOUT_MS = 2_000;

/**
 * Joins the replicas that share a database. Leases and limits have connections of their own, so that no other work delays them.
 * Rejects with `StorageError` if the database cannot be reached.
 */
export async function openCoordination({
  database: options,
  shared,
  redis: address,
  onRedis = () => {},
}: CoordinationOptions): Promise<Coordination> {
  await using opened = new AsyncDisposableStack();
  const database = openPostgres({ ...options, readUrl: null, connections: CONNECTIONS });
  opened.defer(() => database.close());
  const renewals = openPostgres({
    ...options,
    readUrl: null,
    connections: 1,
    queryTimeoutMs: RENEWAL_TIMEOUT_MS,
  });
  opened.defer(() => renewals.close());
  const postgresLimits = createPostgresLimits(database);
  const redis = address === null ? null : await openRedisLimits(opened, address, database);
  const limits = new ReplicatedLimits({
    registry: createReplicaRegistry(renewals),
    redis,
    onRedis,
    serverOf: (redisRun) => (redis === null || redisRun === null ? postgresLimits : redis.server(redisRun)),
  });
  opened.defer(() => limits.close());
  await limits.open();
  const others = shared ?? database;
  const keptValues = createPostgresValues(others);
  const disposables = opened.move();
  return {
    limits,
    counters: createPostgresCounters(others),
    values:
      redis === null
        ? keptValues
        : createReplicatedValues({
            limits,
            postgres: keptValues,
            redis: (redisRun, epoch) => createRedisValues(redis.scripts(redisRun, epoch)),
          }),
    keptValues,
    bus: createPostgresBus(others),
    counter: () => limits.counter(),
    close: () => disposables.disposeAsync(),
  };
}

async function openRedisLimits(
  opened: AsyncDisposableStack,
  address: RedisAddress,
  database: Postgres,
): Promise<RedisLimits> {
  const [result] = await database.write([['SELECT installation FROM coordination_epoch', []]]);
  // Loaded here, because its library takes a tenth of a second, and most installations have no Redis.
  const { connectRedis } = await import('./redis.ts');
  const connection = connectRedis(address);
  opened.defer(() => connection.close());
  await connection.connected;
  return new RedisLimits(connection, (result!.rows[0] as { installation: string }).installation);
}
