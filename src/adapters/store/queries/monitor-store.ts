import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { JobState } from '../../../domain/jobs.ts';
import type { ChangeState, MonitorRow, MonitorRunRow } from '../../../domain/monitors.ts';
import type { Notify } from '../../../domain/notifications.ts';
import type { NewWebhook } from '../../../domain/webhooks.ts';
import type { MonitorStore, RunEnd } from '../../../ports/monitors.ts';
import { decodeRow, encodeChange, encodeRow } from '../schema/columns.ts';
import {
  CODEC_PLAIN,
  type Db,
  idBytes,
  idOrNull,
  MONITOR_COLUMNS,
  MONITOR_RUN_COLUMNS,
  MONITOR_SETTINGS,
  type MonitorPageTable,
  type MonitorRunTable,
  type MonitorTable,
  packValue,
  unpackBytes,
} from '../schema/tables.ts';
import { jobStateOf } from './jobs/job-queries.ts';
import { forgetNotifyQueries, notifyQueries, queryOf } from './notification-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import { runList } from './run-list.ts';
import type { RunStatements } from './statements.ts';
import { tellStatements } from './tell.ts';
import { insertWebhook } from './webhook-store.ts';

/** Columns of runs without what was compared. */
const RUN_COLUMNS = Object.keys(MONITOR_RUN_COLUMNS) as (keyof typeof MONITOR_RUN_COLUMNS)[];
const runRow = (row: MonitorRunTable): MonitorRunRow => decodeRow(MONITOR_RUN_COLUMNS, row);
const monitorRow = (row: MonitorTable): MonitorRow => decodeRow(MONITOR_COLUMNS, row);

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createMonitorStore(db: Db, read: RunStatements, write: RunStatements): MonitorStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));
  return {
    ...createMonitorMethods(db, rowsOf, run),
    ...createRunMethods(db, rowsOf, run),
    ...createPageMethods(db, rowsOf, run),
  };
}

type RowsOf = <T>(query: CompilableQuery) => Promise<T[]>;
type Run = (...queries: readonly CompilableQuery[]) => ReturnType<RunStatements>;

function createMonitorMethods(
  db: Db,
  rowsOf: RowsOf,
  run: Run,
): Pick<
  MonitorStore,
  | 'create'
  | 'get'
  | 'list'
  | 'lastRuns'
  | 'failing'
  | 'update'
  | 'delete'
  | 'pause'
  | 'resume'
  | 'moveKey'
  | 'due'
