import { type RawBuilder, sql } from 'kysely';
import { type HasTag, postgresHasTag, sqliteHasTag } from '../has-tag.ts';

/** What the queries of jobs write differently in SQLite and in PostgreSQL. */
export interface JobDialect {
  /** The function that finds a text in another one. */
  readonly position: 'instr' | 'strpos';
  readonly hasTag: HasTag;
  /** Follows the name of a table: makes SQLite use this index, which it knows no figures about. Nothing in PostgreSQL. */
  indexedBy(index: string): RawBuilder<unknown>;
  /** The text before a character; the whole text, if it is not in it. */
  before(text: RawBuilder<string>, character: string): RawBuilder<string>;
}

export const sqliteJobDialect: JobDialect = {
  position: 'instr',
  hasTag: sqliteHasTag,
  indexedBy: (index) => sql.raw(` INDEXED BY ${index}`),
  before: (text, character) =>
    sql<string>`substr(${text}, 1, instr(${text} || ${character}, ${character}) - 1)`,
};

export const postgresJobDialect: JobDialect = {
  position: 'strpos',
  hasTag: postgresHasTag,
  indexedBy: () => sql``,
  // Half the time of the other form, which names the text twice.
  before: (text, character) => sql<string>`split_part(${text}, ${character}, 1)`,
};
