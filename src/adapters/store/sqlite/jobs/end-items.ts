import type { ItemFacts, LastError, StoredError } from '../../../../domain/jobs.ts';
import { MAX_SAME_PAGES, SAME_PAGE } from '../../queries/jobs/job-rules.ts';
import type { SqliteConnection } from '../database.ts';
import type { InsertRecord, RecordInsertRow } from '../prepared-statements.ts';
import { deserializeError } from '../sqlite-errors.ts';
import { prepareJobBlocks } from './job-blocks.ts';
import type { ItemToAdd, JobItems } from './job-items.ts';
import { type PackedItems, unpackItems } from './packed-items.ts';

/** `ItemEnd` of src/ports/jobs.ts as sent to the writer thread. */
export interface EndedItem {
  readonly jobId: Uint8Array;
  readonly item: number;
  readonly lease: number;
  readonly state: 'ok' | 'failed' | 'skipped' | 'queued';
  readonly retryAt: number;
  /** Tries that do not count. */
  readonly uncounted: 0 | 1;
  readonly outcome: string | null;
  /** JSON text. */
  readonly error: string | null;
  readonly facts: ItemFacts | null;
  readonly cost: number;
  readonly scrapeId: Uint8Array | null;
  /** null: there is no record. */
  readonly row: RecordInsertRow | null;
  readonly content: Uint8Array | null;
  readonly webhookContent: Uint8Array | null;
  readonly found: PackedItems | null;
  readonly unlisted: number;
  readonly page: EndedPage | null;
  readonly now: number;
}

/** `VisitedPage` of src/domain/jobs.ts. */
export interface EndedPage {
  /** One item. */
  readonly redirected: PackedItems | null;
  readonly content: Uint8Array | null;
  readonly blocks: readonly number[] | null;
  readonly delayMs: number;
}

type JudgedEnd = Omit<EndedItem, 'found'> & { readonly found: readonly ItemToAdd[] };

interface LeasedItem {
  url: string;
  host: string;
  depth: number;
}

interface EndedJob {
  state: string;
  queued: number;
  running: number;
  ok: number;
  kind: string;
  outcomes: string;
}