> {
  async function replaceWebhook(id: string, webhook: NewWebhook | null): Promise<CompilableQuery[]> {
    const key = idBytes(id);
    const [row] = await rowsOf<{ user_id: Uint8Array }>(
      db.selectFrom('monitors').select('user_id').where('id', '=', key),
    );
    const webhooks = db.updateTable('webhooks').where('source_id', '=', key);
    // The row stays: the list of deliveries needs it.
    if (webhook === null || row === undefined) return [webhooks.set({ gone: 1 })];
    const removal = db.deleteFrom('webhooks').where('source_id', '=', key);
    return [removal, insertWebhook(db, key, row.user_id, webhook)];
  }

  async function replaceNotify(id: string, notify: Notify): Promise<readonly CompilableQuery[]> {
    const key = idBytes(id);
    const [row] = await rowsOf<{ user_id: Uint8Array }>(
      db.selectFrom('monitors').select('user_id').where('id', '=', key),
    );
    return row === undefined ? [] : notifyQueries(db, key, row.user_id, notify);
  }

  const ofId = (id: string) => db.updateTable('monitors').where('id', '=', idBytes(id));
  return {
    async create(monitor, limit) {
      const values = { ...encodeRow(MONITOR_SETTINGS, monitor), state: 'active' };
      const count = sql`(SELECT count(*) FROM monitors WHERE user_id = ${values.user_id})`;
      const names = Object.keys(values).map((name) => sql.ref(name));
      const insert = sql`INSERT INTO monitors (${sql.join(names)}) SELECT ${sql.join(Object.values(values))} WHERE ${count} < ${limit}`;
      const { webhook, notify } = monitor;
      const [result] = await run(
        { compile: () => insert.compile(db) },
        ...(webhook === null ? [] : [insertWebhook(db, values.id, values.user_id, webhook)]),
        ...notifyQueries(db, values.id, values.user_id, notify),
      );
      if (result!.changes > 0) return true;
      await run(
        db.deleteFrom('webhooks').where('source_id', '=', values.id),
        ...forgetNotifyQueries(db, values.id),
      );
      return false;
    },
    async get(id, userId) {
      const key = idOrNull(id);
      if (key === null) return null;
      let query = db.selectFrom('monitors').selectAll().where('id', '=', key);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      const [row] = await rowsOf<MonitorTable>(query);
      return row === undefined ? null : monitorRow(row);
    },
    async list(userId, query) {
      return (await rowsOf<MonitorTable>(runList(db, 'monitors', userId, query))).map(monitorRow);
    },
    async lastRuns(ids) {
      if (ids.length === 0) return new Map();
      const last = sql<number>`(SELECT max(n) FROM monitor_runs AS l WHERE l.monitor_id = r.monitor_id AND l.state = 'ended')`;
      const query = db
        .selectFrom('monitor_runs as r')
        .leftJoin('jobs as j', 'j.id', 'r.job_id')
        .select(['r.monitor_id', 'r.n', 'r.ended_at', 'j.cost'])
        .where('r.monitor_id', 'in', ids.map(idBytes))
        .where('r.n', '=', last);
      type LastRow = { monitor_id: Uint8Array; n: number; ended_at: number | null; cost: number | null };
      const rows = await rowsOf<LastRow>(query);
      return new Map(
        rows.map(({ monitor_id: id, n, ended_at: endedAt, cost }) => [uuidText(id), { n, endedAt, cost }]),
      );
    },
    async failing(userId, limit) {
      let query = db
        .selectFrom('monitors')
        .select(['id', 'user_id', 'name', 'errors'])
        .where('state', '=', 'active')
        .where('errors', '>', 0)
        .orderBy('errors', 'desc')
        .orderBy('id')
        .limit(limit);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      const rows = await rowsOf<Pick<MonitorTable, 'id' | 'user_id' | 'name' | 'errors'>>(query);
      return rows.map(({ id, user_id, name, errors }) => ({
        id: uuidText(id),
        userId: uuidText(user_id),
        name,
        errors,
      }));
    },
    async update(id, change) {
      const { webhook, notify, request, ...settings } = change;
      const columns = encodeChange(MONITOR_SETTINGS, { ...settings, ...request });
      const queries: CompilableQuery[] = [];
      if (webhook !== undefined) queries.push(...(await replaceWebhook(id, webhook)));
      if (notify !== undefined) queries.push(...(await replaceNotify(id, notify)));
      if (change.name !== undefined)
        queries.push(
          db
            .updateTable('notification_sources')
            .set({ title: change.name })
            .where('source_id', '=', idBytes(id)),
        );
      if (Object.keys(columns).length > 0) queries.push(ofId(id).set(columns));
      if (change.compare !== undefined || request !== undefined) {
        const key = idBytes(id);
        queries.push(db.deleteFrom('monitor_pages').where('monitor_id', '=', key));
        queries.push(db.updateTable('monitor_runs').set({ snapshot: null }).where('monitor_id', '=', key));
      }
      if (queries.length > 0) await run(...queries);
    },
    async delete(id) {
      const key = idBytes(id);
      const [jobs] = await run(
        db
          .selectFrom('monitor_runs')
          .select('job_id')
          .where('monitor_id', '=', key)
          .where('job_id', 'is not', null),
        db.deleteFrom('monitor_pages').where('monitor_id', '=', key),
        db.deleteFrom('monitor_runs').where('monitor_id', '=', key),
        db.deleteFrom('webhooks').where('source_id', '=', key),
        ...forgetNotifyQueries(db, key),
        db.deleteFrom('monitors').where('id', '=', key),
      );
      return jobIdsOf(jobs!.rows);
    },
    async pause(id, reason) {
      const query = ofId(id).set({ state: 'paused', pause_reason: reason }).where('state', '=', 'active');
      const [result] = await run(query);
      return result!.changes > 0;
    },
    async resume(id, keyId, nextAt) {
      const change = { state: 'active', pause_reason: null, key_id: keyId, next_at: nextAt };
      const [result] = await run(ofId(id).set(change).where('state', '=', 'paused'));
      return result!.changes > 0;
    },
    async moveKey(from, to) {
      await run(db.updateTable('monitors').set({ key_id: to }).where('key_id', '=', from));
    },
    async due(now, limit) {
      const query = db
        .selectFrom('monitors')
        .selectAll()
        .where('state', '=', 'active')
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit);
      return (await rowsOf<MonitorTable>(query)).map(monitorRow);
    },
  };
}

