/** A migration of the schema. It cannot be undone, except with the copy that is made before. */
export interface Migration {
  /** The version (`PRAGMA user_version`) of the database afterwards: 1, 2, 3 … */
  readonly version: number;
  readonly name: string;
  /** Run in one transaction. Must never change after a release. */
  readonly statements: readonly string[];
}
