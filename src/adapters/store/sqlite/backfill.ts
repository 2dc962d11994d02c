import type { Backfill, Migration } from '../schema/migrations/migration.ts';
import type { SqliteConnection } from './database.ts';

/** Rows that a step visits. It takes a few ms, for which other writes wait. */
const ROWS_PER_STEP = 1_000;

/**
 * Prepares a function that does a step of the oldest back-fill that has not ended, in one transaction with the mark of how far
 * it is. So it goes on there after `kill -9`, and several processes may do steps of the same one.
 * @returns whether there may be more to do
 */
export function prepareBackfill(db: SqliteConnection, migrations: readonly Migration[]): () => boolean {
  const unfinished = db.prepare('SELECT version, after FROM backfills ORDER BY version LIMIT 1');
  const finish = db.prepare('DELETE FROM backfills WHERE version = ?');
  const mark = db.prepare('UPDATE backfills SET after = ? WHERE version = ?');
  const step = db.transaction((): boolean => {
    const found = unfinished.get() as { version: number; after: Uint8Array } | undefined;
    if (found === undefined) return false;
    const { version, after } = found;
    // The initial migration has what is left of the migrations before it.
    const { backfill } = migrations.find((one) => one.version >= version)!;
    const to = runStep(db, backfill!, after);
    if (to === null) finish.run(version);
    else mark.run(to, version);
    return true;
  });
  // Nearly always there is nothing to do. Then this does not even take a lock.
  return () => unfinished.get() !== undefined && step.immediate();
}

/** @returns the key of the last row visited; null: there was none */
function runStep(db: SqliteConnection, backfill: Backfill, after: Uint8Array): Uint8Array | null {
  const { table, key, statement } = backfill;
  const rows = `SELECT ${key} AS key FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${ROWS_PER_STEP}`;
  const to = db.prepare(`SELECT max(key) FROM (${rows})`).pluck().get(after) as Uint8Array | null;
  if (to !== null) db.prepare(statement).run({ after, to });
  return to;
}
