import type { PostgresMigration } from './postgres-migration.ts';

/** As SQLite's migration 29. */
export const savedRequests: PostgresMigration = {
  version: 32,
  name: 'saved requests',
  isCompatible: true,
  statements: [
    `CREATE TABLE saved_requests (
  id BYTEA NOT NULL PRIMARY KEY,
  user_id BYTEA NOT NULL REFERENCES users (id),
  name TEXT COLLATE "C" NOT NULL,
  request TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (user_id, name)
)`,
  ],
};
