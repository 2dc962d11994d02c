import { SCHEDULE_TABLES } from './initial/schedules.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import type { Migration } from './migration.ts';

export const schedules: Migration = {
  version: 35,
  name: 'schedules',
  statements: SCHEDULE_TABLES.map(sqliteStatement),
};
