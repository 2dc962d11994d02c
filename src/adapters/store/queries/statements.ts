/** A compiled query. Parameters are values that the database can bind: text, numbers, bytes, null. */
export type Statement = readonly [sql: string, parameters: readonly unknown[]];

export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Runs statements as one transaction; in SQLite, in another thread. Rejects with `StorageError` or `ConflictError`. */
export type RunStatements = (statements: readonly Statement[]) => Promise<readonly StatementResult[]>;
