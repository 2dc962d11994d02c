import { uuidText } from '../../../../base/uuid7.ts';
import type { ClaimedItem } from '../../../../domain/jobs.ts';
import type { ClaimRequest, ClaimResult } from '../../../../ports/jobs.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { sqlStateOf } from '../../../postgres/sql-state.ts';
import { recordToRead } from '../../queries/jobs/retry-in-parts.ts';
import { idBytes } from '../../schema/tables.ts';
import { hexOf, jsonRows } from './json-rows.ts';
import type { LockedHost, LockedJob } from './locked-job.ts';
import { LockedJobs } from './locked-jobs.ts';

/** A host of a job with items that wait. */
interface ReadyHost {
  readonly job: LockedJob;
  readonly row: LockedHost;
  /** Pause between two requests of this job to the host. */
  readonly delayMs: number;
}

/** So many items are to be claimed on a host. */
interface Share {
  readonly ready: ReadyHost;
  readonly count: number;
}

/** Hosts that are read for a job beyond those it needs, because some may have no free place. */
const SPARE_HOSTS = 100;

/** First key of the advisory locks of hosts: "Slho". */
const HOST_LOCKS = 0x536c686f;

/** When a job or host is tried again that another process has locked, which may have stopped. */
const LOCKED_MS = 100;
/** How long a claim waits if others have locked all of its jobs. */
const LOCK_TIMEOUT_MS = 250;
/** SQLSTATE lock_not_available. */
const NOT_AVAILABLE = '55P03';

/** The result of a claim that failed because others have locked all of its jobs; other errors are thrown. */
export function claimOfLocked(error: unknown, { jobs, now }: ClaimRequest): ClaimResult {
  if (sqlStateOf(error) !== NOT_AVAILABLE) throw error;
  return { items: [], readyAt: new Map(jobs.map(({ id }) => [id, now + LOCKED_MS])) };
}

/** The jobs that nobody else works on; if there are none, all of them, after a short wait. */
async function lockJobs(connection: PostgresConnection, ids: readonly Uint8Array[]): Promise<LockedJobs> {
  const free = await LockedJobs.lock(connection, ids, 'free');
  if (free.all.length > 0) return free;
  await connection.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  return await LockedJobs.lock(connection, ids);
}

/**
 * Part of a transaction. The limit of a host holds over all jobs and processes: whoever claims on a host holds its lock until
 * the end of the transaction. What others have locked is left for a later claim, so that nobody waits for a process that has stopped.
 */
export async function claimItems(
  connection: PostgresConnection,
  request: ClaimRequest,
): Promise<ClaimResult> {
  const ids = request.jobs.map(({ id }) => idBytes(id));
  const jobs = await lockJobs(connection, ids);
  const limits = new Map<LockedJob, number>();
  for (const [index, { limit }] of request.jobs.entries()) {
    const job = jobs.get(ids[index]!);
    if (job !== undefined && ['queued', 'running'].includes(job.row.state)) limits.set(job, limit);
  }
  const ready = await readyHosts(jobs, limits, request.now);
  const likely = sharesOf(ready, limits, await runningOn(connection, ready), request.perHost);
  const isLocked = await lockHosts(connection, likely);
  const chosen = likely.map((share) => share.ready).filter(({ row }) => isLocked.has(row.host));
  // Again, because others may have claimed on these hosts before they were locked.
  const shares = sharesOf(chosen, limits, await runningOn(connection, chosen), request.perHost);
  const items = await claimShares(jobs, shares, request);
  await jobs.write();
  const tried = new Map([
    ...likely.map(({ ready: { job } }) => [job, request.now + LOCKED_MS] as const),
    ...chosen.map(({ job }) => [job, request.now] as const),
  ]);
  return { items, readyAt: await nextReady(jobs, ids, items, tried, request.now) };
}

