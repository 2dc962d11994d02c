import { sql } from 'kysely';
import { uuidText } from '../../../../base/uuid7.ts';
import type {
  ItemRow,
  ItemState,
  JobEvent,
  JobEventType,
  JobState,
  NewItem,
} from '../../../../domain/jobs.ts';
import type { JobStore, RunnableJob } from '../../../../ports/jobs.ts';
import { decodeRow, encodeRow } from '../../schema/columns.ts';
import {
  type Db,
  ITEM_COLUMNS,
  idBytes,
  idOrNull,
  JOB_SETTINGS,
  type ListedItem,
  type SelectedJob,
} from '../../schema/tables.ts';
import { notifyQueries } from '../notification-store.ts';
import { type CompilableQuery, statementOf } from '../query-compiler.ts';
import type { RunStatements, Statement } from '../statements.ts';
import { insertWebhook } from '../webhook-store.ts';
import { createHoldUpQueries } from './hold-ups.ts';
import { createItemList } from './item-list.ts';
import type { JobDialect } from './job-dialect.ts';
import { type FolderRow, folderCountQuery, folderQueries, itemFolder } from './job-folders.ts';
import { createJobList } from './job-list.ts';
import { HIDDEN_STATES, jobQuery, jobRow } from './job-row.ts';

const LISTED = Object.keys(ITEM_COLUMNS) as (keyof typeof ITEM_COLUMNS)[];
const itemRow = (row: ListedItem): ItemRow => decodeRow(ITEM_COLUMNS, row);

/** The state of the job whose id a column has, as `job_state`; null: there is none. */
export const jobStateOf = (column: string) =>
  sql<JobState | null>`(SELECT state FROM jobs WHERE id = ${sql.ref(column)} AND state NOT IN (${sql.join(HIDDEN_STATES)}))`.as(
    'job_state',
  );

function resultsQuery(db: Db, jobId: Uint8Array, after: number, limit: number) {
  return db
    .selectFrom('job_items')
    .select(LISTED)
    .where('job_id', '=', jobId)
    .where('n', '>', after)
    .orderBy('n')
    .limit(limit);
}

