-- Version 7. Made from the migrations by scripts/dump-schema.ts; do not edit.
-- PRAGMA application_id = 1399612261
-- PRAGMA user_version = 7
-- PRAGMA page_size = 8192
-- PRAGMA auto_vacuum = 2
-- PRAGMA journal_mode = wal

CREATE TABLE api_keys (
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
) WITHOUT ROWID;

CREATE INDEX api_keys_user ON api_keys (user_id);

CREATE TABLE experience (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID;

CREATE INDEX experience_at ON experience (kind, at);

CREATE TABLE key_usage (
  day TEXT NOT NULL,
  key_id TEXT NOT NULL,
  scrapes INTEGER NOT NULL, cost INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, key_id)
) WITHOUT ROWID;

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE record_bodies (
  seq INTEGER PRIMARY KEY,
  request BLOB,
  request_codec INTEGER NOT NULL,
  answer BLOB,
  answer_codec INTEGER NOT NULL,
  content BLOB,
  content_codec INTEGER NOT NULL
);

CREATE TABLE records (
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
  body INTEGER, pictures TEXT, files TEXT,
  PRIMARY KEY (user_id, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX records_id ON records (id);

CREATE TABLE sessions (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL REFERENCES users (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  ip TEXT,
  user_agent TEXT
) WITHOUT ROWID;

CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE set_up_links (
  user_id BLOB PRIMARY KEY REFERENCES users (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE stat_counts (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (step, at, user_id, kind, name)
) WITHOUT ROWID;

CREATE TABLE users (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'user')),
  password_hash TEXT,
  concurrency INTEGER,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
, last_seen_at INTEGER) WITHOUT ROWID;
