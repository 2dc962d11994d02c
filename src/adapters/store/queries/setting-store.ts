import { sql } from 'kysely';
import type { SettingKind, SettingRow, SettingStore } from '../../../ports/settings.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

const COLUMNS = ['kind', 'name', 'sealed', 'version'] as const;

type NewSetting = Omit<SettingRow, 'version'>;

function versionQuery(db: Db) {
  return db.selectFrom('meta').select('value').where('name', '=', 'settings_version');
}

/** Must be in every transaction that changes settings, so that other processes read them again. */
function bumpVersion(db: Db) {
  return db.updateTable('meta').set({ value: sql`value + 1` }).where('name', '=', 'settings_version');
}

function listSettings(db: Db) {
  return db.selectFrom('settings').select(COLUMNS).orderBy('kind').orderBy('name');
}

function findSetting(db: Db, kind: SettingKind, name: string) {
  return db.selectFrom('settings').select('name').where('kind', '=', kind).where('name', '=', name);
}

/** Inserts nothing if the name is taken, or if there are `max` settings of the kind. */
function insertSetting(db: Db, { kind, name, sealed }: NewSetting, max: number) {
  const values = sql<Tables['settings']>`SELECT ${kind}, ${name}, ${sealed}, 1
    WHERE (SELECT count(*) FROM settings WHERE kind = ${kind}) < ${max}`;
  return (
    db
      .insertInto('settings')
      .columns(COLUMNS)
      // biome-ignore lint/suspicious/noExplicitAny: Kysely has no type for a SELECT without FROM.
      .expression(values as any)
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
  );
}

function updateSetting(db: Db, { kind, name, sealed, version }: SettingRow) {
  return db
    .updateTable('settings')
    .set({ sealed, version: version + 1 })
    .where('kind', '=', kind)
    .where('name', '=', name)
    .where('version', '=', version)
    .returning('name');
}

function deleteSetting(db: Db, kind: SettingKind, name: string) {
  return db.deleteFrom('settings').where('kind', '=', kind).where('name', '=', name).returning('name');
}

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread, in one transaction
 */
export function createSettingStore(db: Db, read: RunStatements, write: RunStatements): SettingStore {
  return {
    async version() {
      const [result] = await read([statementOf(versionQuery(db))]);
      return (result!.rows[0] as { readonly value: number }).value;
    },
    async list() {
      const [result] = await read([statementOf(listSettings(db))]);
      return result!.rows as readonly SettingRow[];
    },
    async create(row, max) {
      const [existing, inserted] = await write([
        statementOf(findSetting(db, row.kind, row.name)),
        statementOf(insertSetting(db, row, max)),
        statementOf(bumpVersion(db)),
      ]);
      if (existing!.rows.length > 0) return 'exists';
      return inserted!.rows.length > 0 ? 'created' : 'full';
    },
    async replace(row) {
      const [updated] = await write([statementOf(updateSetting(db, row)), statementOf(bumpVersion(db))]);
      return updated!.rows.length > 0;
    },
    async delete(kind, name) {
      const [deleted] = await write([
        statementOf(deleteSetting(db, kind, name)),
        statementOf(bumpVersion(db)),
      ]);
      return deleted!.rows.length > 0;
    },
  };
}
