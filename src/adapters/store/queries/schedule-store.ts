import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { NewExport } from '../../../domain/exports.ts';
import type { JobState } from '../../../domain/jobs.ts';
import type { LastRun } from '../../../domain/run-lists.ts';
import type { ScheduleRow, ScheduleRunRow } from '../../../domain/schedules.ts';
import type { DueClaim, MissedRuns, ScheduleStore } from '../../../ports/schedules.ts';
import { decodeRow, encodeChange, encodeRow } from '../schema/columns.ts';
import {
  SCHEDULE_COLUMNS,
  SCHEDULE_RUN_COLUMNS,
  SCHEDULE_SETTINGS,
  type ScheduleRunTable,
  type ScheduleTable,
} from '../schema/schedule-tables.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { exportValues } from './export-store.ts';
import { HIDDEN_STATES } from './jobs/job-row.ts';
import { forgetNotifyQueries, notifyQueries, queryOf } from './notification-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import { runList } from './run-list.ts';
import type { RunStatements } from './statements.ts';
import { tellStatements } from './tell.ts';

const RUN_COLUMNS = Object.keys(SCHEDULE_RUN_COLUMNS) as (keyof typeof SCHEDULE_RUN_COLUMNS)[];
const COLUMNS = Object.keys(SCHEDULE_COLUMNS) as (keyof typeof SCHEDULE_COLUMNS)[];

type RunWithJob = ScheduleRunTable & {
  readonly job_state: JobState | null;
  readonly ok: number | null;
  readonly failed: number | null;
};
const runRow = (row: RunWithJob): ScheduleRunRow => ({
  ...decodeRow(SCHEDULE_RUN_COLUMNS, row),
  jobState: row.job_state,
  ok: row.ok ?? 0,
  failed: row.failed ?? 0,
});
const scheduleRow = (row: ScheduleTable): ScheduleRow => decodeRow(SCHEDULE_COLUMNS, row);

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createScheduleStore(db: Db, read: RunStatements, write: RunStatements): ScheduleStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));
  return { ...createScheduleMethods(db, rowsOf, run), ...createRunMethods(db, rowsOf, run) };
}

/** Runs with their jobs, if these are not hidden. */
const runsWithJobs = (db: Db) =>
  db
    .selectFrom('schedule_runs as r')
    .leftJoin('jobs as j', (join) =>
      join.onRef('j.id', '=', 'r.job_id').on('j.state', 'not in', HIDDEN_STATES),
    );

interface LastRunRow {
  readonly schedule_id: Uint8Array;
  readonly n: number;
  readonly state: LastRun['state'];
  readonly reason: string | null;
  readonly ended_at: number | null;
  readonly job_id: Uint8Array | null;
  readonly job_state: JobState;
  readonly ok: number;
  readonly failed: number;
  readonly cost: number;
  readonly export_state: LastRun['exportState'];
}

const lastRunOf = ({
  n,
  state,
  reason,
  ended_at,
  job_id,
  job_state,
  ok,
  failed,
  cost,
  export_state,
}: LastRunRow): LastRun => ({
  n,
  state,
  reason,
  endedAt: ended_at,
  job: job_id === null ? null : { id: uuidText(job_id), state: job_state, ok, failed, cost },
  exportState: export_state,
});

type RowsOf = <T>(query: CompilableQuery) => Promise<T[]>;
type Run = (...queries: readonly CompilableQuery[]) => ReturnType<RunStatements>;

function createScheduleMethods(
  db: Db,
  rowsOf: RowsOf,
  run: Run,
): Pick<
  ScheduleStore,
  'create' | 'get' | 'list' | 'lastRuns' | 'update' | 'delete' | 'pause' | 'resume' | 'moveKey' | 'due'
