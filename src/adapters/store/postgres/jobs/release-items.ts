import type { StoredError } from '../../../../domain/jobs.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { hexOf } from './json-rows.ts';
import { type LeasedItem, loadLeased, loadOverdue, type PostgresLease } from './leased-items.ts';
import { changeJobs, LockedJobs } from './locked-jobs.ts';

/** Part of a transaction. @returns for each lease whether it still holds */
export async function renewLeases(
  connection: PostgresConnection,
  leases: readonly PostgresLease[],
  leaseUntil: number,
): Promise<readonly boolean[]> {
  // Locked although the jobs do not change, so that the order of locks is the same as in all other transactions.
  const jobs = await LockedJobs.lock(connection, idsOf(leases));
  const leased = await loadLeased(jobs, leases);
  const held = leased.filter((item) => item !== null);
  await connection.run(
    `UPDATE job_items AS t SET lease_until = ? FROM unnest(?::bytea[], ?::bigint[]) AS x (job_id, item)
WHERE t.job_id = x.job_id AND t.item = x.item`,
    [leaseUntil, held.map(({ job }) => job.row.id), held.map(({ item }) => item)],
  );
  return leased.map((item) => item !== null);
}

/** Part of a transaction: gives items back that were not run. */
export async function releaseItems(
  connection: PostgresConnection,
  leases: readonly PostgresLease[],
  now: number,
): Promise<void> {
  await changeJobs(connection, idsOf(leases), async (jobs) => {
    const held = (await loadLeased(jobs, leases)).filter((item) => item !== null);
    await jobs.loadHosts(held);
    for (const item of held) giveBack(item, now);
  });
}

const JOBS_AT_ONCE = 100;

/**
 * Part of a transaction: takes back items whose lease ended before `before`.
 * @returns how many, perhaps not all: call again until it is 0
 */
export async function recoverItems(
  connection: PostgresConnection,
  now: number,
  before: number,
  interrupted: StoredError,
): Promise<number> {
  const { rows } = await connection.run(
    `SELECT DISTINCT job_id FROM (SELECT job_id FROM job_items WHERE state = 'running' AND lease_until < ? LIMIT 1000) AS overdue
LIMIT ${JOBS_AT_ONCE}`,
    [before],
  );
  const ids = (rows as readonly { job_id: Buffer }[]).map(({ job_id }) => job_id);
  if (ids.length === 0) return 0;
  return await changeJobs(connection, ids, async (jobs) => {
    const items = await loadOverdue(jobs, before);
    await jobs.loadHosts(items);
    for (const item of items) {
      if (item.repeatable === 1) giveBack(item, now);
      else interrupt(item, now, interrupted);
    }
    return items.length;
  });
}

function giveBack(leased: LeasedItem, now: number): void {
  const { job, item, tries, outcome, error } = leased;
  const host = job.hosts.get(leased.host)!;
  host.running--;
  host.queued++;
  host.ready_at = Math.min(host.ready_at, now);
  job.countBack();
  const waiting = { state: 'queued', n: null, scrape_id: null, ended_at: null };
  job.changes.set(item, { item, tries: Math.max(tries - 1, 0), run_at: now, outcome, error, ...waiting });
}

function interrupt({ job, host, url, ...leased }: LeasedItem, now: number, reason: StoredError): void {
  const { item, tries, run_at, outcome } = leased;
  job.hosts.get(host)!.running--;
  const n = job.countEnd('running', 'failed', now);
  const failed = { state: 'failed', error: JSON.stringify(reason), scrape_id: null, ended_at: now };
  job.changes.set(item, { item, n, tries, run_at, outcome, ...failed });
  job.noteError(reason, item, url, now);
  job.addEvent('item_failed', item, now);
}

function idsOf(leases: readonly PostgresLease[]): Uint8Array[] {
  const byText = new Map(leases.map(({ jobId }) => [hexOf(jobId), jobId]));
  return [...byText.values()];
}
