import type { PostgresMigration } from './postgres-migration.ts';

/** As SQLite's migration 30. */
export const userIdentities: PostgresMigration = {
  version: 33,
  name: 'user-identities',
  isCompatible: true,
  statements: [
    `CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id BYTEA NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
)`,
  ],
};
