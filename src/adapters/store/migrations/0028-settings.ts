import type { Migration } from './migration.ts';

/**
 * `settings`: proxy pools and vendors that administrators set by the API, as sealed JSON. `samples`: measurements by minute (of one
 * replica) and by hour (of all together), as JSON.
 */
export const settings: Migration = {
  version: 28,
  name: 'settings',
  statements: [
    `CREATE TABLE settings (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID`,
    `INSERT INTO meta (name, value) VALUES ('settings_version', 0)`,
    `CREATE TABLE samples (
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  replica TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (step, at, kind, name, replica)
) WITHOUT ROWID`,
  ],
};
