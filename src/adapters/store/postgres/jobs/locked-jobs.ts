import type { NewWebhook, WebhookSource } from '../../../../domain/webhooks.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { hexOf } from './json-rows.ts';
import { type LockedHost, LockedJob, type LockedRow } from './locked-job.ts';
import { writeJobs } from './write-jobs.ts';

const ROW_COLUMNS = [
  ...['id', 'user_id', 'key_id', 'kind', 'state', 'per_host', 'delay_ms', 'kept_ms', 'max_visits'],
  ...['queued', 'running', 'ok', 'failed', 'skipped', 'duplicates', 'unlisted', 'visits', 'outcomes', 'cost'],
  ...[
    'error',
    'last_error',
    'started_at',
    'ended_at',
    'expires_at',
    'pause_reason',
    'pause_since',
    'resumes_at',
  ],
  ...['last_item', 'last_n', 'last_event'],
];

const LOCK_SQL = `SELECT ${ROW_COLUMNS.map((column) => `j.${column}`).join(', ')},
EXISTS (SELECT 1 FROM notification_sources AS n WHERE n.source_id = j.id) AS tells,
w.source AS w_source, w.receiver AS w_receiver, w.events AS w_events
FROM jobs AS j LEFT JOIN webhooks AS w ON w.source_id = j.id AND w.gone = 0
WHERE j.id = ANY(?) AND j.state <> 'deleted' ORDER BY j.id FOR UPDATE OF j`;

interface WebhookColumns {
  w_source: WebhookSource | null;
  w_receiver: string;
  w_events: string;
}

/** The jobs that one transaction changes. */
export class LockedJobs {
  readonly connection: PostgresConnection;
  readonly #jobs: ReadonlyMap<string, LockedJob>;

  private constructor(connection: PostgresConnection, jobs: ReadonlyMap<string, LockedJob>) {
    this.connection = connection;
    this.#jobs = jobs;
  }

  /**
   * Locks the jobs in the order of their ids, so that transactions wait for each other, but never in a circle.
   * @param which `free`: only those that nobody else has locked, without waiting
   */
  static async lock(
    connection: PostgresConnection,
    ids: readonly Uint8Array[],
    which: 'all' | 'free' = 'all',
  ): Promise<LockedJobs> {
    const jobs = new Map<string, LockedJob>();
    if (ids.length === 0) return new LockedJobs(connection, jobs);
    const { rows } = await connection.run(which === 'all' ? LOCK_SQL : `${LOCK_SQL} SKIP LOCKED`, [ids]);
    for (const { w_source, w_receiver, w_events, ...row } of rows as readonly (LockedRow &
      WebhookColumns)[]) {
      const webhook =
        w_source === null
          ? null
          : { source: w_source, receiver: w_receiver, events: JSON.parse(w_events) as NewWebhook['events'] };
      jobs.set(hexOf(row.id)!, new LockedJob(row, webhook));
    }
    return new LockedJobs(connection, jobs);
  }

  /** undefined: there is no such job. */
  get(id: Uint8Array): LockedJob | undefined {
    return this.#jobs.get(hexOf(id)!);
  }

  get all(): readonly LockedJob[] {
    return [...this.#jobs.values()];
  }

  /** Reads hosts of the jobs. A host that is not there afterwards does not exist. */
  async loadHosts(wanted: readonly { readonly job: LockedJob; readonly host: string }[]): Promise<void> {
    const pairs = wanted.filter(({ job, host }) => !job.hosts.has(host));
    if (pairs.length === 0) return;
    const { rows } = await this.connection.run(
      `SELECT h.job_id, h.host, h.queued, h.running, h.ready_at, h.delay_ms, h.pages
FROM unnest(?::bytea[], ?::text[]) AS x (job_id, host) JOIN job_hosts AS h ON h.job_id = x.job_id AND h.host = x.host`,
      [pairs.map(({ job }) => job.row.id), pairs.map(({ host }) => host)],
    );
    for (const { job_id, ...host } of rows as readonly (LockedHost & { job_id: Buffer })[]) {
      const job = this.get(job_id)!;
      if (!job.hosts.has(host.host)) job.hosts.set(host.host, host);
    }
  }

  /** Stores all changes. */
  async write(): Promise<void> {
    await writeJobs(this.connection, this.all);
  }
}

/** Runs `work` on locked jobs, and stores what it changed. */
export async function changeJobs<T>(
  connection: PostgresConnection,
  ids: readonly Uint8Array[],
  work: (jobs: LockedJobs) => T | Promise<T>,
): Promise<T> {
  const jobs = await LockedJobs.lock(connection, ids);
  const result = await work(jobs);
  await jobs.write();
  return result;
}
