import type { JobEventType, StoredError } from '../../../domain/jobs.ts';
import type { SqliteConnection } from '../database.ts';
import { prepareAddDelivery } from '../webhooks/add-delivery.ts';

/** An item as sent to the writer thread. */
export interface ItemToAdd {
  readonly ref: string | null;
  readonly url: string;
  readonly host: string;
  readonly fingerprint: Uint8Array | null;
  readonly depth: number;
  readonly parent: number | null;
  readonly request: Uint8Array | null;
  readonly repeatable: boolean;
  readonly skipped: StoredError | null;
}

interface JobNumbers {
  last_item: number;
  last_n: number;
  last_event: number;
  max_visits: number | null;
  delay_ms: number;
  /** Items that are not skipped. */
  visits: number;
}

const LIMIT_REACHED: StoredError = {
  code: 'skip.limit',
  message: 'The job has reached its limit of pages.',
};

/** Adds items and events to a job; an event that a webhook is to get becomes a delivery. Each function is a part of a transaction of the caller. */
export function prepareJobItems(db: SqliteConnection) {
  const { addDelivery } = prepareAddDelivery(db);
  const numbersOf = db.prepare<[Buffer], JobNumbers>(
    `SELECT last_item, last_n, last_event, max_visits, delay_ms, queued + running + ok + failed AS visits
FROM jobs WHERE id = ? AND state IN ('created', 'queued', 'running', 'paused')`,
  );
  const insertItem = db.prepare(
    `INSERT INTO job_items (job_id, item, n, ref, url, host, fingerprint, depth, parent, request, repeatable, state, error, ended_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const addToHost = db.prepare(
    `INSERT INTO job_hosts (job_id, host, queued, running, ready_at) VALUES (?, ?, 1, 0, ?)
ON CONFLICT (job_id, host) DO UPDATE SET queued = queued + 1, ready_at = min(ready_at, ? )`,
  );
  const addToJob = db.prepare(
    `UPDATE jobs SET last_item = ?, last_n = ?, queued = queued + ?, skipped = skipped + ?, duplicates = duplicates + ?
WHERE id = ?`,
  );
  const insertEvent = db.prepare(
    'INSERT INTO job_events (job_id, sequence, at, type, item) VALUES (?, ?, ?, ?, ?)',
  );
  const countEvent = db.prepare<[Buffer], { last_event: number }>(
    'UPDATE jobs SET last_event = last_event + 1 WHERE id = ? RETURNING last_event',
  );

  function addEvent(jobId: Buffer, type: JobEventType, item: number | null, now: number): void {
    const { last_event: sequence } = countEvent.get(jobId)!;
    insertEvent.run(jobId, sequence, now, type, item);
    addDelivery(jobId, sequence, type, item, now);
  }

  /** Adds items that are not there yet, unless the job has ended. Beyond the limit of visits, they are skipped. */
  function addItems(jobId: Buffer, items: readonly ItemToAdd[], now: number): void {
    const job = numbersOf.get(jobId);
    if (job === undefined) return;
    const { delay_ms: delayMs, max_visits: maxVisits } = job;
    let { last_item: number, last_n: n, visits } = job;
    let queued = 0;
    let skipped = 0;
    let duplicates = 0;
    for (const item of items) {
      const isOver = maxVisits !== null && visits >= maxVisits;
      const reason = item.skipped ?? (isOver ? LIMIT_REACHED : null);
      const values = [item.ref, item.url, item.host, item.fingerprint, item.depth, item.parent];
      const ending = reason === null ? ['queued', null, null] : ['skipped', JSON.stringify(reason), now];
      const { changes } = insertItem.run(
        jobId,
        number + 1,
        reason === null ? null : n + 1,
        ...values,
        reason === null ? item.request : null,
        item.repeatable ? 1 : 0,
        ...ending,
      );
      if (changes === 0) {
        duplicates++;
        continue;
      }
      number++;
      if (reason === null) {
        queued++;
        visits++;
        addToHost.run(jobId, item.host, now, now + delayMs);
      } else {
        skipped++;
        n++;
      }
    }
    addToJob.run(number, n, queued, skipped, duplicates, jobId);
  }

  return { addItems, addEvent };
}

export type JobItems = ReturnType<typeof prepareJobItems>;
