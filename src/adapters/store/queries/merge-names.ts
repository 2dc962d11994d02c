import { sql } from 'kysely';
import { OTHER_HOSTS } from '../../../domain/stats.ts';
import { COUNTER_TABLES, type CounterTableName, onConflict } from '../schema/counter-tables.ts';
import type { Db } from '../schema/tables.ts';
import type { Statement } from './statements.ts';

interface MergedNames {
  /** Values of columns that the rows have. */
  readonly scope: Readonly<Record<string, number | Uint8Array>>;
  readonly column: 'host' | 'key_id';
  /** A query that selects the names. It must find the same ones after their counters have been added to `OTHER_HOSTS`. */
  readonly rarest: Parameters<typeof sql.join>[0][number];
}

/** Adds the counters of the names to those of `OTHER_HOSTS`, and deletes them. */
export function mergeNames(
  db: Db,
  name: CounterTableName,
  { scope, column, rarest }: MergedNames,
): readonly Statement[] {
  const { key, sums, greatest } = COUNTER_TABLES[name];
  const keys = key.map(([keyColumn]) => keyColumn);
  const refs = (columns: readonly string[]) => columns.map((ref) => sql.ref(ref));
  const values = keys.map((ref) => (ref === column ? sql.lit(OTHER_HOSTS) : sql.ref(ref)));
  const conditions = [
    ...Object.entries(scope).map(([ref, value]) => sql`${sql.ref(ref)} = ${value}`),
    sql`${sql.ref(column)} IN ${rarest}`,
  ];
  const where = sql`WHERE ${sql.join(conditions, sql` AND `)}`;
  const merge = sql`INSERT INTO ${sql.table(name)} (${sql.join(refs([...keys, ...sums, ...greatest]))})
SELECT ${sql.join([
    ...values,
    ...sums.map((sum) => sql`sum(${sql.ref(sum)})`),
    ...greatest.map((value) => sql`max(${sql.ref(value)})`),
  ])} FROM ${sql.table(name)} ${where}
GROUP BY ${sql.join(refs(keys.filter((ref) => ref !== column)))} ${sql.raw(onConflict(name))}`;
  const remove = sql`DELETE FROM ${sql.table(name)} ${where}`;
  return [merge, remove].map((query) => {
    const compiled = query.compile(db);
    return [compiled.sql, compiled.parameters];
  });
}
