import { searchText } from '../../../../domain/job-label.ts';
import type { StoredError } from '../../../../domain/jobs.ts';
import { DELETED_TABLES, UNSTARTED_MS } from '../../queries/jobs/job-rules.ts';
import {
  REQUEUED_COLUMNS,
  RETRIED_ROWS,
  type RetriedPart,
  retriedItems,
  waitingForRetry,
} from '../../queries/jobs/retry-in-parts.ts';
import type { SqliteConnection } from '../database.ts';
import type { InsertRecord } from '../prepared-statements.ts';
import { prepareWebhookTransactions } from '../webhook-transactions.ts';
import { prepareEndItems } from './end-items.ts';
import { prepareJobItems } from './job-items.ts';
import { prepareLeases } from './leases.ts';
import { type PackedItems, unpackItems } from './packed-items.ts';

const OPEN = `state IN ('queued', 'running', 'paused')`;

/** Rows that one transaction deletes: few enough not to delay the records of scrapes. */
const DELETED_ROWS = 2_000;

/**
 * The transactions of JobStore and WebhookStore, for the writer thread: each name is a method of one of them, or a part of one. Ids of jobs are
 * the 16 bytes.
 */
export function prepareJobTransactions(db: SqliteConnection, insertRecord: InsertRecord) {
  const items = prepareJobItems(db);
  const leases = prepareLeases(db, items);
  return {
    ...leases,
    ...prepareEndItems(db, items, insertRecord),
    ...prepareStart(db, items),
    ...prepareStateChanges(db, items),
    ...prepareRetries(db, items),
    ...prepareTryNow(db),
    ...prepareDeletion(db),
    ...prepareWebhookTransactions(db),
  };
}

/** A transaction by its name and its arguments, as they come from the other thread. */
export type JobTransactionName = keyof ReturnType<typeof prepareJobTransactions>;

function prepareStart(db: SqliteConnection, { addItems, addEvent }: ReturnType<typeof prepareJobItems>) {
  const stateOf = db.prepare<[Buffer], { user_id: Buffer; name: string | null; queued: number }>(
    `SELECT user_id, name, queued FROM jobs WHERE id = ? AND state = 'created'`,
  );
  const openOf = db.prepare<[Buffer], { jobs: number; queued: number | null }>(
    `SELECT count(*) AS jobs, sum(queued) AS queued FROM jobs WHERE user_id = ? AND ${OPEN}`,
  );
  const setSpec = db.prepare('UPDATE jobs SET spec = ? WHERE id = ?');
  const firstOf = db.prepare<[Buffer], { url: string }>(
    'SELECT url FROM job_items WHERE job_id = ? ORDER BY item LIMIT 1',
  );
  const setFirst = db.prepare('UPDATE jobs SET first_url = ?, search = ? WHERE id = ?');
  const setQueued = db.prepare(`UPDATE jobs SET state = 'queued' WHERE id = ?`);
  const setDone = db.prepare(
    `UPDATE jobs SET state = 'done', started_at = ?, ended_at = ?, expires_at = ? + kept_ms WHERE id = ?`,
  );
  return {
    add: (jobId: Uint8Array, added: PackedItems, now: number) => {
      addItems(Buffer.from(jobId), unpackItems(added), now);
      return null;
    },
    start(
      jobId: Uint8Array,
      now: number,
      limits: { openJobs: number; queuedItems: number },
      spec: Uint8Array | null,
    ) {
      const id = Buffer.from(jobId);
      const job = stateOf.get(id);
      if (job === undefined) return null;
      const open = openOf.get(job.user_id)!;
      if (open.jobs >= limits.openJobs) return 'limit.jobs' as const;
      if ((open.queued ?? 0) + job.queued > limits.queuedItems) return 'limit.items' as const;
      if (spec !== null) setSpec.run(spec, id);
      const firstUrl = firstOf.get(id)?.url ?? null;
      setFirst.run(firstUrl, searchText({ name: job.name, firstUrl }), id);
      if (job.queued > 0) setQueued.run(id);
      else {
        // All items are skipped.
        setDone.run(now, now, now, id);
        addEvent(id, 'done', null, now);
      }
      return null;
    },
  };
}

