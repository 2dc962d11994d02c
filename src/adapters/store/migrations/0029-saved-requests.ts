import type { Migration } from './migration.ts';

/** Scrape requests that users have saved, as JSON with masked secrets. */
export const savedRequests: Migration = {
  version: 29,
  name: 'saved requests',
  statements: [
    `CREATE TABLE saved_requests (
  id BLOB NOT NULL PRIMARY KEY,
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  request TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (user_id, name)
) WITHOUT ROWID`,
  ],
};
