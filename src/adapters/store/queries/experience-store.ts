import type { ExperienceKind, ExperienceRow, ExperienceStore } from '../../../ports/store.ts';
import type { Db } from '../schema/tables.ts';
import { statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

function putExperience(db: Db, kind: ExperienceKind, { name, at, data }: ExperienceRow) {
  return db
    .insertInto('experience')
    .values({ kind, name, at, data })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet({ at, data }));
}

/** The latest rows first. */
function listExperience(db: Db, kind: ExperienceKind, limit: number, skip: number) {
  return db
    .selectFrom('experience')
    .select(['name', 'at', 'data'])
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .orderBy('name')
    .limit(limit)
    .offset(skip);
}

function deleteExperience(db: Db, kind: ExperienceKind, name: string) {
  return db.deleteFrom('experience').where('kind', '=', kind).where('name', '=', name);
}

function sweepExperience(db: Db, kind: ExperienceKind, before: number) {
  return db.deleteFrom('experience').where('kind', '=', kind).where('at', '<', before);
}

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread
 */
export function createExperienceStore(db: Db, read: RunStatements, write: RunStatements): ExperienceStore {
  return {
    async put(kind, rows) {
      if (rows.length > 0) await write(rows.map((row) => statementOf(putExperience(db, kind, row))));
    },
    async list(kind, limit, skip) {
      const [result] = await read([statementOf(listExperience(db, kind, limit, skip))]);
      return result!.rows as ExperienceRow[];
    },
    async delete(kind, name) {
      await write([statementOf(deleteExperience(db, kind, name))]);
    },
    async sweep(kind, before) {
      await write([statementOf(sweepExperience(db, kind, before))]);
    },
  };
}
