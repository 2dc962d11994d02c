import type { LastError, StoredError } from '../../../../domain/jobs.ts';
import { recordToRead } from '../../queries/jobs/retry-in-parts.ts';
import type { SqliteConnection } from '../database.ts';
import type { JobItems } from './job-items.ts';

/** An item as it is claimed; the job's id is added by the caller. */
export interface ClaimedRow {
  readonly job_id: Buffer;
  readonly item: number;
  readonly lease: number;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly request: Uint8Array | null;
  readonly tries: number;
  readonly reads: Uint8Array | null;
}

export interface LeaseKey {
  readonly jobId: Uint8Array;
  readonly item: number;
  readonly lease: number;
}

interface JobPace {
  state: string;
  per_host: number;
  delay_ms: number;
}

interface HostRow {
  host: string;
  /** Pause that the host asks for. */
  delay_ms: number;
  queued: number;
  running: number;
  elsewhere: number;
}

export interface ClaimArguments {
  readonly jobs: readonly { readonly id: Uint8Array; readonly limit: number }[];
  readonly now: number;
  readonly leaseUntil: number;
  readonly perHost: number;
}

/** Claiming items, and giving them back. Each function is one transaction. */
export function prepareLeases(db: SqliteConnection, jobItems: JobItems) {
  return { ...prepareClaim(db, jobItems), ...prepareRelease(db, jobItems) };
}

function prepareClaim(db: SqliteConnection, { addEvent }: JobItems) {
  const paceOf = db.prepare<[Buffer], JobPace>(
    `SELECT state, per_host, delay_ms FROM jobs WHERE id = ? AND state IN ('queued', 'running')`,
  );
  const begin = db.prepare(`UPDATE jobs SET state = 'running', started_at = ? WHERE id = ?`);
  // `elsewhere`: items of other jobs that run on the host.
  const readyHosts = db.prepare<[Buffer, number, number, number], HostRow>(
    `SELECT host, queued, running, delay_ms,
(SELECT coalesce(sum(other.running), 0) FROM job_hosts AS other
 WHERE other.host = job_hosts.host AND other.running > 0) - running AS elsewhere
FROM job_hosts WHERE job_id = ? AND queued > 0 AND ready_at <= ? AND running < ? ORDER BY ready_at LIMIT ?`,
  );
  const nextItems = db.prepare<[Buffer, string, number, number], ClaimedRow>(
    `SELECT job_id, item, lease + 1 AS lease, url, host, depth, request, tries + 1 AS tries,
${recordToRead('job_items')} AS reads FROM job_items
WHERE job_id = ? AND host = ? AND state = 'queued' AND run_at <= ? ORDER BY run_at, item LIMIT ?`,
  );
  const claimItem = db.prepare(
    `UPDATE job_items SET state = 'running', lease = lease + 1, lease_until = ?, tries = tries + 1
WHERE job_id = ? AND item = ?`,
  );
  const claimHost = db.prepare(
    'UPDATE job_hosts SET queued = queued - ?, running = running + ?, ready_at = ? WHERE job_id = ? AND host = ?',
  );
  const earliestRetry = db.prepare<[Buffer, string], { run_at: number | null }>(
    `SELECT min(run_at) AS run_at FROM job_items WHERE job_id = ? AND host = ? AND state = 'queued'`,
  );
  const postpone = db.prepare('UPDATE job_hosts SET ready_at = ? WHERE job_id = ? AND host = ?');
  const claimOfJob = db.prepare('UPDATE jobs SET queued = queued - ?, running = running + ? WHERE id = ?');
  const nextReady = db.prepare<[Buffer, number], { ready_at: number | null }>(
    'SELECT min(ready_at) AS ready_at FROM job_hosts WHERE job_id = ? AND queued > 0 AND ready_at > ?',
  );

  function claimOnHost(
    id: Buffer,
    { host, running, elsewhere, delay_ms }: HostRow,
    pace: JobPace,
    limit: number,
    request: ClaimArguments,
  ): ClaimedRow[] {
    const { now, leaseUntil } = request;
    const delayMs = Math.max(pace.delay_ms, delay_ms);
    const free = Math.min(limit, pace.per_host - running, request.perHost - running - elsewhere);
    if (free <= 0) return [];
    // With a pause between two requests, one at a time.
    const rows = nextItems.all(id, host, now, delayMs > 0 ? 1 : free);
    if (rows.length === 0) {
      // All its items are retries that have to wait.
      postpone.run(earliestRetry.get(id, host)!.run_at, id, host);
      return [];
    }
    for (const row of rows) claimItem.run(leaseUntil, id, row.item);
    claimHost.run(rows.length, rows.length, now + delayMs, id, host);
    return rows;
  }

  function claimOfOne(id: Buffer, limit: number, request: ClaimArguments): ClaimedRow[] {
    const pace = paceOf.get(id);
    if (pace === undefined) return [];
    const claimed: ClaimedRow[] = [];
    // Hosts whose items all run elsewhere or wait take a place of the list, so it is longer than the limit.
    for (const host of readyHosts.all(id, request.now, pace.per_host, limit + 100)) {
      if (claimed.length >= limit) break;
      claimed.push(...claimOnHost(id, host, pace, limit - claimed.length, request));
    }
    if (claimed.length === 0) return claimed;
    claimOfJob.run(claimed.length, claimed.length, id);
    if (pace.state === 'queued') {
      begin.run(request.now, id);
      addEvent(id, 'started', null, request.now);
    }
    return claimed;
  }

  return {
    claim(request: ClaimArguments) {
      const items: ClaimedRow[] = [];
      const waiting: { readonly id: Uint8Array; readonly readyAt: number | null }[] = [];
      for (const { id, limit } of request.jobs) {
        const key = Buffer.from(id);
        const claimed = claimOfOne(key, limit, request);
        items.push(...claimed);
        if (claimed.length === 0) waiting.push({ id, readyAt: nextReady.get(key, request.now)!.ready_at });
      }
      return { items, waiting };
    },
  };
}

