import { sql } from 'kysely';
import type { TemplateRow, TemplateStore } from '../../../ports/store.ts';
import { type Db, idBytes, idOrNull, type Tables } from '../schema/tables.ts';
import { statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

const COLUMNS = ['name', 'rules', 'version', 'updated_at'] as const;

type Columns = Pick<Tables['templates'], (typeof COLUMNS)[number]>;

const rowOf = ({ name, rules, version, updated_at }: Columns): TemplateRow => ({
  name,
  rulesJson: rules,
  version,
  updatedAt: updated_at,
});

function listTemplates(db: Db, userId: Uint8Array) {
  return db.selectFrom('templates').select(COLUMNS).where('user_id', '=', userId).orderBy('name');
}

function getTemplate(db: Db, userId: Uint8Array, name: string) {
  return db.selectFrom('templates').select(COLUMNS).where('user_id', '=', userId).where('name', '=', name);
}

/** Inserts nothing if the name is taken, or if the user has `max` templates. */
function insertTemplate(db: Db, userId: Uint8Array, row: TemplateRow, max: number) {
  const values = sql<Columns>`SELECT ${userId}, ${row.name}, ${row.rulesJson}, ${row.version}, ${row.updatedAt}
    WHERE (SELECT count(*) FROM templates WHERE user_id = ${userId}) < ${max}`;
  return (
    db
      .insertInto('templates')
      .columns(['user_id', ...COLUMNS])
      // biome-ignore lint/suspicious/noExplicitAny: Kysely has no type for a SELECT without FROM.
      .expression(values as any)
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
  );
}

function updateTemplate(db: Db, userId: Uint8Array, name: string, rulesJson: string, at: number) {
  return db
    .updateTable('templates')
    .set((eb) => ({ rules: rulesJson, updated_at: at, version: eb('version', '+', 1) }))
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .returning(COLUMNS);
}

function deleteTemplate(db: Db, userId: Uint8Array, name: string) {
  return db.deleteFrom('templates').where('user_id', '=', userId).where('name', '=', name).returning('name');
}

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread, in one transaction
 */
export function createTemplateStore(db: Db, read: RunStatements, write: RunStatements): TemplateStore {
  return {
    async list(userId) {
      const id = idOrNull(userId);
      if (id === null) return [];
      const [result] = await read([statementOf(listTemplates(db, id))]);
      return (result!.rows as Columns[]).map(rowOf);
    },
    async get(userId, name) {
      const id = idOrNull(userId);
      if (id === null) return null;
      const [result] = await read([statementOf(getTemplate(db, id, name))]);
      const row = result!.rows[0] as Columns | undefined;
      return row === undefined ? null : rowOf(row);
    },
    async create(userId, row, max) {
      const id = idBytes(userId);
      const [existing, inserted] = await write([
        statementOf(getTemplate(db, id, row.name)),
        statementOf(insertTemplate(db, id, row, max)),
      ]);
      if (existing!.rows.length > 0) return 'exists';
      return inserted!.rows.length > 0 ? 'created' : 'full';
    },
    async replace(userId, name, rulesJson, at) {
      const [result] = await write([statementOf(updateTemplate(db, idBytes(userId), name, rulesJson, at))]);
      const row = result!.rows[0] as Columns | undefined;
      return row === undefined ? null : rowOf(row);
    },
    async delete(userId, name) {
      const [result] = await write([statementOf(deleteTemplate(db, idBytes(userId), name))]);
      return result!.rows.length > 0;
    },
  };
}
