/**
 * What replicas tell each other. The tables are not logged: writing them costs little, and a crash of the database empties them,
 * after which replicas register again.
 */
export const REPLICA_TABLES: readonly string[] = [
  `CREATE UNLOGGED TABLE live_replicas (
  id TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  version TEXT NOT NULL,
  host TEXT NOT NULL,
  settings TEXT NOT NULL,
  browsers TEXT,
  is_draining BOOLEAN NOT NULL DEFAULT FALSE,
  renewed_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
)`,
  `CREATE UNLOGGED TABLE hand_overs (
  number BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  id TEXT PRIMARY KEY,
  caller TEXT NOT NULL,
  user_id TEXT NOT NULL,
  format INTEGER NOT NULL,
  browser TEXT NOT NULL,
  is_repeatable BOOLEAN NOT NULL,
  request BYTEA NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  ends_at TIMESTAMPTZ NOT NULL,
  attempt_ends_at TIMESTAMPTZ,
  worker TEXT,
  claim INTEGER NOT NULL DEFAULT 0,
  is_done BOOLEAN NOT NULL DEFAULT FALSE,
  result BYTEA,
  result_bytes BIGINT,
  body_bytes BIGINT
)`,
  `CREATE UNLOGGED TABLE hand_over_pieces (
  hand_over_id TEXT NOT NULL REFERENCES hand_overs (id) ON DELETE CASCADE,
  claim INTEGER NOT NULL,
  number INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (hand_over_id, claim, number)
)`,
];
