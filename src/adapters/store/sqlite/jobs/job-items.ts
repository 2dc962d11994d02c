import type { JobEventType, StoredError, UrlForm } from '../../../../domain/jobs.ts';
import { type EndedJob, endOfJob } from '../../queries/jobs/end-of-job.ts';
import { LIMIT_COUNTER, LIMIT_REACHED, MAX_SKIPPED_ITEMS, tooMany } from '../../queries/jobs/job-rules.ts';
import { tellStatements } from '../../queries/tell.ts';
import { prepareAddDelivery } from '../add-delivery.ts';
import type { SqliteConnection } from '../database.ts';
import { prepareFolderCounts } from './count-folders.ts';
import { prepareCounters } from './job-counters.ts';

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
  readonly form: UrlForm | null;
}

type EndedJobRow = Pick<EndedJob, 'kind' | 'ok' | 'failed' | 'skipped' | 'error'>;

interface JobNumbers {
  last_item: number;
  last_n: number;
  last_event: number;
  max_visits: number | null;
  delay_ms: number;
  /** Items that were or will be fetched. */
  visits: number;
  skipped: number;
}

/** Adds items and events to a job; an event that a webhook is to get becomes a delivery. Each function is a part of a transaction of the caller. */
export function prepareJobItems(db: SqliteConnection) {
  const { addDelivery } = prepareAddDelivery(db);
  const numbersOf = db.prepare<[Buffer], JobNumbers>(
    `SELECT last_item, last_n, last_event, max_visits, delay_ms, visits, skipped
FROM jobs WHERE id = ? AND state IN ('created', 'queued', 'running', 'paused')`,
  );
  const itemOf = db.prepare<[Buffer, Uint8Array]>(
    'SELECT 1 FROM job_items WHERE job_id = ? AND fingerprint = ? AND fingerprint IS NOT NULL',
  );
  const insertItem = db.prepare(
    `INSERT INTO job_items (job_id, item, n, ref, url, host, fingerprint, depth, parent, request, repeatable, state, error, ended_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const addToHost = db.prepare(
    `INSERT INTO job_hosts (job_id, host, queued, running, ready_at) VALUES (?, ?, 1, 0, ?)
ON CONFLICT (job_id, host) DO UPDATE SET queued = queued + 1, ready_at = min(ready_at, ? + delay_ms)`,
  );
  const addToJob = db.prepare(
    `UPDATE jobs SET last_item = ?, last_n = ?, queued = queued + ?, skipped = skipped + ?, duplicates = duplicates + ?,
visits = ?, unlisted = unlisted + ? WHERE id = ?`,
  );
  const insertEvent = db.prepare(
    'INSERT INTO job_events (job_id, sequence, at, type, item) VALUES (?, ?, ?, ?, ?)',
  );
  const countEvent = db.prepare<[Buffer], { last_event: number }>(
    'UPDATE jobs SET last_event = last_event + 1 WHERE id = ? RETURNING last_event',
  );

  const endedJob = db.prepare<[Buffer], EndedJobRow>(
    `SELECT j.kind, j.ok, j.failed, j.skipped, j.error FROM jobs AS j JOIN notification_sources AS s ON s.source_id = j.id
WHERE j.id = ?`,
  );
  /** Tells people of the end of a job. */
  function tellEnd(jobId: Buffer, sequence: number, state: 'done' | 'failed', now: number): void {
    const job = endedJob.get(jobId);
    if (job === undefined) return;
    for (const [text, parameters] of tellStatements(endOfJob(jobId, sequence, { ...job, state }, now)))
      db.prepare(text).run(...parameters);
  }

  const counters = prepareCounters(db);
  const folders = prepareFolderCounts(db);

  function addEvent(
    jobId: Buffer,
    type: JobEventType,
    item: number | null,
    now: number,
    webhookContent: Uint8Array | null = null,
  ): void {
    const { last_event: sequence } = countEvent.get(jobId)!;
    insertEvent.run(jobId, sequence, now, type, item);
    addDelivery(jobId, sequence, type, item, now, webhookContent);
    if (type === 'done' || type === 'failed') tellEnd(jobId, sequence, type, now);
  }

  /**
   * Adds items that are not there yet, unless the job has ended. Beyond the limit of visits, the first one is skipped, and the
   * others are counted.
   * @param unlisted skipped URLs that are not in `items`
   */
  function addItems(jobId: Buffer, items: readonly ItemToAdd[], now: number, unlisted = 0): void {
    const job = numbersOf.get(jobId);
    if (job === undefined) return;
    const { delay_ms: delayMs, max_visits: maxVisits } = job;
    let { last_item: number, last_n: n, visits } = job;
    let queued = 0;
    let skipped = 0;
    let duplicates = 0;
    const forms = counters.open(jobId);
    const limit = Buffer.from(LIMIT_COUNTER);
    const withFolders = folders.areCounted(jobId, number);
    for (const item of items) {
      const form = item.form === null ? null : Buffer.from(item.form.text);
      const isOver = maxVisits !== null && visits >= maxVisits;
      if (isOver && item.skipped === null && forms.count(limit) > 0) {
        if (item.fingerprint !== null && itemOf.get(jobId, item.fingerprint) !== undefined) duplicates++;
        else unlisted++;
        continue;
      }
      const isEndless = form !== null && forms.count(form) >= item.form!.limit;
      const reason =
        item.skipped ?? (isOver ? LIMIT_REACHED : null) ?? (isEndless ? tooMany(item.form!) : null);
      if (reason !== null && job.skipped + skipped >= MAX_SKIPPED_ITEMS) {
        unlisted++;
        continue;
      }
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
      if (withFolders) folders.countAdded(jobId, item.url, reason !== null);
      if (reason === null) {
        queued++;
        visits++;
        addToHost.run(jobId, item.host, now, now + delayMs);
        if (form !== null) forms.add(form);
      } else {
        skipped++;
        n++;
        if (reason === LIMIT_REACHED) forms.add(limit);
      }
    }
    forms.store();
    addToJob.run(number, n, queued, skipped, duplicates, visits, unlisted, jobId);
  }

  return { addItems, addEvent, counters, folders };
}

export type JobItems = ReturnType<typeof prepareJobItems>;
