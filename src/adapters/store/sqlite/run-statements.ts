import type { Connection } from './connection.ts';

/** A compiled query. Parameters are what SQLite can bind: text, numbers, bytes, null. */
export type Statement = readonly [sql: string, parameters: readonly unknown[]];

export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Runs statements in another thread, in one transaction where they write; rejects with the errors of the ports. */
export type Run = (statements: readonly Statement[]) => Promise<readonly StatementResult[]>;

const KEPT = 200;

/** Runs compiled queries on one connection; statements are prepared once. */
export function prepareRun(db: Connection): (statements: readonly Statement[]) => StatementResult[] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const all = db.transaction((statements: readonly Statement[]) => statements.map(run));

  const prepare = (sql: string) => db.prepare<unknown[], unknown>(sql);

  function run([sql, parameters]: Statement): StatementResult {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      // Filters make a few hundred shapes at most; a bound all the same.
      if (prepared.size >= KEPT) prepared.clear();
      statement = prepare(sql);
      prepared.set(sql, statement);
    }
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  return (statements) => (db.readonly ? statements.map(run) : all.immediate(statements));
}
