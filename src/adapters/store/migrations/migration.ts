/** A migration of the schema. It can only be undone with the copy of the database that is made before it. */
export interface Migration {
  /** The version (`PRAGMA user_version`) of the database afterwards: 1, 2, 3 … */
  readonly version: number;
  readonly name: string;
  /** Run in one transaction. Must never change after a release. */
  readonly statements: readonly string[];
}