> {
  const ofId = (id: string) => db.updateTable('schedules').where('id', '=', idBytes(id));
  return {
    async create(schedule, limit) {
      const values = { ...encodeRow(SCHEDULE_SETTINGS, schedule), state: 'active' };
      const count = sql`(SELECT count(*) FROM schedules WHERE user_id = ${values.user_id})`;
      const names = Object.keys(values).map((name) => sql.ref(name));
      const insert = sql`INSERT INTO schedules (${sql.join(names)}) SELECT ${sql.join(Object.values(values))} WHERE ${count} < ${limit}`;
      const [result] = await run(
        { compile: () => insert.compile(db) },
        ...notifyQueries(db, values.id, values.user_id, schedule.notify),
      );
      if (result!.changes > 0) return true;
      await run(...forgetNotifyQueries(db, values.id));
      return false;
    },
    async get(id, userId) {
      const key = idOrNull(id);
      if (key === null) return null;
      let query = db.selectFrom('schedules').selectAll().where('id', '=', key);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      const [row] = await rowsOf<ScheduleTable>(query);
      return row === undefined ? null : scheduleRow(row);
    },
    async list(userId, query) {
      return (await rowsOf<ScheduleTable>(runList(db, 'schedules', userId, query))).map(scheduleRow);
    },
    async lastRuns(ids) {
      if (ids.length === 0) return new Map();
      const last = sql<number>`(SELECT max(n) FROM schedule_runs AS l WHERE l.schedule_id = r.schedule_id AND l.state IN ('ended', 'missed'))`;
      const query = runsWithJobs(db)
        .leftJoin('exports as x', (join) =>
          join.onRef('x.schedule_id', '=', 'r.schedule_id').onRef('x.run_n', '=', 'r.n'),
        )
        .select(['r.schedule_id', 'r.n', 'r.state', 'r.reason', 'r.ended_at', 'x.state as export_state'])
        .select(['j.id as job_id', 'j.state as job_state', 'j.ok', 'j.failed', 'j.cost'])
        .where('r.schedule_id', 'in', ids.map(idBytes))
        .where('r.n', '=', last);
      const rows = await rowsOf<LastRunRow>(query);
      return new Map(rows.map((row) => [uuidText(row.schedule_id), lastRunOf(row)]));
    },
    async update(id, { notify, ...change }) {
      const columns = encodeChange(SCHEDULE_SETTINGS, change);
      const key = idBytes(id);
      const queries: CompilableQuery[] = [];
      if (notify !== undefined) {
        const [row] = await rowsOf<{ user_id: Uint8Array }>(
          db.selectFrom('schedules').select('user_id').where('id', '=', key),
        );
        if (row !== undefined) queries.push(...notifyQueries(db, key, row.user_id, notify));
      }
      if (change.name !== undefined)
        queries.push(
          db.updateTable('notification_sources').set({ title: change.name }).where('source_id', '=', key),
        );
      if (Object.keys(columns).length > 0) queries.push(ofId(id).set(columns));
      if (queries.length > 0) await run(...queries);
    },
    async delete(id) {
      const key = idBytes(id);
      const [, result] = await run(
        db.deleteFrom('schedule_runs').where('schedule_id', '=', key),
        db.deleteFrom('schedules').where('id', '=', key),
        ...forgetNotifyQueries(db, key),
      );
      return result!.changes > 0;
    },
    async pause(id, reason) {
      const query = ofId(id).set({ state: 'paused', pause_reason: reason }).where('state', '=', 'active');
      const [result] = await run(query);
      return result!.changes > 0;
    },
    async resume(id, keyId, nextAt, missed) {
      const change = { state: 'active', pause_reason: null, key_id: keyId, next_at: nextAt };
      const resumed = ofId(id).where('state', '=', 'paused').set(change);
      if (missed === null) return (await run(resumed))[0]!.changes > 0;
      const counted = resumed.set((eb) => ({ last_n: eb('last_n', '+', 1) }));
      const [result] = await run(counted, ...missedQueries(db, idBytes(id), missed));
      return result!.changes > 0;
    },
    async moveKey(from, to) {
      await run(db.updateTable('schedules').set({ key_id: to }).where('key_id', '=', from));
    },
    async due(now, limit) {
      const query = db
        .selectFrom('schedules')
        .selectAll()
        .where('state', '=', 'active')
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit);
      return (await rowsOf<ScheduleTable>(query)).map(scheduleRow);
    },
  };
}

/** Takes the next number; changes nothing if another process has claimed the due time. */
function takeNumber(db: Db, id: Uint8Array, claim: DueClaim | null) {
  const update = db
    .updateTable('schedules')
    .where('id', '=', id)
    .set((eb) => ({ last_n: eb('last_n', '+', 1) }));
  if (claim === null) return update.returning('last_n');
  return update
    .set({ next_at: claim.nextAt })
    .where('next_at', '=', claim.dueAt)
    .where('state', '=', 'active')
    .returning('last_n');
}

