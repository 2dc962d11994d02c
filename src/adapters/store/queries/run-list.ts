import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { NO_NEXT_RUN, type RunListQuery, type RunSort } from '../../../domain/run-lists.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { hasName } from './name-search.ts';

/** What `sortedValue` computes. */
const SORTED: Readonly<Record<RunSort, RawBuilder<unknown>>> = {
  created: sql`0`,
  name: sql`lower(name)`,
  next_run: sql`CASE WHEN state = 'active' THEN coalesce(next_at, ${sql.lit(NO_NEXT_RUN)}) ELSE ${sql.lit(NO_NEXT_RUN)} END`,
  changed: sql`coalesce(changed_at, 0)`,
};

/** A page of monitors or schedules. @param userId null: of all users */
export function runList<T extends 'monitors' | 'schedules'>(
  db: Db,
  table: T,
  userId: string | null,
  { sort, descending, limit, after, search }: RunListQuery,
) {
  const direction = sql.raw(descending ? 'DESC' : 'ASC');
  const value = SORTED[sort];
  const conditions = [sql<SqlBool>`1 = 1`];
  if (userId !== null) conditions.push(sql`user_id = ${idBytes(userId)}`);
  if (search !== null) conditions.push(hasName(search));
  const id = after === null ? null : idOrNull(after.id);
  if (after !== null && id !== null) {
    const compare = sql.raw(descending ? '<' : '>');
    conditions.push(
      sort === 'created'
        ? sql`id ${compare} ${id}`
        : sql`(${value} ${compare} ${after.value} OR (${value} = ${after.value} AND id ${compare} ${id}))`,
    );
  }
  const order = sort === 'created' ? sql`id ${direction}` : sql`${value} ${direction}, id ${direction}`;
  const query = sql`SELECT * FROM ${sql.table(table)} WHERE ${sql.join(conditions, sql` AND `)} ORDER BY ${order} LIMIT ${limit}`;
  return { compile: () => query.compile(db) };
}
