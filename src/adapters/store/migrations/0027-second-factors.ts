import type { Migration } from './migration.ts';

/** Authenticator apps of users: the sealed secret, and the step of the last code that was used. Recovery codes are deleted when used. */
export const secondFactors: Migration = {
  version: 27,
  name: 'second-factors',
  statements: [
    `CREATE TABLE second_factors (
  user_id BLOB PRIMARY KEY REFERENCES users (id),
  secret BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  last_step INTEGER NOT NULL
) WITHOUT ROWID`,
    `CREATE TABLE recovery_codes (
  user_id BLOB NOT NULL REFERENCES users (id),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (user_id, hash)
) WITHOUT ROWID`,
  ],
};
