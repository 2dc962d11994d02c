import { sql } from 'kysely';
import type { StoredError } from '../../../../domain/jobs.ts';
import type { HoldUp, JobStore, WaitingHost } from '../../../../ports/jobs.ts';
import { type Db, idBytes } from '../../schema/tables.ts';
import { statementOf } from '../query-compiler.ts';
import type { RunStatements } from '../statements.ts';

/** Hosts of a job that are looked at to say what it waits for. */
const MAX_HOSTS = 20;

interface HostRow {
  readonly host: string;
  readonly running: number;
  readonly elsewhere: number;
  readonly ready_at: number;
  readonly delay_ms: number;
  readonly run_at: number | null;
  /** JSON text. */
  readonly error: string | null;
}

const hostsQuery = (db: Db, jobId: Uint8Array) =>
  db
    .selectFrom('job_hosts as h')
    .select(['h.host', 'h.running', 'h.ready_at', 'h.delay_ms'])
    .select([
      sql<number>`(SELECT coalesce(sum(o.running), 0) FROM job_hosts AS o WHERE o.host = h.host AND o.running > 0) - h.running`.as(
        'elsewhere',
      ),
      sql<number>`(SELECT min(i.run_at) FROM job_items AS i WHERE i.job_id = h.job_id AND i.host = h.host AND i.state = 'queued')`.as(
        'run_at',
      ),
      sql<
        string | null
      >`(SELECT i.error FROM job_items AS i WHERE i.job_id = h.job_id AND i.host = h.host AND i.state = 'queued'
ORDER BY i.run_at, i.item LIMIT 1)`.as('error'),
    ])
    .where('h.job_id', '=', jobId)
    // Not as parameters: the index is of these rows alone.
    .where(sql<boolean>`h.queued > 0`);

const retryQuery = (db: Db, jobId: Uint8Array) =>
  db
    .selectFrom('job_items')
    .select('run_at')
    .where('job_id', '=', jobId)
    .where(sql<boolean>`state = 'queued' AND tries > 0`)
    .orderBy('run_at')
    .limit(1);

const busyQuery = (db: Db) =>
  db.selectFrom('job_hosts').select('host').where(sql<boolean>`running > 0`).limit(1);

const waitingHost = (row: HostRow): WaitingHost => ({
  host: row.host,
  running: row.running,
  elsewhere: row.elsewhere,
  readyAt: row.ready_at,
  delayMs: row.delay_ms,
  runAt: row.run_at ?? 0,
  isLimited: row.error !== null && (JSON.parse(row.error) as StoredError).code === 'limit.site',
});

/** Why items wait. */
export function createHoldUpQueries(db: Db, read: RunStatements): Pick<JobStore, 'holdUps' | 'waitingHosts'> {
  return {
    async holdUps(jobIds) {
      const holdUps = new Map<string, HoldUp>();
      if (jobIds.length === 0) return holdUps;
      const [busy, ...results] = await read([
        statementOf(busyQuery(db)),
        ...jobIds.flatMap((id) => [
          statementOf(retryQuery(db, idBytes(id))),
          statementOf(hostsQuery(db, idBytes(id)).orderBy('h.ready_at').limit(MAX_HOSTS)),
        ]),
      ]);
      const isBusy = busy!.rows.length > 0;
      for (const [index, id] of jobIds.entries()) {
        const [retry] = results[2 * index]!.rows as readonly { readonly run_at: number }[];
        const hosts = results[2 * index + 1]!.rows as readonly HostRow[];
        holdUps.set(id, { retryAt: retry?.run_at ?? null, hosts: hosts.map(waitingHost), isBusy });
      }
      return holdUps;
    },
    async waitingHosts(jobId, hosts) {
      if (hosts.length === 0) return { hosts: [], isBusy: false };
      const query = hostsQuery(db, idBytes(jobId)).where('h.host', 'in', [...hosts]);
      const [result, busy] = await read([statementOf(query), statementOf(busyQuery(db))]);
      return { hosts: (result!.rows as readonly HostRow[]).map(waitingHost), isBusy: busy!.rows.length > 0 };
    },
  };
}
