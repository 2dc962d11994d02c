import type { PostgresMigration } from './postgres-migration.ts';

/** As SQLite's migration 27. Services of the version before do not ask for codes. */
export const secondFactors: PostgresMigration = {
  version: 30,
  name: 'second-factors',
  isCompatible: true,
  statements: [
    `CREATE TABLE second_factors (
  user_id BYTEA PRIMARY KEY REFERENCES users (id),
  secret BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  confirmed_at BIGINT,
  last_step BIGINT NOT NULL
)`,
    `CREATE TABLE recovery_codes (
  user_id BYTEA NOT NULL REFERENCES users (id),
  hash BYTEA NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (user_id, hash)
)`,
  ],
};
