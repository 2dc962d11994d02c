/** One step forward of the schema; there is no way back but the copy that is made before. */
export interface Migration {
  /** 1, 2, 3 …: the version (`PRAGMA user_version`) that the database has afterwards. */
  readonly version: number;
  readonly name: string;
  /** All run in one transaction. Never changed once released. */
  readonly statements: readonly string[];
}
