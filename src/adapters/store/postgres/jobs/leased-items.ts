import type { LockedJob } from './locked-job.ts';
import type { LockedJobs } from './locked-jobs.ts';

export interface PostgresLease {
  readonly jobId: Uint8Array;
  readonly item: number;
  readonly lease: number;
}

/** An item that runs, of a locked job. */
export interface LeasedItem {
  readonly job: LockedJob;
  readonly item: number;
  readonly lease: number;
  readonly host: string;
  readonly url: string;
  readonly tries: number;
  readonly run_at: number;
  readonly repeatable: number;
  readonly outcome: string | null;
  readonly error: string | null;
}

type LeasedRow = Omit<LeasedItem, 'job'> & { readonly job_id: Buffer };

const LEASED_COLUMNS =
  'i.job_id, i.item, i.lease, i.host, i.url, i.tries, i.run_at, i.repeatable, i.outcome, i.error';

/** @returns for each lease its item; null: the lease is lost */
export async function loadLeased(
  jobs: LockedJobs,
  leases: readonly PostgresLease[],
): Promise<readonly (LeasedItem | null)[]> {
  const { rows } = await jobs.connection.run(
    `SELECT ${LEASED_COLUMNS} FROM unnest(?::bytea[], ?::bigint[]) AS x (job_id, item)
JOIN job_items AS i ON i.job_id = x.job_id AND i.item = x.item WHERE i.state = 'running'`,
    [leases.map(({ jobId }) => jobId), leases.map(({ item }) => item)],
  );
  const found = new Map<LockedJob, Map<number, LeasedItem>>();
  for (const { job_id, ...row } of rows as readonly LeasedRow[]) {
    const job = jobs.get(job_id);
    // The job may have begun to be deleted.
    if (job === undefined) continue;
    if (!found.has(job)) found.set(job, new Map());
    found.get(job)!.set(row.item, { ...row, job });
  }
  return leases.map(({ jobId, item, lease }) => {
    const job = jobs.get(jobId);
    const leased = job === undefined ? undefined : found.get(job)?.get(item);
    return leased?.lease === lease ? leased : null;
  });
}

/** Items of the locked jobs whose lease ended before `before`. */
export async function loadOverdue(jobs: LockedJobs, before: number): Promise<readonly LeasedItem[]> {
  const { rows } = await jobs.connection.run(
    `SELECT ${LEASED_COLUMNS} FROM job_items AS i
WHERE i.job_id = ANY(?) AND i.state = 'running' AND i.lease_until < ? LIMIT 1000`,
    [jobs.all.map(({ row }) => row.id), before],
  );
  return (rows as readonly LeasedRow[]).map(({ job_id, ...row }) => ({ ...row, job: jobs.get(job_id)! }));
}