/** The end of an item: its record, what was found on its page, the counts and the events, in one transaction. */
export function prepareEndItems(
  db: SqliteConnection,
  { addItems, addEvent, counters, folders }: JobItems,
  insertRecord: InsertRecord,
) {
  const hostDelay = db.prepare(
    'UPDATE job_hosts SET delay_ms = ?, ready_at = max(ready_at, ?) WHERE job_id = ? AND host = ?',
  );
  const itemOf = db.prepare<[Buffer, Uint8Array], { item: number }>(
    'SELECT item FROM job_items WHERE job_id = ? AND fingerprint = ?',
  );
  const notVisited = db.prepare('UPDATE jobs SET visits = visits - 1 WHERE id = ?');
  const leased = db.prepare<[Buffer, number, number], LeasedItem>(
    `SELECT url, host, depth FROM job_items WHERE job_id = ? AND item = ? AND lease = ? AND state = 'running'`,
  );
  const jobOf = db.prepare<[Buffer], EndedJob>(
    'SELECT state, queued, running, ok, kind, outcomes FROM jobs WHERE id = ?',
  );
  const endItem = db.prepare(
    `UPDATE job_items SET state = ?, n = (SELECT last_n FROM jobs WHERE id = @id), outcome = ?, error = ?,
scrape_id = coalesce(?, scrape_id), ended_at = ?, lease_until = NULL WHERE job_id = @id AND item = ?`,
  );
  const retryItem = db.prepare(
    `UPDATE job_items SET state = 'queued', run_at = ?, tries = tries - ?, outcome = ?, error = ?, scrape_id = coalesce(?, scrape_id),
lease_until = NULL WHERE job_id = ? AND item = ?`,
  );
  const setFacts = db.prepare(
    'UPDATE job_items SET status_code = ?, verdict = ?, title = ?, bytes = ? WHERE job_id = ? AND item = ?',
  );
  const hostEnded = db.prepare('UPDATE job_hosts SET running = running - 1 WHERE job_id = ? AND host = ?');
  const hostRetries = db.prepare(
    `UPDATE job_hosts SET running = running - 1, queued = queued + 1,
ready_at = CASE WHEN queued = 0 THEN ? ELSE ready_at END WHERE job_id = ? AND host = ?`,
  );
  const countEnd = {
    ok: db.prepare('UPDATE jobs SET running = running - 1, ok = ok + 1, last_n = last_n + 1 WHERE id = ?'),
    failed: db.prepare(
      'UPDATE jobs SET running = running - 1, failed = failed + 1, last_n = last_n + 1 WHERE id = ?',
    ),
    skipped: db.prepare(
      'UPDATE jobs SET running = running - 1, skipped = skipped + 1, last_n = last_n + 1 WHERE id = ?',
    ),
    queued: db.prepare('UPDATE jobs SET running = running - 1, queued = queued + 1 WHERE id = ?'),
  };
  const addScrape = db.prepare('UPDATE jobs SET cost = cost + ?, outcomes = ? WHERE id = ?');
  const endJob = db.prepare(
    `UPDATE jobs SET state = ?, error = ?, ended_at = ?, expires_at = ? + kept_ms, pause_reason = NULL, pause_since = NULL,
resumes_at = NULL WHERE id = ?`,
  );
  const setLastError = db.prepare('UPDATE jobs SET last_error = ? WHERE id = ?');
  const countBlocks = prepareJobBlocks(db);
  const startPageOk = db.prepare<[Buffer], { item: number }>(
    `SELECT item FROM job_items WHERE job_id = ? AND state = 'ok' LIMIT 1`,
  );
  const firstError = db.prepare<[Buffer], { error: string }>(
    `SELECT error FROM job_items WHERE job_id = ? AND error IS NOT NULL ORDER BY item LIMIT 1`,
  );

  function storeRecord(end: Pick<EndedItem, 'row' | 'content' | 'jobId'>): void {
    if (end.row === null) return;
    const refused = insertRecord(end.row, end.content, Buffer.from(end.jobId));
    // The id was made for this scrape. A conflict is a bug, and must not be taken for a stored record.
    if (refused !== null) throw deserializeError(refused);
  }

  function endJobIfDone(id: Buffer, now: number): void {
    const job = jobOf.get(id)!;
    if (job.queued > 0 || job.running > 0 || !['queued', 'running', 'paused'].includes(job.state)) return;
    const failed = job.kind === 'crawl' && startPageOk.get(id) === undefined;
    const error = failed ? (firstError.get(id)?.error ?? null) : null;
    endJob.run(failed ? 'failed' : 'done', error, now, now, id);
    addEvent(id, failed ? 'failed' : 'done', null, now);
  }

  /** The end with what is known of other pages: the page may be one of them. */
  function judged(id: Buffer, host: string, end: EndedItem): JudgedEnd {
    const { page, state, item, now } = end;
    const found = end.found === null ? [] : unpackItems(end.found);
    if (page === null || state === 'queued') return { ...end, found };
    if (page.delayMs > 0) hostDelay.run(page.delayMs, now + page.delayMs, id, host);
    if (state !== 'ok') return { ...end, found };
    const skipped = (error: string): JudgedEnd => ({
      ...end,
      state: 'skipped',
      error,
      found: [],
      unlisted: 0,
    });
    const { content } = page;
    const redirected = page.redirected === null ? null : unpackItems(page.redirected)[0]!;
    const other = redirected === null ? undefined : itemOf.get(id, redirected.fingerprint!);
    if (other !== undefined && other.item !== item) return skipped(JSON.stringify(redirected!.skipped));
    if (content !== null) {
      const pages = counters.open(id);
      const name = Buffer.concat([content, Buffer.from(host)]);
      if (pages.count(name) >= MAX_SAME_PAGES) return skipped(JSON.stringify(SAME_PAGE));
      pages.add(name);
      pages.store();
    }
    return { ...end, found: redirected === null || other !== undefined ? found : [redirected, ...found] };
  }

  function noteError(id: Buffer, item: number, url: string, error: string, at: number): void {
    const lastError: LastError = { ...(JSON.parse(error) as StoredError), item, url, at };
    setLastError.run(JSON.stringify(lastError), id);
  }

  function endOne(ended: EndedItem): 'stored' | 'lost' {
    const id = Buffer.from(ended.jobId);
    const { item, now } = ended;
    const found = leased.get(id, item, ended.lease);
    if (found === undefined) return 'lost';
    const end = judged(id, found.host, ended);
    storeRecord(end);
    if (end.state === 'queued') {
      retryItem.run(end.retryAt, end.uncounted, end.outcome, end.error, end.scrapeId, id, item);
      hostRetries.run(end.retryAt, id, found.host);
      countEnd.queued.run(id);
    } else {
      countEnd[end.state].run(id);
      endItem.run(end.state, end.outcome, end.error, end.scrapeId, now, item, { id });
      hostEnded.run(id, found.host);
      folders.countEnded[end.state](id, found.url);
      if (end.state === 'skipped' && end.outcome === null) notVisited.run(id);
      if (end.state === 'ok' && end.page?.blocks) countBlocks(id, found.host, end.page.blocks);
      if (end.found.length > 0 || end.unlisted > 0) addItems(id, end.found, now, end.unlisted);
      if (end.state !== 'skipped')
        addEvent(id, end.state === 'ok' ? 'page' : 'item_failed', item, now, end.webhookContent);
    }
    if (end.facts !== null) {
      const { statusCode, verdict, title, bytes } = end.facts;
      setFacts.run(statusCode, verdict, title, bytes, id, item);
    }
    if (end.error !== null && end.state !== 'skipped') noteError(id, item, found.url, end.error, now);
    if (end.outcome !== null) {
      const outcomes = JSON.parse(jobOf.get(id)!.outcomes) as Record<string, number>;
      outcomes[end.outcome] = (outcomes[end.outcome] ?? 0) + 1;
      addScrape.run(end.cost, JSON.stringify(outcomes), id);
    }
    endJobIfDone(id, now);
    return 'stored';
  }

  const skipQueued = db.prepare<[Buffer, number], { item: number; url: string; host: string }>(
    `SELECT item, url, host FROM job_items WHERE job_id = ? AND state = 'queued' LIMIT ?`,
  );
  const skipItem = db.prepare(
    `UPDATE job_items SET state = 'skipped', error = ?, ended_at = ?,
n = (SELECT last_n FROM jobs WHERE id = @id) WHERE job_id = @id AND item = ?`,
  );
  const hostSkipped = db.prepare('UPDATE job_hosts SET queued = queued - 1 WHERE job_id = ? AND host = ?');
  const countSkipped = db.prepare(
    'UPDATE jobs SET queued = queued - 1, skipped = skipped + 1, last_n = last_n + 1 WHERE id = ?',
  );

  return {
    end: (ends: readonly EndedItem[]) => ends.map(endOne),
    skipQueued(jobId: Uint8Array, reason: string, limit: number, now: number) {
      const id = Buffer.from(jobId);
      const rows = skipQueued.all(id, limit);
      for (const { item, url, host } of rows) {
        countSkipped.run(id);
        folders.countEnded.skipped(id, url);
        skipItem.run(reason, now, item, { id });
        hostSkipped.run(id, host);
      }
      if (rows.length > 0) endJobIfDone(id, now);
      return rows.length;
    },
  };
}
