import type { Coordination } from '../../ports/coordination.ts';
import { openPostgres, type PostgresOptions } from '../postgres/postgres.ts';
import { createPostgresBus, createPostgresCounters, createPostgresValues } from './postgres-coordination.ts';
import { createPostgresLimits, createReplicaRegistry } from './postgres-limits.ts';
import { ReplicatedLimits } from './shared-limits.ts';

interface CoordinationOptions {
  /** null: PostgreSQL counts. */
  readonly redisUrl?: string | null;
  /** Where the database is, which has the schema already. */
  readonly database: PostgresOptions;
}

const CONNECTIONS = 4;
/** A renewal that takes longer is sent again on another connection. */
const RENEWAL_TIMEOUT_MS = 2_000;

/**
 * Joins the replicas that share a database. Its connections are its own, so that no other work delays a lease. Rejects with
 * `StorageError` if the database cannot be reached.
 */
export async function openCoordination({ database: options }: CoordinationOptions): Promise<Coordination> {
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
  const limits = new ReplicatedLimits({
    registry: createReplicaRegistry(renewals),
    serverOf: () => postgresLimits,
    redisWell: () => false,
  });
  opened.defer(() => limits.close());
  await limits.open();
  const disposables = opened.move();
  return {
    limits,
    counters: createPostgresCounters(database),
    values: createPostgresValues(database),
    bus: createPostgresBus(database),
    close: () => disposables.disposeAsync(),
  };
}
