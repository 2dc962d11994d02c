import type { Migration } from './migration.ts';

/** Sessions, and set-up links (at most one for each user). There are few rows, which the service keeps in memory. */
export const sessions: Migration = {
  version: 2,
  name: 'sessions',
  statements: [
    'ALTER TABLE users ADD COLUMN last_seen_at INTEGER',
    `CREATE TABLE sessions (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL REFERENCES users (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  ip TEXT,
  user_agent TEXT
) WITHOUT ROWID`,
    'CREATE INDEX sessions_user ON sessions (user_id)',
    `CREATE TABLE set_up_links (
  user_id BLOB PRIMARY KEY REFERENCES users (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID`,
  ],
};