function prepareStateChanges(db: SqliteConnection, { addEvent }: ReturnType<typeof prepareJobItems>) {
  const pause = db.prepare(
    `UPDATE jobs SET state = 'paused', pause_reason = ?, pause_since = ?, resumes_at = ?
WHERE id = ? AND state IN ('queued', 'running')`,
  );
  const resume = db.prepare(
    `UPDATE jobs SET state = CASE WHEN started_at IS NULL THEN 'queued' ELSE 'running' END,
pause_reason = NULL, pause_since = NULL, resumes_at = NULL WHERE id = ? AND state = 'paused'`,
  );
  const rebind = db.prepare('UPDATE jobs SET key_id = ? WHERE id = ?');
  const keyOf = db.prepare<[Buffer], { key_id: string | null }>('SELECT key_id FROM jobs WHERE id = ?');
  const openOfKey = db.prepare<[string], { id: Buffer; pause_reason: string | null }>(
    `SELECT id, pause_reason FROM jobs WHERE key_id = ? AND ${OPEN}`,
  );
  const due = db.prepare<[number], { id: Buffer }>(
    `SELECT id FROM jobs WHERE state = 'paused' AND resumes_at <= ? LIMIT 100`,
  );
  const end = db.prepare(
    `UPDATE jobs SET state = ?, error = ?, pause_reason = NULL, pause_since = NULL, resumes_at = NULL, ended_at = ?,
expires_at = ? + kept_ms WHERE id = ? AND ${OPEN}`,
  );

  function resumeJob(id: Buffer, now: number): boolean {
    if (resume.run(id).changes === 0) return false;
    addEvent(id, 'resumed', null, now);
    return true;
  }

  function endJob(
    id: Buffer,
    state: 'cancelled' | 'failed',
    error: StoredError | null,
    now: number,
  ): boolean {
    const text = error === null ? null : JSON.stringify(error);
    if (end.run(state, text, now, now, id).changes === 0) return false;
    addEvent(id, state, null, now);
    return true;
  }

  return {
    pause(
      jobId: Uint8Array,
      reason: string,
      resumesAt: number | null,
      now: number,
      keyId: string | null | undefined,
    ) {
      const id = Buffer.from(jobId);
      if (keyId !== undefined && keyOf.get(id)?.key_id !== keyId) return false;
      if (pause.run(reason, now, resumesAt, id).changes === 0) return false;
      addEvent(id, 'paused', null, now);
      return true;
    },
    resume(jobId: Uint8Array, keyId: string | null | undefined, now: number) {
      const id = Buffer.from(jobId);
      if (!resumeJob(id, now)) return false;
      if (keyId !== undefined) rebind.run(keyId, id);
      return true;
    },
    moveKey(from: string, to: string, now: number) {
      for (const { id, pause_reason: reason } of openOfKey.all(from)) {
        rebind.run(to, id);
        if (reason === 'key') resumeJob(id, now);
      }
      return null;
    },
    resumeDue: (now: number) => due.all(now).flatMap(({ id }) => (resumeJob(id, now) ? [id] : [])),
    cancel: (jobId: Uint8Array, now: number) => endJob(Buffer.from(jobId), 'cancelled', null, now),
    fail: (jobId: Uint8Array, error: StoredError, now: number) =>
      endJob(Buffer.from(jobId), 'failed', error, now),
  };
}