/** Runs that say more than that nothing has changed. Others do not push them out, nor do failures those with a change. */
const TOLD_STATES: readonly (readonly ChangeState[])[] = [['changed', 'gone', 'back'], ['error']];

function createRunMethods(
  db: Db,
  rowsOf: RowsOf,
  run: Run,
): Pick<MonitorStore, 'begin' | 'skip' | 'running' | 'runs' | 'runOfJob' | 'snapshots' | 'endRun' | 'sweep'> {
  /** Takes the next number, and sets the time of the next run; changes nothing if another process was first. */
  const take = (id: Uint8Array, dueAt: number | null, nextAt: number | null) => {
    const update = db.updateTable('monitors').where('id', '=', id);
    const counted = update.set((eb) => ({ last_n: eb('last_n', '+', 1), next_at: nextAt }));
    const asked = update.set((eb) => ({ last_n: eb('last_n', '+', 1) }));
    const due = counted.where('next_at', '=', dueAt).where('state', '=', 'active');
    return (dueAt === null ? asked : due).returning('last_n');
  };
  const insertIfTaken = (
    id: Uint8Array,
    run: { state: string; dueAt: number; startedAt: number | null; job: Uint8Array | null },
  ) => {
    const insert = sql`INSERT INTO monitor_runs (monitor_id, n, state, due_at, started_at, job_id)
SELECT id, last_n, ${run.state}, ${run.dueAt}, ${run.startedAt}, ${run.job} FROM monitors
WHERE id = ${id} AND last_n > 0 AND NOT EXISTS (SELECT 1 FROM monitor_runs WHERE monitor_id = id AND n = last_n)`;
    return { compile: () => insert.compile(db) };
  };
  return {
    async begin(id, { dueAt, nextAt, jobId, now }) {
      const key = idBytes(id);
      const values = { state: 'running', dueAt: dueAt ?? now, startedAt: now, job: idBytes(jobId) };
      const [taken] = await run(take(key, dueAt, nextAt), insertIfTaken(key, values));
      return (taken!.rows[0] as { last_n: number } | undefined)?.last_n ?? null;
    },
    async skip(id, { dueAt, nextAt }) {
      const key = idBytes(id);
      const values = { state: 'skipped', dueAt, startedAt: null, job: null };
      await run(take(key, dueAt, nextAt), insertIfTaken(key, values));
    },
    async running() {
      const query = db
        .selectFrom('monitor_runs')
        .select(RUN_COLUMNS)
        .select(jobStateOf('monitor_runs.job_id'))
        .where('state', '=', 'running');
      const rows = await rowsOf<MonitorRunTable & { job_state: JobState | null }>(query);
      return rows.map((row) => ({ ...runRow(row), jobState: row.job_state }));
    },
    async runs(id, limit, before) {
      let query = db
        .selectFrom('monitor_runs')
        .select(RUN_COLUMNS)
        .where('monitor_id', '=', idBytes(id))
        .orderBy('n', 'desc')
        .limit(limit);
      if (before !== null) query = query.where('n', '<', before);
      return (await rowsOf<MonitorRunTable>(query)).map(runRow);
    },
    async runOfJob(id, jobId) {
      const [key, job] = [idOrNull(id), idOrNull(jobId)];
      if (key === null || job === null) return null;
      const query = db
        .selectFrom('monitor_runs')
        .select('n')
        .where('monitor_id', '=', key)
        .where('job_id', '=', job);
      return (await rowsOf<{ n: number }>(query))[0]?.n ?? null;
    },
    async snapshots(id, limit) {
      const query = db
        .selectFrom('monitor_runs')
        .select(['snapshot', 'snapshot_codec'])
        .where('monitor_id', '=', idBytes(id))
        .where('snapshot', 'is not', null)
        .orderBy('n', 'desc')
        .limit(limit);
      const rows = await rowsOf<Pick<MonitorRunTable, 'snapshot' | 'snapshot_codec'>>(query);
      const texts = rows.reverse().map((row) => unpackBytes(row.snapshot, row.snapshot_codec));
      return (await Promise.all(texts)).filter((text) => text !== null);
    },
    async endRun(id, n, end) {
      const key = idBytes(id);
      const [, ended] = await run(
        deliveryQuery(db, key, n, end),
        endQuery(db, key, n, end),
        ...toldQueries(key, n, end),
        db
          .updateTable('monitors')
          .set({
            errors: end.errors,
            is_gone: end.isGone ? 1 : 0,
            ...(['changed', 'gone', 'back'].includes(end.result.state) ? { changed_at: end.now } : {}),
          })
          .where('id', '=', key),
        // Of each URL only the newest page stays.
        db
          .deleteFrom('monitor_pages')
          .where('monitor_id', '=', key)
          .where('n', '<', (eb) =>
            eb
              .selectFrom('monitor_pages as newer')
              .select((inner) => inner.fn.max('newer.n').as('n'))
              .whereRef('newer.monitor_id', '=', 'monitor_pages.monitor_id')
              .whereRef('newer.url', '=', 'monitor_pages.url'),
          ),
        db.deleteFrom('monitor_pages').where('monitor_id', '=', key).where('scrape_id', '=', GONE),
      );
      return ended!.changes > 0;
    },
    async sweep(id, keep) {
      const key = idBytes(id);
      const newest = db
        .selectFrom('monitor_runs')
        .select('n')
        .where('monitor_id', '=', key)
        .where('state', '!=', 'running')
        .orderBy('n', 'desc')
        .limit(keep);
      let old = db
        .selectFrom('monitor_runs')
        .select('n')
        .where('monitor_id', '=', key)
        .where('state', '!=', 'running')
        .where('n', 'not in', db.selectFrom(newest.as('newest')).select('newest.n'));
      for (const states of TOLD_STATES) {
        // A state in the text of a difference has escaped quotes.
        const told = newest.where((eb) =>
          eb.or(states.map((state) => eb('change', 'like', `%"state":"${state}"%`))),
        );
        old = old.where('n', 'not in', db.selectFrom(told.as('told')).select('told.n'));
      }
      const [jobs] = await run(
        db
          .selectFrom('monitor_runs')
          .select('job_id')
          .where('monitor_id', '=', key)
          .where('job_id', 'is not', null)
          .where('n', 'in', old),
        db.deleteFrom('monitor_runs').where('monitor_id', '=', key).where('n', 'in', old),
        db
          .deleteFrom('monitor_pages')
          .where('monitor_id', '=', (eb) =>
            eb.selectFrom('monitors').select('id').where('id', '=', key).where('kind', '=', 'crawl'),
          )
          .where('n', '<', (eb) =>
            eb.selectFrom(newest.as('kept')).select((inner) => inner.fn.min('kept.n').as('n')),
          ),
      );
      return jobIdsOf(jobs!.rows);
    },
  };
}

