import { uuidText } from '../../../../base/uuid7.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { DELETED_TABLES, UNSTARTED_MS } from '../../queries/jobs/job-rules.ts';
import { JOBS_CHANNEL } from './write-jobs.ts';

/** Rows of each table that one transaction deletes: few enough not to hold up others. */
const DELETED_ROWS = 5_000;

const deletions = DELETED_TABLES.map(
  ([table, job, key]) =>
    `DELETE FROM ${table} WHERE ${job} = $1 AND (${key}) IN (SELECT ${key} FROM ${table} WHERE ${job} = $1 LIMIT ${DELETED_ROWS})`,
);

/** From now on, nobody finds the job or stores ends of its items. @returns false: there is no such job */
export async function hideJob(connection: PostgresConnection, id: Uint8Array): Promise<boolean> {
  const { changes } = await connection.run(`UPDATE jobs SET state = 'deleted' WHERE id = ?`, [id]);
  await connection.run(`SELECT pg_notify('${JOBS_CHANNEL}', ?)`, [uuidText(id)]);
  return changes > 0;
}

/** Deletes a part of a hidden job. @returns whether all is deleted */
export async function deletePart(connection: PostgresConnection, id: Uint8Array): Promise<boolean> {
  for (const deletion of deletions)
    if ((await connection.run(deletion, [id])).changes === DELETED_ROWS) return false;
  await connection.run('DELETE FROM webhooks WHERE source_id = ?', [id]);
  await connection.run(`DELETE FROM jobs WHERE id = ? AND state = 'deleted'`, [id]);
  return true;
}

/** Jobs whose deletion was interrupted, or that were never started. */
export const UNFINISHED_SQL = `SELECT id FROM jobs WHERE state IN ('created', 'deleted') AND (state = 'deleted' OR created_at < ?)`;

export const unfinishedBefore = (now: number): number => now - UNSTARTED_MS;
