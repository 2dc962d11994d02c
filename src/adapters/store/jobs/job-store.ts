import { type SqlBool, sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type {
  ItemCounts,
  ItemRow,
  ItemState,
  JobEvent,
  JobEventType,
  JobKind,
  JobRow,
  JobState,
  NewItem,
  PauseReason,
  VisitedPage,
} from '../../../domain/jobs.ts';
import type { ClaimResult, ItemEnd, ItemEndResult, JobStore, RunnableJob } from '../../../ports/jobs.ts';
import type { RunStatements, Statement } from '../prepared-statements.ts';
import { insertRowOf } from '../put-batcher.ts';
import { type CompilableQuery, statementOf } from '../query-compiler.ts';
import { type Db, firstIdAt, type ItemTable, idBytes, idOrNull, type SelectedJob } from '../tables.ts';
import { insertWebhook } from '../webhooks/webhook-store.ts';
import type { EndedItem, EndedPage } from './end-items.ts';
import { type FolderRow, foldersQuery, isInFolder, itemFolder } from './job-folders.ts';
import type { JobTransactionName } from './job-transactions.ts';
import type { ClaimedRow } from './leases.ts';
import { packItems } from './packed-items.ts';

const ITEM_COLUMNS = [
  'item',
  'n',
  'ref',
  'url',
  'depth',
  'parent',
  'state',
  'tries',
  'outcome',
  'error',
  'scrape_id',
  'ended_at',
] as const;

/** States of jobs that lists do not show: not started yet, or being deleted. */
const HIDDEN_STATES = ['created', 'deleted'] as const;

const jobQuery = (db: Db) => db.selectFrom('jobs').selectAll().where('state', 'not in', HIDDEN_STATES);

function resultsQuery(db: Db, jobId: Uint8Array, after: number, limit: number, folder = '') {
  const query = db
    .selectFrom('job_items')
    .select(ITEM_COLUMNS)
    .where('job_id', '=', jobId)
    .where('n', '>', after)
    .orderBy('n')
    .limit(limit);
  return folder === '' ? query : query.where(isInFolder(folder));
}

function itemsQuery(db: Db, jobId: Uint8Array, state: ItemState | null, after: number, limit: number) {
  const query = db
    .selectFrom('job_items')
    .select(ITEM_COLUMNS)
    .where('job_id', '=', jobId)
    .where('item', '>', after)
    .orderBy('item')
    .limit(limit);
  return state === null ? query : query.where('state', '=', state);
}

function eventsQuery(db: Db, jobId: Uint8Array, after: number, limit: number) {
  return db
    .selectFrom('job_events')
    .select(['sequence', 'at', 'type', 'item'])
    .where('job_id', '=', jobId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit);
}

/** A block that is on fewer pages may be on them by chance. */
const MIN_COMMON_PAGES = 3;

function commonBlocksQuery(db: Db, jobId: Uint8Array, host: string) {
  return db
    .selectFrom('job_blocks')
    .innerJoin('job_hosts', (join) =>
      join
        .onRef('job_hosts.job_id', '=', 'job_blocks.job_id')
        .onRef('job_hosts.host', '=', 'job_blocks.host'),
    )
    .select('block')
    .where('job_blocks.job_id', '=', jobId)
    .where('job_blocks.host', '=', host)
    .where('job_blocks.pages', '>=', MIN_COMMON_PAGES)
    .whereRef('job_blocks.pages', '>', sql<number>`job_hosts.pages / 2.0`);
}

/** Names may contain colons, so the pair is compared as a whole. */
const hasTag = (name: string, value: string) =>
  sql<SqlBool>`exists (select 1 from json_each(jobs.tags) where key || ':' || value = ${`${name}:${value}`})`;

function runnableQuery(db: Db) {
  return db
    .selectFrom('jobs')
    .select(['id', 'user_id', 'priority', 'concurrency', 'queued', 'running'])
    .where('state', 'in', ['queued', 'running'])
    .where('queued', '>', 0);
}

/** @param transact runs a transaction of `prepareJobTransactions` in the writer thread */
export function createJobStore({
  db,
  read,
  write,
  transact,
}: {
  readonly db: Db;
  readonly read: RunStatements;
  readonly write: RunStatements;
  readonly transact: (name: JobTransactionName, args: readonly unknown[]) => Promise<unknown>;
}): JobStore {
  const rowsOf = async (statement: Statement) => (await read([statement]))[0]!.rows;

  async function deleteJob(id: Uint8Array): Promise<boolean> {
    if (!(await transact('hide', [id]))) return false;
    while (!(await transact('deletePart', [id])));
    return true;
  }

  return {
    async create(job) {
      const { webhook = null } = job;
      const ids = [idBytes(job.id), idBytes(job.userId)] as const;
      await write([
        statementOf(db.insertInto('jobs').values(columnsOf(job))),
        ...(webhook === null ? [] : [statementOf(insertWebhook(db, ...ids, webhook))]),
      ]);
    },
    async add(jobId, items, now) {
      await transact('add', [idBytes(jobId), packItems(items), now]);
    },
    async start(jobId, now, limits, spec = undefined) {
      const id = idBytes(jobId);
      const refused = (await transact('start', [id, now, limits, spec ?? null])) as Awaited<
        ReturnType<JobStore['start']>
      >;
      if (refused !== null) await deleteJob(id);
      return refused;
    },
    async delete(jobId) {
      const id = idOrNull(jobId);
      return id !== null && (await deleteJob(id));
    },
    ...createJobQueries(db, rowsOf),
    async claim({ jobs, ...request }) {
      const args = { ...request, jobs: jobs.map(({ id, limit }) => ({ id: idBytes(id), limit })) };
      const { items, waiting } = (await transact('claim', [args])) as {
        items: ClaimedRow[];
        waiting: { id: Uint8Array; readyAt: number | null }[];
      };
      const readyAt = new Map(waiting.map((job) => [uuidText(job.id), job.readyAt]));
      const claimed = items.map(({ job_id, ...item }) => ({ ...item, jobId: uuidText(job_id) }));
      return { items: claimed, readyAt } satisfies ClaimResult;
    },
    async renew(leases, leaseUntil) {
      const held = (await transact('renew', [leases.map(leaseKey), leaseUntil])) as boolean[];
      return leases.filter((_, index) => !held[index]);
    },
    async end(ends) {
      return (await transact('end', [ends.map(endedItem)])) as ItemEndResult[];
    },
    async release(leases, now) {
      await transact('release', [leases.map(leaseKey), now]);
    },
    async recover(now, all, interrupted) {
      let recovered = 0;
      for (;;) {
        const before = all ? Number.MAX_SAFE_INTEGER : now;
        const count = (await transact('recover', [now, before, interrupted])) as number;
        recovered += count;
        if (count === 0) break;
      }
      for (const id of (await transact('unfinished', [now])) as Uint8Array[]) await deleteJob(id);
      return recovered;
    },
    ...createStateChanges(db, write, transact),
  };
}

type OriginalRow = Pick<NewItem, 'ref' | 'url' | 'host' | 'fingerprint' | 'request'> & {
  readonly item: number;
  readonly repeatable: number;
};

/** The methods that only read. */
function createJobQueries(
  db: Db,
  rowsOf: (statement: Statement) => Promise<readonly unknown[]>,
): Pick<
  JobStore,
  | 'get'
  | 'list'
  | 'results'
  | 'folders'
  | 'items'
  | 'originals'
  | 'events'
  | 'hosts'
  | 'commonBlocks'
  | 'runnable'
  | 'expired'
  | 'outdated'
> {
  const idsOf = async (query: CompilableQuery) =>
    ((await rowsOf(statementOf(query))) as { id: Uint8Array }[]).map(({ id }) => uuidText(id));
  return {
    async get(jobId, userId) {
      const id = idOrNull(jobId);
      const user = userId === null ? null : idOrNull(userId);
      if (id === null || (userId !== null && user === null)) return null;
      let query = jobQuery(db).where('id', '=', id);
      if (user !== null) query = query.where('user_id', '=', user);
      const [row] = (await rowsOf(statementOf(query))) as SelectedJob[];
      return row === undefined ? null : jobRow(row);
    },
    async list({ userId, kind, state, tag, from, to }, limit, after) {
      let query = jobQuery(db).orderBy('id', 'desc').limit(limit);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      if (kind !== null) query = query.where('kind', '=', kind);
      if (state !== null) query = query.where('state', '=', state);
      if (tag !== null) query = query.where(hasTag(tag.name, tag.value));
      // The id contains the time.
      if (from !== null) query = query.where('id', '>=', firstIdAt(from));
      if (to !== null) query = query.where('id', '<', firstIdAt(to));
      const cursor = after === null ? null : idOrNull(after);
      if (cursor !== null) query = query.where('id', '<', cursor);
      return ((await rowsOf(statementOf(query))) as SelectedJob[]).map(jobRow);
    },
    async results(jobId, after, limit, folder) {
      const rows = await rowsOf(statementOf(resultsQuery(db, idBytes(jobId), after, limit, folder)));
      return (rows as ItemTable[]).map(itemRow);
    },
    async folders(jobId, parent, limit, after) {
      const rows = await rowsOf(statementOf(foldersQuery(db, jobId, parent, limit, after)));
      return (rows as FolderRow[]).map(itemFolder);
    },
    async items(jobId, state, after, limit) {
      const rows = await rowsOf(statementOf(itemsQuery(db, idBytes(jobId), state, after, limit)));
      return (rows as ItemTable[]).map(itemRow);
    },
    async originals(jobId, after, limit) {
      const query = db
        .selectFrom('job_items')
        .select(['item', 'ref', 'url', 'host', 'fingerprint', 'request', 'repeatable'])
        .where('job_id', '=', idBytes(jobId))
        .where('item', '>', after)
        .where('parent', 'is', null)
        .where('depth', '=', 0)
        .orderBy('item')
        .limit(limit);
      const rows = (await rowsOf(statementOf(query))) as OriginalRow[];
      return rows.map(({ repeatable, ...row }) => ({
        ...row,
        depth: 0,
        parent: null,
        repeatable: repeatable === 1,
        skipped: null,
        form: null,
      }));
    },
    async events(jobId, after, limit) {
      const rows = await rowsOf(statementOf(eventsQuery(db, idBytes(jobId), after, limit)));
      return (rows as (JobEvent & { type: string })[]).map((row) => ({
        ...row,
        type: row.type as JobEventType,
      }));
    },
    async hosts(jobId, limit) {
      const query = db.selectFrom('job_hosts').select('host').where('job_id', '=', idBytes(jobId));
      const rows = (await rowsOf(statementOf(query.limit(limit)))) as { host: string }[];
      return rows.map(({ host }) => host);
    },
    async commonBlocks(jobId, host) {
      const rows = await rowsOf(statementOf(commonBlocksQuery(db, idBytes(jobId), host)));
      return (rows as { block: number }[]).map(({ block }) => block);
    },
    async runnable() {
      const rows = (await rowsOf(statementOf(runnableQuery(db)))) as Pick<
        SelectedJob,
        'id' | 'user_id' | 'priority' | 'concurrency' | 'queued' | 'running'
      >[];
      return rows.map(
        ({ id, user_id, ...row }): RunnableJob => ({
          ...row,
          id: uuidText(id),
          userId: uuidText(user_id),
        }),
      );
    },
    async expired(now, limit) {
      const query = db.selectFrom('jobs').select('id').where('expires_at', '<=', now);
      return await idsOf(query.where('results_deleted', '=', 0).limit(limit));
    },
    outdated: (before, limit) =>
      idsOf(db.selectFrom('jobs').select('id').where('expires_at', '<', before).limit(limit)),
  };
}

/** The methods that change the state or the settings of jobs. */
function createStateChanges(
  db: Db,
  write: RunStatements,
  transact: (name: JobTransactionName, args: readonly unknown[]) => Promise<unknown>,
): Pick<
  JobStore,
  | 'pause'
  | 'resume'
  | 'resumeDue'
  | 'cancel'
  | 'fail'
  | 'skipQueued'
  | 'retryFailed'
  | 'update'
  | 'moveKey'
  | 'markResultsDeleted'
> {
  return {
    async pause(jobId, reason, resumesAt, now, keyId) {
      return (await transact('pause', [idBytes(jobId), reason, resumesAt, now, keyId])) as boolean;
    },
    async resume(jobId, keyId, now) {
      return (await transact('resume', [idBytes(jobId), keyId, now])) as boolean;
    },
    async resumeDue(now) {
      return ((await transact('resumeDue', [now])) as Uint8Array[]).map(uuidText);
    },
    async cancel(jobId, now) {
      return (await transact('cancel', [idBytes(jobId), now])) as boolean;
    },
    async fail(jobId, error, now) {
      await transact('fail', [idBytes(jobId), error, now]);
    },
    async skipQueued(jobId, reason, limit, now) {
      return (await transact('skipQueued', [idBytes(jobId), JSON.stringify(reason), limit, now])) as number;
    },
    async retryFailed(jobId, now) {
      return (await transact('retryFailed', [idBytes(jobId), now])) as number | null;
    },
    async update(jobId, { concurrency, priority, maxVisits }) {
      const change = {
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(priority === undefined ? {} : { priority }),
        ...(maxVisits === undefined ? {} : { max_visits: maxVisits }),
      };
      if (Object.keys(change).length === 0) return true;
      const query = db
        .updateTable('jobs')
        .set(change)
        .where('id', '=', idBytes(jobId))
        .where('state', 'in', ['queued', 'running', 'paused']);
      const [result] = await write([statementOf(query)]);
      return result!.changes > 0;
    },
    async markResultsDeleted(jobId) {
      const query = db.updateTable('jobs').set({ results_deleted: 1 }).where('id', '=', idBytes(jobId));
      await write([statementOf(query)]);
    },
    async moveKey(from, to, now) {
      await transact('moveKey', [from, to, now]);
    },
  };
}

function columnsOf(job: Parameters<JobStore['create']>[0]) {
  return {
    id: idBytes(job.id),
    user_id: idBytes(job.userId),
    key_id: job.keyId,
    kind: job.kind,
    name: job.name,
    tags: JSON.stringify(job.tags),
    metadata: job.metadata,
    priority: job.priority,
    concurrency: job.concurrency,
    per_host: job.perHost,
    delay_ms: job.delayMs,
    max_cost: job.maxCost,
    retries: job.retries,
    max_visits: job.maxVisits,
    kept_ms: job.keptMs,
    created_at: job.createdAt,
    request: job.request,
    spec: job.spec,
    state: 'created',
  };
}

function jobRow(row: SelectedJob): JobRow {
  const counts: ItemCounts = {
    queued: row.queued,
    running: row.running,
    ok: row.ok,
    failed: row.failed,
    skipped: row.skipped,
  };
  return {
    id: uuidText(row.id),
    userId: uuidText(row.user_id),
    keyId: row.key_id,
    kind: row.kind as JobKind,
    name: row.name,
    tags: JSON.parse(row.tags),
    metadata: row.metadata,
    priority: row.priority,
    concurrency: row.concurrency,
    perHost: row.per_host,
    delayMs: row.delay_ms,
    maxCost: row.max_cost,
    retries: row.retries,
    maxVisits: row.max_visits,
    keptMs: row.kept_ms,
    createdAt: row.created_at,
    request: row.request,
    spec: row.spec,
    state: row.state as JobState,
    pause:
      row.pause_reason === null
        ? null
        : { reason: row.pause_reason as PauseReason, since: row.pause_since!, resumesAt: row.resumes_at },
    counts,
    duplicates: row.duplicates,
    unlisted: row.unlisted,
    outcomes: JSON.parse(row.outcomes),
    cost: row.cost,
    error: row.error === null ? null : JSON.parse(row.error),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    expiresAt: row.expires_at,
  };
}

function itemRow(row: ItemTable): ItemRow {
  return {
    item: row.item,
    n: row.n,
    ref: row.ref,
    url: row.url,
    depth: row.depth,
    parent: row.parent,
    state: row.state as ItemState,
    tries: row.tries,
    outcome: row.outcome,
    error: row.error === null ? null : JSON.parse(row.error),
    scrapeId: row.scrape_id === null ? null : uuidText(row.scrape_id),
    endedAt: row.ended_at,
  };
}

const leaseKey = ({ jobId, item, lease }: { jobId: string; item: number; lease: number }) => ({
  jobId: idBytes(jobId),
  item,
  lease,
});

const endedPage = ({ redirected, content, blocks, delayMs }: VisitedPage): EndedPage => ({
  redirected: redirected === null ? null : packItems([redirected]),
  content: content === null ? null : Uint8Array.from(content),
  blocks,
  delayMs,
});

function endedItem(end: ItemEnd): EndedItem {
  const { record } = end;
  return {
    jobId: idBytes(end.jobId),
    item: end.item,
    lease: end.lease,
    state: end.state,
    retryAt: end.retryAt,
    outcome: end.outcome,
    error: end.error === null ? null : JSON.stringify(end.error),
    cost: end.cost,
    scrapeId: record === null ? null : idBytes(record.id),
    row: record === null ? null : insertRowOf(record),
    // A copy, because `postMessage` of a view copies the whole buffer behind it.
    content: record === null || record.content === null ? null : Uint8Array.from(record.content),
    webhookContent: end.webhookContent,
    found: end.found.length === 0 ? null : packItems(end.found),
    unlisted: end.unlisted,
    page: end.page === null ? null : endedPage(end.page),
    now: end.now,
  };
}
