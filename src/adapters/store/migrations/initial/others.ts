/**
 * `settings`: proxy pools and vendors that administrators set by the API, as sealed JSON. `encryption_keys`: the ids of keys that
 * sealed something, so that a start does not have to look at all sealed values. `service_secrets`: secrets of the service itself,
 * each sealed. `idempotency_keys`: a row without a response is running until `runs_until`; after that its response is lost.
 * `backfills`: the back-fills that have not ended, with the key of the last row handled.
 */
export const OTHER_TABLES: readonly string[] = [
  `CREATE TABLE templates (
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  rules TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
)`,
  `CREATE TABLE saved_requests (
  id BLOB NOT NULL PRIMARY KEY,
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  request TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (user_id, name)
) WITHOUT ROWID`,
  `CREATE TABLE settings (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID`,
  `CREATE TABLE encryption_keys (
  id TEXT PRIMARY KEY,
  first_used_at INTEGER NOT NULL
) WITHOUT ROWID`,
  `CREATE TABLE service_secrets (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) WITHOUT ROWID`,
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
  `CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID`,
  'CREATE TABLE backfills (version INTEGER PRIMARY KEY, after BLOB NOT NULL)',
  `INSERT INTO meta (name, value) VALUES ('accounts_version', 1), ('heartbeat', 0), ('settings_version', 0)`,
];