interface InsertedRun {
  readonly state: 'running' | 'waiting' | 'missed';
  readonly times: { readonly first: number; readonly last: number };
  readonly missed: number;
  readonly reason: string | null;
  readonly message: string | null;
  readonly job: Uint8Array | null;
}

/** Inserts the run whose number was taken in the same transaction; does nothing if none was. */
function insertRun(db: Db, id: Uint8Array, { state, times, missed, reason, message, job }: InsertedRun) {
  const insert = sql`INSERT INTO schedule_runs (schedule_id, n, state, reason, message, due_at, last_due_at, missed, job_id)
SELECT id, last_n, ${state}, ${reason}, ${message}, ${times.first}, ${times.last}, ${missed}, ${job} FROM schedules
WHERE id = ${id} AND last_n > 0 AND NOT EXISTS (SELECT 1 FROM schedule_runs WHERE schedule_id = id AND n = last_n)`;
  return { compile: () => insert.compile(db) };
}

/** Inserts a row of missed due times, and adds to it the one directly before, if its reason is the same. */
function missedQueries(
  db: Db,
  id: Uint8Array,
  { times, reason, message }: MissedRuns,
): readonly CompilableQuery[] {
  const newest = sql`(SELECT last_n FROM schedules WHERE id = ${id})`;
  const before = sql`schedule_id = ${id} AND state = 'missed' AND reason = ${reason}
AND n = (SELECT max(n) FROM schedule_runs WHERE schedule_id = ${id} AND n < ${newest})`;
  const add = sql`UPDATE schedule_runs SET missed = missed + (SELECT b.missed FROM schedule_runs AS b WHERE ${before}),
due_at = (SELECT b.due_at FROM schedule_runs AS b WHERE ${before})
WHERE schedule_id = ${id} AND n = ${newest} AND state = 'missed' AND EXISTS (SELECT 1 FROM schedule_runs AS b WHERE ${before})`;
  const remove = sql`DELETE FROM schedule_runs WHERE ${before}
AND EXISTS (SELECT 1 FROM schedule_runs AS a WHERE a.schedule_id = ${id} AND a.n = ${newest} AND a.state = 'missed' AND a.reason = ${reason})`;
  return [
    insertRun(db, id, { state: 'missed', times, missed: times.count, reason, message, job: null }),
    { compile: () => add.compile(db) },
    { compile: () => remove.compile(db) },
  ];
}

/** Adds an export of a run under way. */
function insertExport(db: Db, id: string, n: number, added: NewExport): CompilableQuery {
  const values = exportValues(added);
  const names = Object.keys(values).map((name) => sql.ref(name));
  const insert = sql`INSERT INTO exports (${sql.join(names)}) SELECT ${sql.join(Object.values(values))}
WHERE EXISTS (SELECT 1 FROM schedule_runs WHERE schedule_id = ${idBytes(id)} AND n = ${n} AND state = 'running')`;
  return { compile: () => insert.compile(db) };
}

/** Tells that the job of a run, which has just ended, could not start; nothing if that was so with the run before, for the same reason. */
function refusedQueries(
  id: Uint8Array,
  n: number,
  {
    reason,
    message,
    now,
  }: { readonly reason: string | null; readonly message: string | null; readonly now: number },
): readonly CompilableQuery[] {
  const facts = { summary: 'The run did not start.', error: message };
  const condition = `EXISTS (SELECT 1 FROM schedule_runs WHERE schedule_id = ? AND n = ? AND state = 'missed' AND ended_at = ?)
AND NOT EXISTS (SELECT 1 FROM schedule_runs WHERE schedule_id = ? AND state = 'missed' AND reason = ?
  AND n = (SELECT max(n) FROM schedule_runs WHERE schedule_id = ? AND n < ?))`;
  return tellStatements(
    { sourceId: id, sequence: n, type: 'schedule.failed', at: now, facts, event: 'failed' },
    [condition, [id, n, now, id, reason, id, n]],
  ).map(queryOf);
}

