/**
 * `schedule_runs.missed`: due times that began no run, from `due_at` to `last_due_at`. A run under way without `started_at` may have no
 * job yet.
 */
export const SCHEDULE_TABLES: readonly string[] = [
  `CREATE TABLE schedules (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  user_id BYTEA NOT NULL,
  key_id TEXT COLLATE "C",
  name TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  pause_reason TEXT COLLATE "C",
  request TEXT COLLATE "C" NOT NULL,
  spec BYTEA NOT NULL,
  schedule TEXT COLLATE "C" NOT NULL,
  jitter_s BIGINT NOT NULL,
  overlap TEXT COLLATE "C" NOT NULL,
  next_at BIGINT,
  created_at BIGINT NOT NULL,
  last_n BIGINT NOT NULL DEFAULT 0
)`,
  `CREATE INDEX schedules_due ON schedules (next_at) WHERE state = 'active'`,
  'CREATE INDEX schedules_user ON schedules (user_id, id)',
  `CREATE TABLE schedule_runs (
  schedule_id BYTEA NOT NULL,
  n BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C",
  message TEXT COLLATE "C",
  due_at BIGINT NOT NULL,
  last_due_at BIGINT NOT NULL,
  missed BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT,
  job_id BYTEA,
  PRIMARY KEY (schedule_id, n)
)`,
  `CREATE UNIQUE INDEX schedule_runs_open ON schedule_runs (schedule_id, state) WHERE state IN ('waiting', 'running')`,
];