function prepareRetries(db: SqliteConnection, { addEvent, folders }: ReturnType<typeof prepareJobItems>) {
  const jobOf = db.prepare<[Buffer], { state: string }>(
    `SELECT state FROM jobs WHERE id = ? AND state <> 'deleted'`,
  );
  // `error`: of an item that was not failed.
  const requeue = db.prepare<
    { id: Buffer; after: number },
    { item: number; url: string; host: string; error: string | null }
  >(
    `UPDATE job_items SET ${REQUEUED_COLUMNS} WHERE job_id = @id AND item IN (${retriedItems('@id', '@after')})
RETURNING item, url, host, error`,
  );
  const addToHost = db.prepare(
    'UPDATE job_hosts SET queued = queued + 1, ready_at = min(ready_at, ?) WHERE job_id = ? AND host = ?',
  );
  const count = db.prepare(
    'UPDATE jobs SET queued = queued + @failed + @unread, failed = failed - @failed, ok = ok - @unread WHERE id = @id',
  );
  const reopen = db.prepare(
    `UPDATE jobs SET state = CASE WHEN state = 'paused' THEN state ELSE 'running' END, error = NULL, ended_at = NULL,
expires_at = NULL, results_deleted = 0 WHERE id = ?`,
  );
  return {
    /** @param after items up to this one have been retried */
    retryPart(jobId: Uint8Array, after: number, now: number): RetriedPart | null {
      const id = Buffer.from(jobId);
      const job = jobOf.get(id);
      if (job === undefined || job.state === 'queued' || job.state === 'running') return null;
      const retried = requeue.all({ id, after });
      if (retried.length === 0 && after === 0) return { count: 0, last: null };
      for (const { url, host, error } of retried) {
        addToHost.run(now, id, host);
        folders.countRetried[error === null ? 'failed' : 'ok'](id, url);
      }
      const unread = retried.filter(({ error }) => error !== null).length;
      count.run({ id, unread, failed: retried.length - unread });
      if (retried.length === RETRIED_ROWS)
        return { count: retried.length, last: Math.max(...retried.map(({ item }) => item)) };
      reopen.run(id);
      addEvent(id, 'resumed', null, now);
      return { count: retried.length, last: null };
    },
  };
}

function prepareTryNow(db: SqliteConnection) {
  const mayStart = db.prepare(`SELECT 1 FROM jobs WHERE id = ? AND state IN ('queued', 'running')`);
  const release = db.prepare<{ id: Buffer; now: number; items: string | null }, { host: string }>(
    `UPDATE job_items SET run_at = @now WHERE job_id = @id AND item IN (${waitingForRetry('@id', '@now', '(SELECT value FROM json_each(@items))', '@items')})
RETURNING host`,
  );
  const wake = db.prepare(
    `UPDATE job_hosts SET ready_at = min(ready_at, ? + max(delay_ms, (SELECT delay_ms FROM jobs WHERE id = @id)))
WHERE job_id = @id AND host = ?`,
  );
  return {
    /** @param items JSON array of numbers; null: all. @returns how many, at most 1,000: call again until it is less */
    tryPart(jobId: Uint8Array, items: string | null, now: number): number | null {
      const id = Buffer.from(jobId);
      if (mayStart.get(id) === undefined) return null;
      const rows = release.all({ id, now, items });
      for (const host of new Set(rows.map((row) => row.host))) wake.run(now, host, { id });
      return rows.length;
    },
  };
}

function prepareDeletion(db: SqliteConnection) {
  const hide = db.prepare(`UPDATE jobs SET state = 'deleted' WHERE id = ?`);
  const deletions = DELETED_TABLES.map(([table, job, key]) =>
    db.prepare(
      `DELETE FROM ${table} WHERE ${job} = @id AND (${key}) IN (SELECT ${key} FROM ${table} WHERE ${job} = @id LIMIT ${DELETED_ROWS})`,
    ),
  );
  const deleteWebhook = db.prepare('DELETE FROM webhooks WHERE source_id = ?');
  const deleteJob = db.prepare(`DELETE FROM jobs WHERE id = ? AND state = 'deleted'`);
  const unfinished = db.prepare<[number], { id: Buffer }>(
    `SELECT id FROM jobs WHERE state = 'deleted' OR (state = 'created' AND created_at < ?)`,
  );
  return {
    /** @returns false: there is no such job */
    hide: (jobId: Uint8Array) => hide.run(Buffer.from(jobId)).changes > 0,
    /** Deletes a part of a hidden job. @returns whether all is deleted */
    deletePart(jobId: Uint8Array) {
      const id = Buffer.from(jobId);
      for (const deletion of deletions) if (deletion.run({ id }).changes === DELETED_ROWS) return false;
      deleteWebhook.run(id);
      deleteJob.run(id);
      return true;
    },
    /** Jobs whose deletion was interrupted, or that were never started. */
    unfinished: (now: number) => unfinished.all(now - UNSTARTED_MS).map(({ id }) => id),
  };
}