/** The delivery of the event of a run that ends now, unless nobody wants it. */
function deliveryQuery(db: Db, id: Uint8Array, n: number, { event, now }: RunEnd): CompilableQuery {
  const insert = sql`INSERT INTO webhook_deliveries (source_id, sequence, user_id, receiver, type, at, queued_at, next_at)
SELECT source_id, ${n}, user_id, receiver, ${`monitor.${event}`}, ${now}, ${now}, ${now} FROM webhooks
WHERE source_id = ${id} AND gone = 0 AND events LIKE ${`%"${event}"%`}
AND EXISTS (SELECT 1 FROM monitor_runs WHERE monitor_id = ${id} AND n = ${n} AND state = 'running')
ON CONFLICT DO NOTHING`;
  return { compile: () => insert.compile(db) };
}

/** What people are told of a run that has just ended with this result. */
function toldQueries(id: Uint8Array, n: number, { event, facts, now }: RunEnd): CompilableQuery[] {
  if (event !== 'changed' && event !== 'failed' && event !== 'done') return [];
  return tellStatements({ sourceId: id, sequence: n, type: `monitor.${event}`, at: now, facts, event }, [
    `EXISTS (SELECT 1 FROM monitor_runs WHERE monitor_id = ? AND n = ? AND state = 'ended' AND ended_at = ?)`,
    [id, n, now],
  ]).map(queryOf);
}