function prepareRelease(db: SqliteConnection, { addEvent, folders }: JobItems) {
  const renew = db.prepare(
    `UPDATE job_items SET lease_until = ? WHERE job_id = ? AND item = ? AND lease = ? AND state = 'running'`,
  );
  const giveBack = db.prepare<[number, Buffer, number, number], { host: string }>(
    `UPDATE job_items SET state = 'queued', run_at = ?, tries = max(tries - 1, 0), lease_until = NULL
WHERE job_id = ? AND item = ? AND lease = ? AND state = 'running' RETURNING host`,
  );
  const hostGotBack = db.prepare(
    'UPDATE job_hosts SET queued = queued + 1, running = running - 1, ready_at = min(ready_at, ?) WHERE job_id = ? AND host = ?',
  );
  const jobGotBack = db.prepare('UPDATE jobs SET queued = queued + 1, running = running - 1 WHERE id = ?');
  const overdue = db.prepare<
    [number],
    { job_id: Buffer; item: number; lease: number; repeatable: number; url: string; host: string }
  >(
    `SELECT job_id, item, lease, repeatable, url, host FROM job_items WHERE state = 'running' AND lease_until < ? LIMIT 1000`,
  );
  const interrupt = db.prepare(
    `UPDATE job_items SET state = 'failed', error = ?, n = (SELECT last_n + 1 FROM jobs WHERE id = @id), ended_at = ?,
lease_until = NULL WHERE job_id = @id AND item = ?`,
  );
  const setLastError = db.prepare('UPDATE jobs SET last_error = ? WHERE id = ?');
  const hostLost = db.prepare('UPDATE job_hosts SET running = running - 1 WHERE job_id = ? AND host = ?');
  const jobLost = db.prepare(
    'UPDATE jobs SET running = running - 1, failed = failed + 1, last_n = last_n + 1 WHERE id = ?',
  );
  const endIfEmpty = db.prepare(
    `UPDATE jobs SET state = 'done', ended_at = ?, expires_at = ? + kept_ms
WHERE id = ? AND queued = 0 AND running = 0 AND state IN ('queued', 'running', 'paused')`,
  );

  function release(key: LeaseKey, now: number): boolean {
    const id = Buffer.from(key.jobId);
    const row = giveBack.get(now, id, key.item, key.lease);
    if (row === undefined) return false;
    hostGotBack.run(now, id, row.host);
    jobGotBack.run(id);
    return true;
  }

  return {
    /** @returns for each lease whether it still holds */
    renew: (keys: readonly LeaseKey[], leaseUntil: number) =>
      keys.map(
        ({ jobId, item, lease }) => renew.run(leaseUntil, Buffer.from(jobId), item, lease).changes > 0,
      ),
    release(keys: readonly LeaseKey[], now: number) {
      for (const key of keys) release(key, now);
      return null;
    },
    /** @returns the number of items, at most 1,000: call again until it is 0 */
    recover(now: number, before: number, interrupted: StoredError) {
      const rows = overdue.all(before);
      for (const { job_id: id, item, lease, repeatable, url, host } of rows) {
        if (repeatable === 1) {
          release({ jobId: id, item, lease }, now);
          continue;
        }
        interrupt.run(JSON.stringify(interrupted), now, item, { id });
        const lastError: LastError = { ...interrupted, item, url, at: now };
        setLastError.run(JSON.stringify(lastError), id);
        hostLost.run(id, host);
        folders.countEnded.failed(id, url);
        jobLost.run(id);
        addEvent(id, 'item_failed', item, now);
        if (endIfEmpty.run(now, now, id).changes > 0) addEvent(id, 'done', null, now);
      }
      return rows.length;
    },
  };
}
