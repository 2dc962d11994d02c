import { uuidText } from '../../../../base/uuid7.ts';
import { searchText } from '../../../../domain/job-label.ts';
import type { PauseReason, StoredError } from '../../../../domain/jobs.ts';
import type { JobLimits } from '../../../../ports/jobs.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import {
  REQUEUED_COLUMNS,
  RETRIED_ROWS,
  type RetriedPart,
  retriedItems,
  waitingForRetry,
} from '../../queries/jobs/retry-in-parts.ts';
import type { ItemChange, LockedJob } from './locked-job.ts';
import { changeJobs, type LockedJobs } from './locked-jobs.ts';
import { JOBS_CHANNEL } from './write-jobs.ts';

const OPEN_SQL = `state IN ('queued', 'running', 'paused')`;

type Change<T> = (job: LockedJob, jobs: LockedJobs) => T | Promise<T>;

/** Changes one job, as a part of a transaction. @returns `absent`: there is no such job */
async function changeJob<T>(
  connection: PostgresConnection,
  id: Uint8Array,
  absent: T,
  change: Change<T>,
): Promise<T> {
  return await changeJobs(connection, [id], (jobs) => {
    const job = jobs.get(id);
    return job === undefined ? absent : change(job, jobs);
  });
}

/** First key of the advisory locks of users who start jobs: "Slus". */
const USER_LOCKS = 0x536c7573;

export async function startJob(
  connection: PostgresConnection,
  id: Uint8Array,
  now: number,
  limits: JobLimits,
  spec: Uint8Array | null,
): Promise<null | 'limit.jobs' | 'limit.items'> {
  return await changeJob(connection, id, null, async (job) => {
    const { row } = job;
    if (row.state !== 'created') return null;
    // Jobs of a user start one after the other, so that two of them do not both take the last place.
    await connection.run("SELECT pg_advisory_xact_lock(?, hashtext(encode(?, 'hex')))", [
      USER_LOCKS,
      row.user_id,
    ]);
    const { rows } = await connection.run(
      `SELECT count(*) AS jobs, coalesce(sum(queued), 0) AS queued FROM jobs WHERE user_id = ? AND ${OPEN_SQL}`,
      [row.user_id],
    );
    const open = rows[0] as { jobs: number; queued: number };
    if (open.jobs >= limits.openJobs) return 'limit.jobs';
    if (open.queued + row.queued > limits.queuedItems) return 'limit.items';
    if (spec !== null) await connection.run('UPDATE jobs SET spec = ? WHERE id = ?', [spec, id]);
    await setFirst(connection, id);
    if (row.queued > 0) row.state = 'queued';
    else {
      // All items are skipped.
      row.started_at = now;
      job.setEnd('done', null, now);
    }
    return null;
  });
}

/** Stores the URL of the first item, and what lists search. */
async function setFirst(connection: PostgresConnection, id: Uint8Array): Promise<void> {
  const { rows } = await connection.run(
    'SELECT name, (SELECT url FROM job_items WHERE job_id = jobs.id ORDER BY item LIMIT 1) AS url FROM jobs WHERE id = ?',
    [id],
  );
  const { name, url } = rows[0] as { name: string | null; url: string | null };
  const search = searchText({ name, firstUrl: url });
  await connection.run('UPDATE jobs SET first_url = ?, search = ? WHERE id = ?', [url, search, id]);
}

/** @param keyId only if the job still has this key; undefined: whatever key it has */
export async function pauseJob(
  connection: PostgresConnection,
  id: Uint8Array,
  pause: { readonly reason: PauseReason; readonly resumesAt: number | null; readonly now: number },
  keyId: string | null | undefined,
): Promise<boolean> {
  return await changeJob(connection, id, false, (job) => {
    const { row } = job;
    if (keyId !== undefined && row.key_id !== keyId) return false;
    if (!['queued', 'running'].includes(row.state)) return false;
    row.state = 'paused';
    row.pause_reason = pause.reason;
    row.pause_since = pause.now;
    row.resumes_at = pause.resumesAt;
    job.addEvent('paused', null, pause.now);
    return true;
  });
}

function resume(job: LockedJob, now: number): boolean {
  const { row } = job;
  if (row.state !== 'paused') return false;
  row.state = row.started_at === null ? 'queued' : 'running';
  job.setUnpaused();
  job.addEvent('resumed', null, now);
  return true;
}

/** @param keyId the key of the job from now on; undefined: as before */
export async function resumeJob(
  connection: PostgresConnection,
  id: Uint8Array,
  keyId: string | null | undefined,
  now: number,
): Promise<boolean> {
  return await changeJob(connection, id, false, (job) => {
    if (!resume(job, now)) return false;
    if (keyId !== undefined) job.row.key_id = keyId;
    return true;
  });
}

async function idsOf(
  connection: PostgresConnection,
  sql: string,
  parameters: readonly unknown[],
): Promise<readonly Uint8Array[]> {
  const { rows } = await connection.run(sql, parameters);
  return (rows as readonly { id: Buffer }[]).map(({ id }) => id);
}

export async function resumeDue(connection: PostgresConnection, now: number): Promise<readonly Uint8Array[]> {
  const sql = `SELECT id FROM jobs WHERE state = 'paused' AND resumes_at <= ? LIMIT 100`;
  const ids = await idsOf(connection, sql, [now]);
  if (ids.length === 0) return [];
  return await changeJobs(connection, ids, (jobs) =>
    jobs.all.filter((job) => isDue(job, now) && resume(job, now)).map(({ row }) => row.id),
  );
}

