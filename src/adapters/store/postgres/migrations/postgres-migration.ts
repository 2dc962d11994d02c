/** A migration of the schema on PostgreSQL. Versions are those of the whole product: SQLite's migration of the same number is its pair. */
export interface PostgresMigration {
  readonly version: number;
  readonly name: string;
  /** Whether the program of the version before works with the schema afterwards, so that both may run side by side. */
  readonly isCompatible: boolean;
  /** Run in one transaction. Must never change after a release. */
  readonly statements: readonly string[];
}
