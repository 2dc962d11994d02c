import type { PostgresMigration } from './postgres-migration.ts';

/** `settings` and `samples` as in SQLite's migration 28. */
export const settings: PostgresMigration = {
  version: 31,
  name: 'settings',
  isCompatible: true,
  statements: [
    `CREATE TABLE settings (
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  sealed BYTEA NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (kind, name)
)`,
    `INSERT INTO meta (name, value) VALUES ('settings_version', 0)`,
    `CREATE TABLE samples (
  step BIGINT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  replica TEXT COLLATE "C" NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (step, at, kind, name, replica)
)`,
  ],
};