function endQuery(db: Db, id: Uint8Array, n: number, { result, scrapeId, snapshot, now }: RunEnd) {
  const [packed, codec] = snapshot === null ? [null, 0] : packValue(snapshot);
  return db
    .updateTable('monitor_runs')
    .set({
      state: 'ended',
      ended_at: now,
      change: JSON.stringify(result),
      scrape_id: scrapeId === null ? null : idBytes(scrapeId),
      snapshot: packed,
      snapshot_codec: codec,
    })
    .where('monitor_id', '=', id)
    .where('n', '=', n)
    .where('state', '=', 'running');
}

function createPageMethods(
  db: Db,
  rowsOf: RowsOf,
  run: Run,
): Pick<MonitorStore, 'page' | 'pageUrls' | 'putPage' | 'putGone'> {
  return {
    async page(id, url, n) {
      const query = db
        .selectFrom('monitor_pages')
        .select(['scrape_id', 'snapshot', 'snapshot_codec'])
        .where('monitor_id', '=', idBytes(id))
        .where('url', '=', url)
        .where('n', '<', n)
        .orderBy('n', 'desc')
        .limit(1);
      const [row] = await rowsOf<MonitorPageTable>(query);
      if (row === undefined) return null;
      const bytes = await unpackBytes(row.snapshot, row.snapshot_codec);
      return { url, scrapeId: uuidText(row.scrape_id), bytes: bytes! };
    },
    async pageUrls(id, n, after, limit) {
      const query = db
        .selectFrom('monitor_pages')
        .select(['url', 'scrape_id'])
        .where('monitor_id', '=', idBytes(id))
        .where('n', '<', n)
        .where('url', '>', after)
        .orderBy('url')
        .limit(limit);
      const rows = await rowsOf<Pick<MonitorPageTable, 'url' | 'scrape_id'>>(query);
      return rows.map((row) => ({ url: row.url, scrapeId: uuidText(row.scrape_id) }));
    },
    async putPage(id, n, { url, scrapeId, bytes }) {
      const [snapshot, codec] = packValue(bytes);
      await run(insertPage(db, id, n, { url, scrapeId: idBytes(scrapeId), snapshot, codec }));
    },
    async putGone(id, n, urls) {
      const page = { scrapeId: GONE, snapshot: new Uint8Array(), codec: CODEC_PLAIN };
      if (urls.length > 0) await run(...urls.map((url) => insertPage(db, id, n, { ...page, url })));
    },
  };
}

/** In place of the scrape: the URL is gone. `endRun` deletes the row with those of earlier runs. */
const GONE = new Uint8Array(16);

interface PageValues {
  readonly url: string;
  readonly scrapeId: Uint8Array;
  readonly snapshot: Uint8Array;
  readonly codec: number;
}

/** Stores a page of a run under way. A run that ended because its monitor was changed or deleted leaves no pages. */
function insertPage(db: Db, id: string, n: number, { url, scrapeId, snapshot, codec }: PageValues) {
  const insert = sql`INSERT INTO monitor_pages (monitor_id, url, n, scrape_id, snapshot, snapshot_codec)
SELECT monitor_id, ${url}, n, ${scrapeId}, ${snapshot}, ${codec} FROM monitor_runs
WHERE monitor_id = ${idBytes(id)} AND n = ${n} AND state = 'running'
ON CONFLICT (monitor_id, url, n) DO UPDATE
SET scrape_id = excluded.scrape_id, snapshot = excluded.snapshot, snapshot_codec = excluded.snapshot_codec`;
  return { compile: () => insert.compile(db) };
}

const jobIdsOf = (rows: readonly unknown[]): string[] =>
  (rows as { job_id: Uint8Array }[]).map((row) => uuidText(row.job_id));
