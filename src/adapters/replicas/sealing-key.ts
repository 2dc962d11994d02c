import type { LiveReplica } from '../../ports/replicas.ts';
import type { Postgres, PostgresConnection } from '../postgres/postgres.ts';
import { commonKey } from './compare-settings.ts';
import { lockReplicas, readOthers } from './liveness.ts';

/**
 * Part of a transaction in `lockReplicas`: chooses the key with which a process encrypts, which is the newest that all replicas
 * know, and notes that it may be used. So a replica that does not know it is refused from now on.
 * @param encryptionKeys ids of the keys of the process, the newest first
 * @returns null: it has no key that all know, or lacks one that may be in use
 */
export async function takeSealingKey(
  connection: PostgresConnection,
  encryptionKeys: readonly string[],
  others: readonly LiveReplica[],
): Promise<string | null> {
  const id = commonKey({ encryptionKeys }, others);
  if (id === null) return null;
  const missing = await connection.run('SELECT FROM encryption_keys WHERE id <> ALL (?)', [encryptionKeys]);
  if (missing.rows.length > 0) return null;
  await connection.run('INSERT INTO encryption_keys VALUES (?, ?) ON CONFLICT DO NOTHING', [id, Date.now()]);
  return id;
}

/** The same for a process that is no replica. @returns also the replicas that live */
export function agreeOnSealingKey(
  postgres: Postgres,
  encryptionKeys: readonly string[],
): Promise<{ readonly id: string | null; readonly replicas: readonly LiveReplica[] }> {
  return postgres.transaction(async (connection) => {
    await lockReplicas(connection);
    const replicas = await readOthers(connection, '');
    return { id: await takeSealingKey(connection, encryptionKeys, replicas), replicas };
  });
}
