import type { Migration } from './migration.ts';

/**
 * The audit log, and the role `viewer`: the column `role` had a CHECK, which can only be removed with the column. There are few
 * users, so this is fast.
 */
export const audit: Migration = {
  version: 26,
  name: 'audit',
  statements: [
    `CREATE TABLE audit_events (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_user_id BLOB,
  actor_key_id TEXT,
  via TEXT NOT NULL,
  user_id BLOB,
  target_type TEXT,
  target_id TEXT,
  address TEXT,
  details TEXT NOT NULL
) WITHOUT ROWID`,
    `ALTER TABLE users ADD COLUMN any_role TEXT NOT NULL DEFAULT 'user'`,
    'UPDATE users SET any_role = role',
    'ALTER TABLE users DROP COLUMN role',
    'ALTER TABLE users RENAME COLUMN any_role TO role',
  ],
};
