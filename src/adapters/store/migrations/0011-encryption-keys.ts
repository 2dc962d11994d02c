import type { Migration } from './migration.ts';

/** The ids of keys that sealed something, so that a start does not have to look at all sealed values. */
export const encryptionKeys: Migration = {
  version: 11,
  name: 'encryption-keys',
  statements: [
    `CREATE TABLE encryption_keys (
  id TEXT PRIMARY KEY,
  first_used_at INTEGER NOT NULL
) WITHOUT ROWID`,
  ],
};
