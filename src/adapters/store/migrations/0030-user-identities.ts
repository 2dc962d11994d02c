import type { Migration } from './migration.ts';

/** Which account of an OpenID provider signs in which user. A user has at most one at each provider. */
export const userIdentities: Migration = {
  version: 30,
  name: 'user-identities',
  statements: [
    `CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
) WITHOUT ROWID`,
  ],
};