/** Of each job, those whose time has come and that may run more items, the one that has waited longest first. */
async function readyHosts(
  jobs: LockedJobs,
  limits: ReadonlyMap<LockedJob, number>,
  now: number,
): Promise<readonly ReadyHost[]> {
  if (limits.size === 0) return [];
  const rows = [...limits].map(([{ row }, limit]) => ({
    job: hexOf(row.id),
    perHost: row.per_host,
    hosts: limit + SPARE_HOSTS,
  }));
  const { rows: hosts } = await jobs.connection.run(
    `SELECT decode(x.job, 'hex') AS job_id, h.* FROM json_to_recordset(?::json) AS x (job text, "perHost" bigint, hosts bigint)
CROSS JOIN LATERAL (
  SELECT host, queued, running, ready_at, delay_ms, pages FROM job_hosts
  WHERE job_id = decode(x.job, 'hex') AND queued > 0 AND ready_at <= ? AND running < x."perHost" ORDER BY ready_at LIMIT x.hosts
) AS h ORDER BY h.ready_at`,
    [jsonRows(rows), now],
  );
  return (hosts as readonly (LockedHost & { readonly job_id: Buffer })[]).map(({ job_id, ...row }) => {
    const job = jobs.get(job_id)!;
    return { job, row, delayMs: Math.max(job.row.delay_ms, row.delay_ms) };
  });
}

/** Items that run on the hosts, over all jobs. */
async function runningOn(
  connection: PostgresConnection,
  hosts: readonly ReadyHost[],
): Promise<ReadonlyMap<string, number>> {
  if (hosts.length === 0) return new Map();
  const { rows } = await connection.run(
    'SELECT host, sum(running) AS running FROM job_hosts WHERE host = ANY(?) AND running > 0 GROUP BY host',
    [hosts.map(({ row }) => row.host)],
  );
  return new Map((rows as { host: string; running: number }[]).map(({ host, running }) => [host, running]));
}

/** @returns the hosts that nobody else claims on now */
async function lockHosts(
  connection: PostgresConnection,
  shares: readonly Share[],
): Promise<ReadonlySet<string>> {
  if (shares.length === 0) return new Set();
  const { rows } = await connection.run(
    `SELECT host FROM unnest(?::text[]) AS host WHERE pg_try_advisory_xact_lock(${HOST_LOCKS}, hashtext(host))`,
    [[...new Set(shares.map(({ ready }) => ready.row.host))]],
  );
  return new Set((rows as { host: string }[]).map(({ host }) => host));
}

/** How many items may be claimed on which hosts. @param limits items that each job may claim */
function sharesOf(
  hosts: readonly ReadyHost[],
  limits: ReadonlyMap<LockedJob, number>,
  running: ReadonlyMap<string, number>,
  perHost: number,
): readonly Share[] {
  const left = new Map(limits);
  const busy = new Map(running);
  const shares: Share[] = [];
  for (const ready of hosts) {
    const { job, row, delayMs } = ready;
    const onHost = busy.get(row.host) ?? 0;
    const free = Math.min(left.get(job)!, job.row.per_host - row.running, perHost - onHost, row.queued);
    if (free <= 0) continue;
    // With a pause between two requests, one at a time.
    const count = delayMs > 0 ? 1 : free;
    left.set(job, left.get(job)! - count);
    busy.set(row.host, onHost + count);
    shares.push({ ready, count });
  }
  return shares;
}

/** The outer limit is the sum of the inner ones: the planner knows only it, and would otherwise read the whole table. */
const CLAIM_SQL = `UPDATE job_items AS t SET state = 'running', lease = t.lease + 1, lease_until = ?, tries = t.tries + 1
FROM (
  SELECT x.share, x.job_id, next.item, next.run_at
  FROM unnest(?::bigint[], ?::bytea[], ?::text[], ?::bigint[]) AS x (share, job_id, host, count) CROSS JOIN LATERAL (
    SELECT item, run_at FROM job_items WHERE job_id = x.job_id AND host = x.host AND state = 'queued' AND run_at <= ?
    ORDER BY run_at, item LIMIT x.count
  ) AS next LIMIT ?
) AS next
WHERE t.job_id = next.job_id AND t.item = next.item
RETURNING next.share, t.job_id, t.item, t.lease, t.url, t.host, t.depth, t.request, t.tries, t.run_at, ${recordToRead('t')} AS reads`;

type ClaimedRow = Omit<ClaimedItem, 'jobId' | 'reads'> & {
  readonly reads: Buffer | null;
  readonly share: number;
  readonly job_id: Buffer;
  readonly run_at: number;
};

