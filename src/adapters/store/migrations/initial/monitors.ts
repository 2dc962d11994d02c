/**
 * `monitor_pages` holds what the next run is compared with: for each URL the page of the latest run that got it. Rows of the run
 * under way stand beside those of earlier runs until it ends, so that a run that was interrupted can be compared again.
 *
 * `alert_channels`: where a rule sends to. Each has a row in `webhooks` with its id. A channel without a position was removed; it is
 * kept as long as its deliveries. `alert_instances`: what is about to fire, and what fires.
 */
export const MONITOR_TABLES: readonly string[] = [
  `CREATE TABLE monitors (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL,
  key_id TEXT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  pause_reason TEXT,
  request TEXT NOT NULL,
  spec BLOB NOT NULL,
  schedule TEXT NOT NULL,
  jitter_s INTEGER NOT NULL,
  compare TEXT NOT NULL,
  keep INTEGER NOT NULL,
  next_at INTEGER,
  created_at INTEGER NOT NULL,
  last_n INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  is_gone INTEGER NOT NULL DEFAULT 0,
  changed_at INTEGER
) WITHOUT ROWID`,
  `CREATE INDEX monitors_due ON monitors (next_at) WHERE state = 'active'`,
  'CREATE INDEX monitors_user ON monitors (user_id, id)',
  `CREATE TABLE monitor_runs (
  monitor_id BLOB NOT NULL,
  n INTEGER NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  job_id BLOB,
  scrape_id BLOB,
  change TEXT,
  snapshot BLOB,
  snapshot_codec INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (monitor_id, n)
) WITHOUT ROWID`,
  `CREATE INDEX monitor_runs_running ON monitor_runs (monitor_id) WHERE state = 'running'`,
  `CREATE TABLE monitor_pages (
  monitor_id BLOB NOT NULL,
  url TEXT NOT NULL,
  n INTEGER NOT NULL,
  scrape_id BLOB NOT NULL,
  snapshot BLOB NOT NULL,
  snapshot_codec INTEGER NOT NULL,
  PRIMARY KEY (monitor_id, url, n)
) WITHOUT ROWID`,
  `CREATE TABLE alert_rules (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  conditions TEXT NOT NULL,
  for_s INTEGER NOT NULL,
  clear_for_s INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  silenced_until INTEGER,
  created_at INTEGER NOT NULL,
  last_n INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID`,
  'CREATE INDEX alert_rules_user ON alert_rules (user_id, id)',
  `CREATE TABLE alert_channels (
  id BLOB PRIMARY KEY,
  rule_id BLOB NOT NULL,
  position INTEGER,
  type TEXT NOT NULL
) WITHOUT ROWID`,
  'CREATE INDEX alert_channels_rule ON alert_channels (rule_id)',
  `CREATE TABLE alert_instances (
  rule_id BLOB NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL,
  since INTEGER NOT NULL,
  value REAL NOT NULL,
  summary TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  calm_since INTEGER,
  fired_n INTEGER,
  notified INTEGER NOT NULL,
  PRIMARY KEY (rule_id, subject)
) WITHOUT ROWID`,
  `CREATE TABLE alert_events (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  rule_id BLOB NOT NULL,
  n INTEGER NOT NULL,
  user_id BLOB NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  value REAL,
  threshold REAL NOT NULL,
  since INTEGER NOT NULL,
  summary TEXT NOT NULL,
  silenced INTEGER NOT NULL,
  UNIQUE (rule_id, n)
) WITHOUT ROWID`,
  'CREATE INDEX alert_events_at ON alert_events (at)',
  'CREATE INDEX alert_events_user ON alert_events (user_id, id)',
];
