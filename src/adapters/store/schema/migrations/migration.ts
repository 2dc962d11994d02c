/**
 * Work on rows that existed before a migration. It is done after the start, in small steps beside the work of the service; see
 * `backfill.ts`.
 */
export interface Backfill {
  readonly table: string;
  /** A unique column of bytes, with an index. The rows are visited in its order. */
  readonly key: string;
  /** SQL that handles the rows whose key is greater than `@after`, but not than `@to`. It must do no harm if it runs again. */
  readonly statement: string;
}

/**
 * A migration of the schema. It cannot be undone. A start must be fast with any number of records, so a migration only adds:
 * new tables, and new columns without a CHECK. It never creates an index on `records` or `record_bodies`, because SQLite would
 * read every row for it, and it reads no rows of them. What must be done with those is a `Backfill`.
 */
export interface Migration {
  /** The version (`PRAGMA user_version`) of the database afterwards: 30, 31, 32 … */
  readonly version: number;
  readonly name: string;
  /** Run in one transaction. After a release, they must not change in a way that leads to another schema. */
  readonly statements: readonly string[];
  readonly backfill?: Backfill;
}
