import type { Postgres } from '../postgres/postgres.ts';
import type { Exchange, ExchangeResult, LimitServer, Renewal, ReplicaRegistry } from './limit-server.ts';

export function createPostgresLimits(database: Postgres): LimitServer {
  const sum = async (condition: string, parameters: readonly unknown[]): Promise<number> => {
    const [result] = await database.write([
      [
        `SELECT coalesce(sum(p.count), 0) AS total FROM limit_places p JOIN limit_replicas r ON r.id = p.replica
         WHERE p.epoch = ? AND r.lease_ends > clock_timestamp() AND ${condition}`,
        parameters,
      ],
    ]);
    return (result!.rows[0] as { total: number }).total;
  };
  return {
    // The registry has renewed it in the same database, and an exchange finds out whether data was lost.
    renew: async () => 'renewed',
    // So does the registry.
    leave: async () => {},
    async exchange(exchange) {
      const [result] = await database.write([
        ['SELECT * FROM limits_exchange(?, ?, ?, ?, ?, ?, ?, ?, ?)', exchangeParameters(exchange)],
      ]);
      return (result!.rows[0] as ExchangeResult | undefined) ?? null;
    },
    inUse: (epoch, name) => sum('p.name = ?', [epoch, name]),
    inUseBelow: (epoch, prefix) => sum('starts_with(p.name, ?)', [epoch, prefix]),
  };
}

/** Indexes of PostgreSQL begin at 1. */
function exchangeParameters({ replica, epoch, seq, names, held, groups }: Exchange): readonly unknown[] {
  const claims = groups.flatMap(({ claims }, group) =>
    claims.map((claim) => ({ ...claim, group: group + 1 })),
  );
  return [
    replica,
    epoch,
    seq,
    names,
    held,
    groups.map(({ wanted }) => wanted),
    claims.map(({ group }) => group),
    claims.map(({ name }) => name + 1),
    claims.map(({ limit }) => limit),
  ];
}

interface RenewalRow {
  readonly epoch: number;
  readonly redis_run: string | null;
  readonly settled: number;
  readonly renewed: number;
  readonly redis_well: number;
}

/** @param database with a connection of its own, so that no other work delays renewals */
export function createReplicaRegistry(database: Postgres): ReplicaRegistry {
  return {
    async renew(replica, epoch, redisRun): Promise<Renewal> {
      const [result] = await database.write([
        ['SELECT * FROM replica_renew(?, ?, ?)', [replica, epoch, redisRun]],
      ]);
      const row = result!.rows[0] as RenewalRow;
      return {
        epoch: row.epoch,
        redisRun: row.redis_run,
        settled: row.settled === 1,
        renewed: row.renewed === 1,
        redisWell: row.redis_well === 1,
      };
    },
    async begin(from, redisRun, prepare) {
      await database.transaction(async (connection) => {
        const { rows } = await connection.run('SELECT number FROM coordination_epoch FOR UPDATE');
        if ((rows[0] as { number: number }).number !== from) return;
        await prepare?.(from + 1);
        await connection.run("SELECT coordination_begin(?, ?, INTERVAL '0')", [from, redisRun]);
      });
    },
    async leave(replica) {
      await database.write([['DELETE FROM limit_replicas WHERE id = ?', [replica]]]);
    },
    async sweep() {
      await database.write([['SELECT coordination_sweep()', []]]);
    },
  };
}
