import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Db, Tables } from '../schema/tables.ts';
import type { Statement } from './statements.ts';

/** Kysely only compiles queries, so it needs no driver. They run in other threads. */
export function createCompiler(): Db {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** The same for PostgreSQL. */
export function createPostgresCompiler(): Db {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

export interface CompilableQuery {
  compile(): { sql: string; parameters: readonly unknown[] };
}

export function statementOf(query: CompilableQuery): Statement {
  const { sql, parameters } = query.compile();
  return [sql, parameters];
}
