import { type SqlBool, sql } from 'kysely';
import { lowered } from '../../../domain/run-lists.ts';

/** Whether the column `name` contains the text, ASCII letters in any case. */
export function hasName(text: string) {
  const pattern = `%${lowered(text).replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`lower(name) like ${pattern} escape '\\'`;
}