/** Another process may have resumed it, or have paused it again. */
const isDue = ({ row }: LockedJob, now: number): boolean => row.resumes_at !== null && row.resumes_at <= now;

export async function moveKey(
  connection: PostgresConnection,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  const ids = await idsOf(connection, `SELECT id FROM jobs WHERE key_id = ? AND ${OPEN_SQL}`, [from]);
  await changeJobs(connection, ids, (jobs) => {
    for (const job of jobs.all) {
      if (job.row.key_id !== from || !job.isOpen) continue;
      job.row.key_id = to;
      if (job.row.pause_reason === 'key') resume(job, now);
    }
  });
}

/** Items that wait are never run. @returns false: the job has ended already */
export async function endJob(
  connection: PostgresConnection,
  id: Uint8Array,
  state: 'cancelled' | 'failed',
  error: StoredError | null,
  now: number,
): Promise<boolean> {
  return await changeJob(connection, id, false, (job) => {
    if (!job.isOpen) return false;
    job.setEnd(state, error, now);
    return true;
  });
}

type QueuedRow = Omit<ItemChange, 'state' | 'n' | 'ended_at' | 'scrape_id'> & { readonly host: string };

/** Skips at most `limit` items that wait. @returns how many */
export async function skipQueued(
  connection: PostgresConnection,
  id: Uint8Array,
  reason: StoredError,
  limit: number,
  now: number,
): Promise<number> {
  return await changeJob(connection, id, 0, async (job, jobs) => {
    const { rows } = await connection.run(
      `SELECT item, host, tries, run_at, outcome FROM job_items WHERE job_id = ? AND state = 'queued' LIMIT ?`,
      [id, limit],
    );
    const waiting = rows as readonly QueuedRow[];
    await jobs.loadHosts(waiting.map(({ host }) => ({ job, host })));
    for (const { host, ...item } of waiting) {
      const n = job.countEnd('queued', 'skipped', now);
      const skipped = { state: 'skipped', error: JSON.stringify(reason), scrape_id: null, ended_at: now };
      job.changes.set(item.item, { ...item, ...skipped, n });
      job.hosts.get(host)!.queued--;
    }
    return waiting.length;
  });
}

/** Of the next items after `$2`, which wait again. */
const REQUEUE = `WITH retried AS (
  UPDATE job_items SET ${REQUEUED_COLUMNS} WHERE job_id = $1 AND item IN (${retriedItems('$1', '$2')})
  RETURNING item, host, error
), hosts AS (
  UPDATE job_hosts AS h SET queued = h.queued + r.items, ready_at = least(h.ready_at, $3)
  FROM (SELECT host, count(*) AS items FROM retried GROUP BY host) AS r
  WHERE h.job_id = $1 AND h.host = r.host
)
SELECT count(*) AS count, count(error) AS unread, max(item) AS last FROM retried`;

/** @param after items up to this one have been retried */
export async function retryPart(
  connection: PostgresConnection,
  id: Uint8Array,
  after: number,
  now: number,
): Promise<RetriedPart | null> {
  return await changeJob(connection, id, null, async (job): Promise<RetriedPart | null> => {
    const { row } = job;
    if (row.state === 'queued' || row.state === 'running') return null;
    const { rows } = await connection.run(REQUEUE, [id, after, now]);
    const { count, unread, last } = rows[0] as { count: number; unread: number; last: number | null };
    if (count === 0 && after === 0) return { count, last: null };
    row.queued += count;
    row.failed -= count - unread;
    row.ok -= unread;
    if (count === RETRIED_ROWS) return { count, last };
    Object.assign(row, { error: null, ended_at: null, expires_at: null });
    await connection.run('UPDATE jobs SET results_deleted = 0 WHERE id = ?', [id]);
    if (row.state !== 'paused') row.state = 'running';
    job.addEvent('resumed', null, now);
    return { count, last: null };
  });
}

/** Of items that wait for a retry. */
const TRY_NOW = `WITH released AS (
  UPDATE job_items SET run_at = $2 WHERE job_id = $1 AND item IN (${waitingForRetry('$1', '$2', '(SELECT unnest($3::bigint[]))', '$3::bigint[]')})
  RETURNING host
), hosts AS (
  UPDATE job_hosts AS h SET ready_at = least(h.ready_at, $2 + greatest(h.delay_ms, $4))
  FROM (SELECT DISTINCT host FROM released) AS r WHERE h.job_id = $1 AND h.host = r.host
)
SELECT count(*) AS count FROM released`;

/** @returns how many, at most 1,000: call again until it is less */
export async function tryPart(
  connection: PostgresConnection,
  id: Uint8Array,
  items: readonly number[] | null,
  now: number,
): Promise<number | null> {
  return await changeJob(connection, id, null, async ({ row }) => {
    if (row.state !== 'queued' && row.state !== 'running') return null;
    const { rows } = await connection.run(TRY_NOW, [id, now, items, row.delay_ms]);
    // Other processes remember when the job may start an item.
    await connection.run(`SELECT pg_notify('${JOBS_CHANNEL}', ?)`, [uuidText(id)]);
    return (rows[0] as { count: number }).count;
  });
}