function itemsQuery(db: Db, jobId: Uint8Array, state: ItemState | null, after: number, limit: number) {
  const query = db
    .selectFrom('job_items')
    .select(LISTED)
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

function runnableQuery(db: Db) {
  return db
    .selectFrom('jobs')
    .select(['id', 'user_id', 'priority', 'concurrency', 'queued', 'running'])
    .where('state', 'in', ['queued', 'running'])
    .where('queued', '>', 0);
}

type OriginalRow = Pick<NewItem, 'ref' | 'url' | 'host' | 'fingerprint' | 'request'> & {
  readonly item: number;
  readonly repeatable: number;
};

/** The methods that only read. */
export function createJobQueries(
  db: Db,
  read: RunStatements,
  dialect: JobDialect,
): Pick<
  JobStore,
  | 'get'
  | 'list'
  | 'results'
  | 'itemPage'
  | 'folders'
  | 'items'
  | 'originals'
  | 'events'
  | 'hosts'
  | 'commonBlocks'
  | 'holdUps'
  | 'waitingHosts'
  | 'runnable'
  | 'stopped'
  | 'expired'
  | 'outdated'
> {
  const rowsOf = async (statement: Statement) => (await read([statement]))[0]!.rows;
  const { foldersQuery, uncountedFoldersQuery, isInFolder } = folderQueries(dialect);
  const idsOf = async (query: CompilableQuery) =>
    ((await rowsOf(statementOf(query))) as { id: Uint8Array }[]).map(({ id }) => uuidText(id));
  const items = createItemList(db, read, dialect);
  return {
    ...createHoldUpQueries(db, read),
    ...items,
    ...createJobList(db, read, dialect),
    async get(jobId, userId) {
      const id = idOrNull(jobId);
      const user = userId === null ? null : idOrNull(userId);
      if (id === null || (userId !== null && user === null)) return null;
      let query = jobQuery(db).where('id', '=', id);
      if (user !== null) query = query.where('user_id', '=', user);
      const [row] = (await rowsOf(statementOf(query))) as SelectedJob[];
      return row === undefined ? null : jobRow(row);
    },
    async results(jobId, after, limit, { folder = '', states = null } = {}) {
      if (states !== null && folder === '') {
        const order = { sort: 'ended', descending: false } as const;
        const place = { value: after, item: Number.MAX_SAFE_INTEGER };
        const all = { states, search: null, folder, errorCode: null };
        return (await items.itemPage(jobId, { ...all, ...order, limit, after: place })).items;
      }
      let query = resultsQuery(db, idBytes(jobId), after, limit);
      if (folder !== '') query = query.where(isInFolder(folder));
      if (states !== null) query = query.where('state', 'in', states);
      return ((await rowsOf(statementOf(query))) as ListedItem[]).map(itemRow);
    },
    async folders(jobId, parent, limit, after) {
      const page = [parent, limit, after] as const;
      const [counted, folders] = await read([
        statementOf(folderCountQuery(db, jobId)),
        statementOf(foldersQuery(db, jobId, ...page)),
      ]);
      const rows =
        counted!.rows.length > 0
          ? folders!.rows
          : await rowsOf(statementOf(uncountedFoldersQuery(db, jobId, ...page)));
      return (rows as FolderRow[]).map(itemFolder);
    },
    async items(jobId, state, after, limit) {
      const rows = await rowsOf(statementOf(itemsQuery(db, idBytes(jobId), state, after, limit)));
      return (rows as ListedItem[]).map(itemRow);
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
    async stopped(jobIds) {
      if (jobIds.length === 0) return [];
      const open = db.selectFrom('jobs').select('id').where('id', 'in', jobIds.map(idBytes));
      // A job that is done may have been: its last items end while this is asked.
      const goesOn = new Set(await idsOf(open.where('state', 'not in', ['cancelled', 'failed', 'deleted'])));
      return jobIds.filter((id) => !goesOn.has(id));
    },
    async expired(now, limit) {
      const query = db.selectFrom('jobs').select('id').where('expires_at', '<=', now);
      return await idsOf(query.where('results_deleted', '=', 0).limit(limit));
    },
    outdated: (before, limit) =>
      idsOf(db.selectFrom('jobs').select('id').where('expires_at', '<', before).limit(limit)),
  };
}

/** The methods that change one row of `jobs`, which is the same in all databases. */
export function createJobUpdates(
  db: Db,
  write: RunStatements,
): Pick<JobStore, 'create' | 'update' | 'resumeSoon' | 'markResultsDeleted'> {
  return {
    async create(job) {
      const { webhook = null, notify = null } = job;
      const ids = [idBytes(job.id), idBytes(job.userId)] as const;
      await write([
        statementOf(db.insertInto('jobs').values({ ...encodeRow(JOB_SETTINGS, job), state: 'created' })),
        ...(webhook === null ? [] : [statementOf(insertWebhook(db, ...ids, webhook))]),
        ...(notify === null ? [] : notifyQueries(db, ...ids, notify).map(statementOf)),
      ]);
    },
    async update(jobId, { concurrency, priority, maxVisits, spec }) {
      const change = {
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(priority === undefined ? {} : { priority }),
        ...(maxVisits === undefined ? {} : { max_visits: maxVisits }),
        ...(spec === undefined ? {} : { spec }),
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
    async resumeSoon(reason, now) {
      const query = db
        .updateTable('jobs')
        .set({ resumes_at: now })
        .where('state', '=', 'paused')
        .where('pause_reason', '=', reason);
      await write([statementOf(query)]);
    },
    async markResultsDeleted(jobId) {
      const query = db.updateTable('jobs').set({ results_deleted: 1 }).where('id', '=', idBytes(jobId));
      await write([statementOf(query)]);
    },
  };
}
