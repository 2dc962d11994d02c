/** A migration of the schema on PostgreSQL. Its versions are not those of SQLite. */
export interface PostgresMigration {
  readonly version: number;
  readonly name: string;
  /** Whether the program of the version before works with the schema afterwards, so that both may run side by side. */
  readonly isCompatible: boolean;
  /** Run in one transaction, so they hold up whoever uses the tables that they alter. Must never change after a release. */
  readonly statements: readonly string[];
}
