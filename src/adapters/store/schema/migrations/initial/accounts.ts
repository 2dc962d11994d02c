/**
 * There are few users, sessions and set-up links (at most one for each user): the service keeps them in memory. `users.limits`: JSON
 * object of the limits that differ from the defaults. `key_usage.cost` is in micro-units, because a sum of integers is exact.
 * `second_factors`: the sealed secret, and the step of the last code that was used. Recovery codes are deleted when used.
 * `user_identities`: which account of an OpenID provider signs in which user, who has at most one at each provider.
 */
export const ACCOUNT_TABLES: readonly string[] = [
  `CREATE TABLE api_keys (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id BYTEA NOT NULL REFERENCES users (id),
  name TEXT COLLATE "C" NOT NULL,
  hash BYTEA NOT NULL CHECK (length(hash) = 32),
  prefix TEXT COLLATE "C" NOT NULL,
  last4 TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  expires_at BIGINT,
  revoked_at BIGINT,
  scopes TEXT COLLATE "C" NOT NULL,
  domains TEXT COLLATE "C" NOT NULL,
  ips TEXT COLLATE "C" NOT NULL,
  daily_amount DOUBLE PRECISION,
  daily_unit TEXT COLLATE "C" CHECK (daily_unit IN ('scrapes', 'cost')),
  concurrency BIGINT
)`,
  'CREATE INDEX api_keys_user ON api_keys (user_id)',
  `CREATE TABLE key_usage (
  day TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  scrapes BIGINT NOT NULL, cost BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (day, key_id)
)`,
  `CREATE TABLE sessions (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  user_id BYTEA NOT NULL REFERENCES users (id),
  hash BYTEA NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  ip TEXT COLLATE "C",
  user_agent TEXT COLLATE "C"
)`,
  'CREATE INDEX sessions_user ON sessions (user_id)',
  `CREATE TABLE set_up_links (
  user_id BYTEA PRIMARY KEY REFERENCES users (id),
  hash BYTEA NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
)`,
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
  `CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id BYTEA NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
)`,
  `CREATE TABLE audit_events (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  at BIGINT NOT NULL,
  action TEXT NOT NULL,
  actor_user_id BYTEA,
  actor_key_id TEXT,
  via TEXT NOT NULL,
  user_id BYTEA,
  target_type TEXT,
  target_id TEXT,
  address TEXT,
  details TEXT NOT NULL
)`,
];
