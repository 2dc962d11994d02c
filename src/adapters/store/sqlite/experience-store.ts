import type { Kysely } from 'kysely';
import type { ExperienceRow, ExperienceStore } from '../../../ports/experience-store.ts';
import {
  deleteExperience,
  listExperience,
  putExperience,
  sweepExperience,
} from '../queries/experience-queries.ts';
import type { Tables } from '../queries/tables.ts';
import { statementOf } from './compiler.ts';
import type { Run } from './run-statements.ts';

/** What the router has learned, over the writer and the reader thread. */
export function createExperienceStore(db: Kysely<Tables>, read: Run, write: Run): ExperienceStore {
  return {
    async put(kind, rows) {
      if (rows.length > 0) await write(rows.map((row) => statementOf(putExperience(db, kind, row))));
    },
    async list(kind, limit, skip) {
      const [found] = await read([statementOf(listExperience(db, kind, limit, skip))]);
      return found!.rows as ExperienceRow[];
    },
    async delete(kind, name) {
      await write([statementOf(deleteExperience(db, kind, name))]);
    },
    async sweep(kind, before) {
      await write([statementOf(sweepExperience(db, kind, before))]);
    },
  };
}
