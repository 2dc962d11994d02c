import { EXPORT_TABLES } from './initial/exports.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import type { Migration } from './migration.ts';

export const exports: Migration = {
  version: 37,
  name: 'exports',
  statements: EXPORT_TABLES.map(sqliteStatement),
};