function createRunMethods(
  db: Db,
  rowsOf: RowsOf,
  run: Run,
): Omit<ScheduleStore, keyof ReturnType<typeof createScheduleMethods>> {
  const takenOf = ([taken]: Awaited<ReturnType<Run>>) =>
    (taken!.rows[0] as { last_n: number } | undefined)?.last_n ?? null;
  /** Whether the schedule has a run in this state. */
  const hasRun = (id: Uint8Array, state: 'running' | 'waiting') =>
    sql<boolean>`EXISTS (SELECT 1 FROM schedule_runs AS r WHERE r.schedule_id = ${id} AND r.state = ${state})`;
  const runsQuery = () =>
    runsWithJobs(db)
      .select(RUN_COLUMNS.map((name) => `r.${name}` as const))
      .select(['j.state as job_state', 'j.ok', 'j.failed']);
  const ofRun = (id: string, n: number) =>
    db.updateTable('schedule_runs').where('schedule_id', '=', idBytes(id)).where('n', '=', n);
  const once = (at: number) => ({ first: at, last: at });
  const ran = { missed: 0, reason: null, message: null };
  return {
    async begin(id, { claim, dueAt, jobId }) {
      const key = idBytes(id);
      const taken = takeNumber(db, key, claim).where(sql<boolean>`NOT ${hasRun(key, 'running')}`);
      const inserted = { state: 'running', times: once(dueAt), ...ran, job: idBytes(jobId) } as const;
      return takenOf(await run(taken, insertRun(db, key, inserted)));
    },
    async wait(id, { claim, dueAt }) {
      const key = idBytes(id);
      const taken = takeNumber(db, key, claim).where(sql<boolean>`NOT ${hasRun(key, 'waiting')}`);
      const inserted = { state: 'waiting', times: once(dueAt), ...ran, job: null } as const;
      return takenOf(await run(taken, insertRun(db, key, inserted)));
    },
    async miss(id, claim, missed) {
      const key = idBytes(id);
      await run(takeNumber(db, key, claim), ...missedQueries(db, key, missed));
    },
    async running() {
      const query = runsQuery().where('r.state', '=', 'running').orderBy('r.due_at');
      return (await rowsOf<RunWithJob>(query)).map(runRow);
    },
    async waiting() {
      const query = db
        .selectFrom('schedule_runs as w')
        .innerJoin('schedules as s', 's.id', 'w.schedule_id')
        .select(COLUMNS.map((name) => `s.${name}` as const))
        .select('w.n')
        .where('w.state', '=', 'waiting')
        .where('s.state', '=', 'active')
        .where(
          sql<boolean>`NOT EXISTS (SELECT 1 FROM schedule_runs AS r WHERE r.schedule_id = s.id AND r.state = 'running')`,
        );
      const rows = await rowsOf<ScheduleTable & { n: number }>(query);
      return rows.map(({ n, ...row }) => ({ schedule: scheduleRow(row), n }));
    },
    async beginWaiting(id, n, jobId) {
      const [result] = await run(
        ofRun(id, n)
          .set({ state: 'running', job_id: idBytes(jobId) })
          .where('state', '=', 'waiting')
          .where(sql<boolean>`NOT ${hasRun(idBytes(id), 'running')}`),
      );
      return result!.changes > 0;
    },
    async started(id, n, now) {
      await run(ofRun(id, n).set({ started_at: now }).where('state', '=', 'running'));
    },
    async endRun(id, n, { state, reason, message, exported, refused = false, now }) {
      const ended = ofRun(id, n)
        .set({ state, reason, message, ended_at: now, missed: state === 'missed' ? 1 : 0 })
        .where('state', '=', 'running');
      const before = exported === undefined ? [] : [insertExport(db, id, n, exported)];
      const told = refused ? refusedQueries(idBytes(id), n, { reason, message, now }) : [];
      const results = await run(...before, ended, ...told);
      return results[before.length]!.changes > 0;
    },
    async runs(id, limit, before) {
      let query = runsQuery().where('r.schedule_id', '=', idBytes(id)).orderBy('r.n', 'desc').limit(limit);
      if (before !== null) query = query.where('r.n', '<', before);
      return (await rowsOf<RunWithJob>(query)).map(runRow);
    },
    async sweep(id, keep) {
      const key = idBytes(id);
      const oldest = db
        .selectFrom('schedule_runs')
        .select('n')
        .where('schedule_id', '=', key)
        .orderBy('n', 'desc')
        .offset(keep)
        .limit(1);
      await run(
        db
          .deleteFrom('schedule_runs')
          .where('schedule_id', '=', key)
          .where('state', 'in', ['ended', 'missed'])
          .where('n', '<=', oldest),
      );
    },
  };
}
