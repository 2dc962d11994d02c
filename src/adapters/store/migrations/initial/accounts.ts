/**
 * There are few users, sessions and set-up links (at most one for each user): the service keeps them in memory. `users.limits`: JSON
 * object of the limits that differ from the defaults. `key_usage.cost` is in micro-units, because a sum of integers is exact.
 * `second_factors`: the sealed secret, and the step of the last code that was used. Recovery codes are deleted when used.
 * `user_identities`: which account of an OpenID provider signs in which user, who has at most one at each provider.
 */
export const ACCOUNT_TABLES: readonly string[] = [
  `CREATE TABLE users (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  concurrency INTEGER,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
, last_seen_at INTEGER, limits TEXT NOT NULL DEFAULT '{}', role TEXT NOT NULL DEFAULT 'user') WITHOUT ROWID`,
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
  scrapes INTEGER NOT NULL, cost INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, key_id)
) WITHOUT ROWID`,
  `CREATE TABLE sessions (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL REFERENCES users (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  ip TEXT,
  user_agent TEXT
) WITHOUT ROWID`,
  'CREATE INDEX sessions_user ON sessions (user_id)',
  `CREATE TABLE set_up_links (
  user_id BLOB PRIMARY KEY REFERENCES users (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID`,
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
  `CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
) WITHOUT ROWID`,
  `CREATE TABLE audit_events (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor_user_id BLOB,
  actor_key_id TEXT,
  via TEXT NOT NULL,
  user_id BLOB,
  target_type TEXT,
  target_id TEXT,
  address TEXT,
  details TEXT NOT NULL
) WITHOUT ROWID`,
];
