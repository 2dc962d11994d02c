/**
 * `monitor_pages` holds what the next run is compared with: for each URL the page of the latest run that got it. Rows of the run
 * under way stand beside those of earlier runs until it ends, so that a run that was interrupted can be compared again.
 *
 * `alert_channels`: where a rule sends to. Each has a row in `webhooks` with its id. A channel without a position was removed; it is
 * kept as long as its deliveries. `alert_instances`: what is about to fire, and what fires.
 */
export const MONITOR_TABLES: readonly string[] = [
  `CREATE TABLE monitors (
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
  compare TEXT COLLATE "C" NOT NULL,
  keep BIGINT NOT NULL,
  next_at BIGINT,
  created_at BIGINT NOT NULL,
  last_n BIGINT NOT NULL DEFAULT 0,
  errors BIGINT NOT NULL DEFAULT 0,
  is_gone SMALLINT NOT NULL DEFAULT 0,
  changed_at BIGINT
)`,
  `CREATE INDEX monitors_due ON monitors (next_at) WHERE state = 'active'`,
  'CREATE INDEX monitors_user ON monitors (user_id, id)',
  `CREATE TABLE monitor_runs (
  monitor_id BYTEA NOT NULL,
  n BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT,
  job_id BYTEA,
  scrape_id BYTEA,
  change TEXT COLLATE "C",
  snapshot BYTEA,
  snapshot_codec SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (monitor_id, n)
)`,
  `CREATE INDEX monitor_runs_running ON monitor_runs (monitor_id) WHERE state = 'running'`,
  `CREATE TABLE monitor_pages (
  monitor_id BYTEA NOT NULL,
  url TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  scrape_id BYTEA NOT NULL,
  snapshot BYTEA NOT NULL,
  snapshot_codec SMALLINT NOT NULL,
  PRIMARY KEY (monitor_id, url, n)
)`,
  `CREATE TABLE alert_rules (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  user_id BYTEA NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  conditions TEXT NOT NULL,
  for_s BIGINT NOT NULL,
  clear_for_s BIGINT NOT NULL,
  enabled SMALLINT NOT NULL,
  silenced_until BIGINT,
  created_at BIGINT NOT NULL,
  last_n BIGINT NOT NULL DEFAULT 0
)`,
  'CREATE INDEX alert_rules_user ON alert_rules (user_id, id)',
  `CREATE TABLE alert_channels (
  id BYTEA PRIMARY KEY,
  rule_id BYTEA NOT NULL,
  position BIGINT,
  type TEXT NOT NULL
)`,
  'CREATE INDEX alert_channels_rule ON alert_channels (rule_id)',
  `CREATE TABLE alert_instances (
  rule_id BYTEA NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL,
  since BIGINT NOT NULL,
  value DOUBLE PRECISION NOT NULL,
  summary TEXT NOT NULL,
  seen_at BIGINT NOT NULL,
  calm_since BIGINT,
  fired_n BIGINT,
  notified SMALLINT NOT NULL,
  PRIMARY KEY (rule_id, subject)
)`,
  `CREATE TABLE alert_events (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  rule_id BYTEA NOT NULL,
  n BIGINT NOT NULL,
  user_id BYTEA NOT NULL,
  state TEXT NOT NULL,
  at BIGINT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  value DOUBLE PRECISION,
  threshold DOUBLE PRECISION NOT NULL,
  since BIGINT NOT NULL,
  summary TEXT NOT NULL,
  silenced SMALLINT NOT NULL,
  UNIQUE (rule_id, n)
)`,
  'CREATE INDEX alert_events_at ON alert_events (at)',
  'CREATE INDEX alert_events_user ON alert_events (user_id, id)',
];
