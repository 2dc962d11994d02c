import { RECORD_TABLES } from './initial/records.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import { SQLITE_TABLES } from './initial/sqlite-tables.ts';
import { TABLES_OF_BOTH } from './initial/tables-of-both.ts';
import type { Migration } from './migration.ts';

/**
 * The schema of version 0.1. Its number is 30, and its text is to the letter what thirty migrations made during the development,
 * so that a database which has had all of those is up to date (docs/decisions/0054).
 */
export const initial: Migration = {
  version: 30,
  name: 'initial',
  statements: [...RECORD_TABLES, ...SQLITE_TABLES, ...TABLES_OF_BOTH.map(sqliteStatement)],
  // A database of the development may not have ended it yet.
  backfill: {
    table: 'records',
    key: 'id',
    statement: `INSERT OR IGNORE INTO record_jobs
SELECT job_id, id FROM records WHERE id > @after AND id <= @to AND job_id IS NOT NULL`,
  },
};
