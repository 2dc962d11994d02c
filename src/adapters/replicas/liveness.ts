import type { ReplicaRole } from '../../domain/replicas.ts';
import type { BrowserReport, LiveReplica, ReplicaSettings } from '../../ports/replicas.ts';
import type { PostgresConnection } from '../postgres/postgres.ts';

/** A replica that has not renewed its registration for this time counts as dead. */
export const LEASE_SECONDS = 10;

/** SQL condition: the replica of this row lives. */
export const LIVES = `renewed_at > clock_timestamp() - interval '${LEASE_SECONDS} seconds'`;

/** Of the advisory lock under which replicas register, and agree on a key, one after the other: "Slce", and 2. */
const LOCK_KEY = [0x536c6365, 2] as const;

/** Until the end of the transaction, no replica registers or takes another encryption key. */
export async function lockReplicas(connection: PostgresConnection): Promise<void> {
  await connection.run('SELECT pg_advisory_xact_lock(?, ?)', LOCK_KEY);
}

/** The replicas that live, but for one. */
export const OTHERS_SQL = `SELECT id, role, version, host, settings, browsers, is_draining FROM live_replicas WHERE id <> ? AND ${LIVES}`;

interface ReplicaRow {
  readonly id: string;
  readonly role: ReplicaRole;
  readonly version: string;
  readonly host: string;
  readonly settings: string;
  readonly browsers: string | null;
  /** 0 or 1. */
  readonly is_draining: number;
}

/** What a replica stores of its settings. */
export type SettingsOfReplica = ReplicaSettings & { readonly sealingKey: string };

/** @param rows of `OTHERS_SQL` */
export function liveReplicas(rows: readonly unknown[]): readonly LiveReplica[] {
  return (rows as readonly ReplicaRow[]).map((row) => {
    const { sealingKey, ...settings } = JSON.parse(row.settings) as SettingsOfReplica;
    return {
      id: row.id,
      role: row.role,
      version: row.version,
      host: row.host,
      isDraining: row.is_draining === 1,
      settings,
      sealingKeyId: sealingKey,
      browsers: row.browsers === null ? null : (JSON.parse(row.browsers) as BrowserReport),
    };
  });
}

export async function readOthers(
  connection: PostgresConnection,
  id: string,
): Promise<readonly LiveReplica[]> {
  return liveReplicas((await connection.run(OTHERS_SQL, [id])).rows);
}
