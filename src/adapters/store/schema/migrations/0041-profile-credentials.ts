import { PROFILE_CREDENTIALS_COLUMNS } from './initial/profile-credentials.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import type { Migration } from './migration.ts';

export const profileCredentials: Migration = {
  version: 41,
  name: 'profile credentials',
  statements: PROFILE_CREDENTIALS_COLUMNS.map(sqliteStatement),
};
