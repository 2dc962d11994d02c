import type { Migration } from './migration.ts';

/** Named rules of `extract`, as JSON. */
export const templates: Migration = {
  version: 10,
  name: 'templates',
  statements: [
    `CREATE TABLE templates (
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  rules TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
)`,
  ],
};
