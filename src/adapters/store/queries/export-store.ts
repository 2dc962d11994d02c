import { sql } from 'kysely';
import type { ClaimedExport, NewExport } from '../../../domain/exports.ts';
import type { ExportStore } from '../../../ports/exports.ts';
import { decodeRow, encodeRow } from '../schema/columns.ts';
import { EXPORT_COLUMNS, EXPORT_SETTINGS, type StoredExport } from '../schema/export-tables.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements, Statement } from './statements.ts';
import { tellStatements } from './tell.ts';

const exportRow = (row: StoredExport): ClaimedExport => decodeRow(EXPORT_COLUMNS, row);

/** The row of a new export. One to a link has nothing to send. */
export const exportValues = (added: NewExport) => {
  const isLink = added.kind === 'link';
  return {
    ...encodeRow(EXPORT_SETTINGS, added),
    state: isLink ? 'done' : 'pending',
    next_at: added.createdAt,
    ended_at: isLink ? added.createdAt : null,
  };
};

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createExportStore(db: Db, read: RunStatements, write: RunStatements): ExportStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (query: CompilableQuery, ...also: readonly Statement[]) =>
    (await write([statementOf(query), ...also]))[0]!;
  const held = ({ id, lease }: Pick<ClaimedExport, 'id' | 'lease'>) =>
    db
      .updateTable('exports')
      .where('id', '=', idBytes(id))
      .where('lease', '=', lease)
      .where('state', '=', 'sending');
  return {
    async add(added) {
      const values = exportValues(added);
      const names = Object.keys(values).map((name) => sql.ref(name));
      const insert = sql`INSERT INTO exports (${sql.join(names)}) VALUES (${sql.join(Object.values(values))})`;
      await run({ compile: () => insert.compile(db) });
    },
    async get(id, userId) {
      const key = idOrNull(id);
      if (key === null) return null;
      let query = db.selectFrom('exports').selectAll().where('id', '=', key);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      const [row] = await rowsOf<StoredExport>(query);
      return row === undefined ? null : exportRow(row);
    },
    async ofJob(jobId, limit) {
      const query = db
        .selectFrom('exports')
        .selectAll()
        .where('job_id', '=', idBytes(jobId))
        .orderBy('id', 'desc')
        .limit(limit);
      return (await rowsOf<StoredExport>(query)).map(exportRow);
    },
    async ofRuns(scheduleId, runs) {
      if (runs.length === 0) return [];
      const query = db
        .selectFrom('exports')
        .selectAll()
        .where('schedule_id', '=', idBytes(scheduleId))
        .where('run_n', 'in', [...runs]);
      return (await rowsOf<StoredExport>(query)).map(exportRow);
    },
    async claim(now, leaseUntil, perUser) {
      const busy = sql`SELECT user_id FROM exports
WHERE state IN ('pending', 'sending') AND state = 'sending' AND lease_until > ${now} GROUP BY user_id HAVING count(*) >= ${perUser}`;
      const isDue = sql<boolean>`state IN ('pending', 'sending') AND next_at <= ${now} AND lease_until <= ${now}
AND user_id NOT IN (${busy})`;
      const [due] = await rowsOf<{ id: Uint8Array }>(
        db.selectFrom('exports').select('id').where(isDue).orderBy('next_at').limit(1),
      );
      if (due === undefined) return null;
      const query = db
        .updateTable('exports')
        .set((eb) => ({
          state: 'sending',
          lease: eb('lease', '+', 1),
          tries: eb('tries', '+', 1),
          lease_until: leaseUntil,
        }))
        .where('id', '=', due.id)
        .where(isDue)
        .returningAll();
      const [row] = (await run(query)).rows as StoredExport[];
      return row === undefined ? null : exportRow(row);
    },
    async renew(claimed, leaseUntil) {
      return (await run(held(claimed).set({ lease_until: leaseUntil }))).changes > 0;
    },
    async end(claimed, { state, nextAt, status, error, bytes, sentTo, now }) {
      const query = held(claimed).set({
        state,
        next_at: nextAt,
        lease_until: 0,
        status,
        error: error === null ? null : JSON.stringify(error),
        bytes,
        sent_to: sentTo,
        ended_at: state === 'pending' ? null : now,
      });
      const told = state === 'failed' ? failedStatements(claimed, error?.message ?? null, now) : [];
      return (await run(query, ...told)).changes > 0;
    },
    async sweep(before) {
      await run(
        db.deleteFrom('exports').where('created_at', '<', before).where('state', 'in', ['done', 'failed']),
      );
    },
  };
}

/** Tells whom the schedule tells that the export of its run has failed, in the transaction in which it did. */
function failedStatements(
  { id, scheduleId, runN, lease }: Pick<ClaimedExport, 'id' | 'scheduleId' | 'runN' | 'lease'>,
  error: string | null,
  now: number,
): readonly Statement[] {
  if (scheduleId === null || runN === null) return [];
  const sourceId = idBytes(scheduleId);
  const facts = { summary: 'The export of the run has failed.', error };
  const ended = `EXISTS (SELECT 1 FROM exports WHERE id = ? AND lease = ? AND state = 'failed' AND ended_at = ?)`;
  return tellStatements(
    { sourceId, sequence: runN, type: 'schedule.failed', at: now, facts, event: 'failed' },
    [ended, [idBytes(id), lease, now]],
  );
}
