import type { PostgresMigration } from './postgres-migration.ts';

/** As SQLite's migration 26. For services of the version before, a viewer is a user, so viewers should be made after the update. */
export const audit: PostgresMigration = {
  version: 29,
  name: 'audit',
  isCompatible: true,
  statements: [
    `CREATE TABLE audit_events (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  at BIGINT NOT NULL,
  action TEXT NOT NULL,
  actor_user_id BYTEA,
  actor_key_id TEXT,
  via TEXT NOT NULL,
  user_id BYTEA,
  target_type TEXT,
  target_id TEXT,
  address TEXT,
  details TEXT NOT NULL
)`,
    'ALTER TABLE users DROP CONSTRAINT users_role_check',
  ],
};
