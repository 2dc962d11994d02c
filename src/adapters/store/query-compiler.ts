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
import type { Statement } from './prepared-statements.ts';
import { type InsertSql, REQUEST_INDEX } from './prepared-statements.ts';
import type { Db, Tables } from './tables.ts';

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

/**
 * The inserts of records, compiled once, because every scrape needs them. The values are placeholders. The columns of
 * `records` have the order of `RecordInsertRow`.
 */
export function compileInserts(db: Db): InsertSql {
  const record = db.insertInto('records').values({
    id: ANY_BYTES,
    user_id: ANY_BYTES,
    key_id: '',
    created_at: 0,
    url: '',
    host: '',
    method: '',
    requested_scraper: '',
    scraper: '',
    proxy_type: '',
    http_status: 0,
    status_code: 0,
    outcome: '',
    error_code: '',
    duration_ms: 0,
    content_bytes: 0,
    request_cost: 0,
    tags: '',
    has_screenshot: 0,
    content_encoding: '',
    content_in_blob: 0,
    pictures: '',
    files: '',
    body: 0,
    job_id: ANY_BYTES,
  });
  const body = db.insertInto('record_bodies').values({
    request: '',
    request_codec: 0,
    answer: '',
    answer_codec: 0,
    content: ANY_BYTES,
    content_codec: 0,
    shared: 0,
  });
  const compiled = record.compile();
  if (compiled.parameters.length !== REQUEST_INDEX + 2)
    throw new Error('the columns of records here do not match RecordInsertRow and REQUEST_INDEX');
  return { record: compiled.sql, body: body.compile().sql };
}

const ANY_BYTES = new Uint8Array(0);
