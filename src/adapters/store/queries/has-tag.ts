import { type SqlBool, sql } from 'kysely';

/** Whether a column with JSON of tags contains this pair. In all databases, `name:value` is compared as a whole: a name may contain a
 * colon, so the caller's text can be split in several ways. */
export type HasTag = (
  column: 'records.tags' | 'jobs.tags',
  name: string,
  value: string,
) => ReturnType<typeof sql<SqlBool>>;

/** What the JSON contains if the pair is in it, because it surely belongs to the value. To read the JSON of every row takes much longer. */
const tagEnd = (value: string): string => JSON.stringify(value.slice(value.lastIndexOf(':') + 1)).slice(1);

export const sqliteHasTag: HasTag = (column, name, value) => {
  const tags = sql.ref(column);
  return sql<SqlBool>`instr(${tags}, ${tagEnd(value)}) > 0
and exists (select 1 from json_each(${tags}) where key || ':' || value = ${`${name}:${value}`})`;
};

/** Escapes that PostgreSQL refuses in JSON: of NUL and of surrogates without their pair, which only these texts escape. */
const REFUSED_ESCAPES = String.raw`\\u(0000|d)`;

export const postgresHasTag: HasTag = (column, name, value) => {
  const tags = sql.ref(column);
  return sql<SqlBool>`case when coalesce(strpos(${tags}, ${tagEnd(value)}), 0) = 0 or ${tags} ~ ${REFUSED_ESCAPES} then false
else exists (select 1 from json_each_text(${tags}::json) as tag where tag.key || ':' || tag.value = ${`${name}:${value}`}) end`;
};
