import { NOTIFICATION_TABLES } from './initial/notifications.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import type { Migration } from './migration.ts';

export const notifications: Migration = {
  version: 33,
  name: 'notifications',
  statements: NOTIFICATION_TABLES.map((statement) =>
    // Numbers are never given twice: deliveries have them.
    sqliteStatement(statement).replace(
      'number INTEGER PRIMARY KEY',
      'number INTEGER PRIMARY KEY AUTOINCREMENT',
    ),
  ),
};
