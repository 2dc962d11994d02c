/**
 * `sealed`: cookies and storage. `identity` and `exit`: JSON. The state is the last column, because it may be large and most readers
 * need the others alone.
 */
export const PROFILE_TABLES: readonly string[] = [
  `CREATE TABLE profiles (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  user_id BYTEA NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  sites TEXT COLLATE "C" NOT NULL,
  identity TEXT COLLATE "C",
  exit TEXT COLLATE "C",
  shared SMALLINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  cookies BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  refreshed_at BIGINT NOT NULL,
  used_at BIGINT,
  expires_at BIGINT,
  version BIGINT NOT NULL,
  sealed BYTEA NOT NULL
)`,
  'CREATE UNIQUE INDEX profiles_name ON profiles (user_id, name)',
  'CREATE UNIQUE INDEX profiles_shared ON profiles (name) WHERE shared = 1',
  'CREATE INDEX profiles_expiry ON profiles (expires_at) WHERE expires_at IS NOT NULL',
];
