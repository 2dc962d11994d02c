import type { Migration } from './migration.ts';

/** Requests with an Idempotency-Key. A row without a response is running until `runs_until`; after that its response is lost. */
export const idempotency: Migration = {
  version: 14,
  name: 'idempotency',
  statements: [
    `CREATE TABLE idempotency_keys (
  seq INTEGER PRIMARY KEY,
  user_id BLOB NOT NULL,
  path TEXT NOT NULL,
  key_hash BLOB NOT NULL,
  request_hash BLOB NOT NULL,
  run_id BLOB NOT NULL,
  runs_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer BLOB,
  UNIQUE (user_id, path, key_hash)
)`,
    'CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)',
  ],
};
