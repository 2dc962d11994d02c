import { PROFILE_TABLES } from './initial/profiles.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import type { Migration } from './migration.ts';

export const profiles: Migration = {
  version: 40,
  name: 'profiles',
  statements: PROFILE_TABLES.map(sqliteStatement),
};
