/** A migration of the schema. Only the copy that is made before it allows to go back. */
export interface Migration {
  /** The version (`PRAGMA user_version`) of the database afterwards: 1, 2, 3 … */
  readonly version: number;
  readonly name: string;
  /** Run in one transaction. Must never change after a release. */
  readonly statements: readonly string[];
}
