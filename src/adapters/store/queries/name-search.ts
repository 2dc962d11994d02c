import { type SqlBool, sql } from 'kysely';

/** ASCII letters in lower case, as `lower` of both databases makes them. */
export const lowered = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether the column `name` contains the text, ASCII letters in any case. */
export function hasName(text: string) {
  const pattern = `%${lowered(text).replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`lower(name) like ${pattern} escape '\\'`;
}
