import type { Migration } from './migration.ts';

/**
 * The primary key keeps the records of a user adjacent, in the order of their ids and so of time: the history of a user is
 * one scan of narrow rows. The index on `id` is for single records, the history of all users, and retention.
 * `records.user_id` has no foreign key, because that would cost a look-up for every scrape. `http_status` went to the caller;
 * `status_code` came from the target.
 */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  statements: [
    `CREATE TABLE records (
  id BLOB NOT NULL CHECK (length(id) = 16),
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  key_id TEXT,
  created_at INTEGER NOT NULL,
  url TEXT,
  host TEXT NOT NULL,
  method TEXT,
  requested_scraper TEXT,
  scraper TEXT,
  proxy_type TEXT,
  http_status INTEGER,
  status_code INTEGER,
  outcome TEXT NOT NULL,
  error_code TEXT,
  duration_ms REAL NOT NULL,
  content_bytes INTEGER,
  request_cost REAL,
  tags TEXT,
  has_screenshot INTEGER NOT NULL,
  content_encoding TEXT,
  content_in_blob INTEGER NOT NULL,
  body INTEGER,
  PRIMARY KEY (user_id, id)
) WITHOUT ROWID`,
    'CREATE UNIQUE INDEX records_id ON records (id)',
    `CREATE TABLE record_bodies (
  seq INTEGER PRIMARY KEY,
  request BLOB,
  request_codec INTEGER NOT NULL,
  answer BLOB,
  answer_codec INTEGER NOT NULL,
  content BLOB,
  content_codec INTEGER NOT NULL
)`,
    `CREATE TABLE users (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'user')),
  password_hash TEXT,
  concurrency INTEGER,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
) WITHOUT ROWID`,
    `CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  last4 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  scopes TEXT NOT NULL,
  domains TEXT NOT NULL,
  ips TEXT NOT NULL,
  daily_amount REAL,
  daily_unit TEXT CHECK (daily_unit IN ('scrapes', 'cost')),
  concurrency INTEGER
) WITHOUT ROWID`,
    'CREATE INDEX api_keys_user ON api_keys (user_id)',
    `CREATE TABLE key_usage (
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  scrapes INTEGER NOT NULL,
  PRIMARY KEY (day, key_id)
) WITHOUT ROWID`,
    `CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID`,
    `INSERT INTO meta (name, value) VALUES ('accounts_version', 1), ('heartbeat', 0)`,
  ],
};