async function claimShares(
  jobs: LockedJobs,
  shares: readonly Share[],
  { now, leaseUntil }: ClaimRequest,
): Promise<readonly ClaimedItem[]> {
  if (shares.length === 0) return [];
  const limits = shares.map(({ count }) => count);
  const result = await jobs.connection.run(CLAIM_SQL, [
    leaseUntil,
    shares.map((_, share) => share),
    shares.map(({ ready }) => ready.job.row.id),
    shares.map(({ ready }) => ready.row.host),
    limits,
    now,
    limits.reduce((sum, count) => sum + count, 0),
  ]);
  const rows = [...(result.rows as ClaimedRow[])].sort(
    (a, b) => a.share - b.share || a.run_at - b.run_at || a.item - b.item,
  );
  const counts = new Map<number, number>();
  for (const { share } of rows) counts.set(share, (counts.get(share) ?? 0) + 1);
  for (const { ready } of shares) ready.job.hosts.set(ready.row.host, ready.row);
  for (const [index, { ready }] of shares.entries()) countClaims(ready, counts.get(index) ?? 0, now);
  await postpone(
    jobs,
    shares.filter((_, index) => !counts.has(index)).map(({ ready }) => ready),
  );
  return rows.map(({ job_id, share: _, run_at: __, reads, ...item }) => ({
    ...item,
    jobId: uuidText(job_id),
    reads: reads === null ? null : uuidText(reads),
  }));
}

function countClaims({ job, row: host, delayMs }: ReadyHost, count: number, now: number): void {
  if (count === 0) return;
  const { row } = job;
  host.queued -= count;
  host.running += count;
  host.ready_at = now + delayMs;
  row.queued -= count;
  row.running += count;
  if (row.state !== 'queued') return;
  row.state = 'running';
  row.started_at = now;
  job.addEvent('started', null, now);
}

/** All items of these hosts are retries that have to wait. */
async function postpone(jobs: LockedJobs, hosts: readonly ReadyHost[]): Promise<void> {
  if (hosts.length === 0) return;
  const { rows } = await jobs.connection.run(
    `SELECT x.job_id, x.host, (SELECT min(run_at) FROM job_items AS i
  WHERE i.job_id = x.job_id AND i.host = x.host AND i.state = 'queued') AS run_at
FROM unnest(?::bytea[], ?::text[]) AS x (job_id, host)`,
    [hosts.map(({ job }) => job.row.id), hosts.map(({ row }) => row.host)],
  );
  for (const { job_id, host, run_at } of rows as readonly { job_id: Buffer; host: string; run_at: number }[])
    jobs.get(job_id)!.hosts.get(host)!.ready_at = run_at;
}

/**
 * For each job without a claimed item: when one may be ready.
 * @param tried jobs with hosts that seemed to be ready, and when they may claim again: others may be ready
 */
async function nextReady(
  jobs: LockedJobs,
  ids: readonly Uint8Array[],
  items: readonly ClaimedItem[],
  tried: ReadonlyMap<LockedJob, number>,
  now: number,
): Promise<ReadonlyMap<string, number | null>> {
  const claimed = new Set(items.map(({ jobId }) => jobId));
  const waiting = ids.filter((id) => !claimed.has(uuidText(id)));
  if (waiting.length === 0) return new Map();
  const { rows } = await jobs.connection.run(
    `SELECT x.id, (SELECT min(ready_at) FROM job_hosts WHERE job_id = x.id AND queued > 0 AND ready_at > ?) AS ready_at,
  EXISTS (SELECT FROM jobs WHERE id = x.id AND state <> 'deleted') AS is_there
FROM unnest(?::bytea[]) AS x (id)`,
    [now, waiting],
  );
  return new Map(
    (rows as readonly { id: Buffer; ready_at: number | null; is_there: number }[]).map((row) => {
      const job = jobs.get(row.id);
      // Others have locked it.
      const locked = row.is_there === 1 ? now + LOCKED_MS : row.ready_at;
      return [uuidText(row.id), job === undefined ? locked : (tried.get(job) ?? row.ready_at)];
    }),
  );
}
