-- Version 41. Made from the migrations by scripts/dump-schema.ts; do not edit.
-- PRAGMA application_id = 1399612261
-- PRAGMA user_version = 41
-- PRAGMA page_size = 8192
-- PRAGMA auto_vacuum = 2
-- PRAGMA journal_mode = wal

CREATE TABLE alert_channels (
  id BLOB PRIMARY KEY,
  rule_id BLOB NOT NULL,
  position INTEGER,
  type TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX alert_channels_rule ON alert_channels (rule_id);

CREATE TABLE alert_events (
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
) WITHOUT ROWID;

CREATE INDEX alert_events_at ON alert_events (at);

CREATE INDEX alert_events_user ON alert_events (user_id, id);

CREATE TABLE alert_instances (
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
) WITHOUT ROWID;

CREATE TABLE alert_rules (
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
) WITHOUT ROWID;

CREATE INDEX alert_rules_user ON alert_rules (user_id, id);

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

CREATE TABLE audit_events (
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
) WITHOUT ROWID;

CREATE TABLE backfills (version INTEGER PRIMARY KEY, after BLOB NOT NULL);

CREATE TABLE channels (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'ok',
  failing_since INTEGER,
  paused_at INTEGER,
  last_error TEXT,
  last_delivered_at INTEGER,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX channels_user ON channels (user_id, id);

CREATE TABLE dataset_cells (
  dataset INTEGER NOT NULL,
  col INTEGER NOT NULL,
  value BLOB NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (dataset, col, value, row)
) WITHOUT ROWID;

CREATE TABLE dataset_rows (
  dataset INTEGER NOT NULL,
  row INTEGER NOT NULL,
  run INTEGER NOT NULL,
  key BLOB NOT NULL,
  hash BLOB NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (dataset, row)
) WITHOUT ROWID;

CREATE INDEX dataset_rows_key ON dataset_rows (dataset, run, key);

CREATE TABLE dataset_runs (
  dataset INTEGER NOT NULL,
  n INTEGER NOT NULL,
  job_id BLOB NOT NULL,
  schedule_id BLOB,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  after INTEGER NOT NULL DEFAULT 0,
  first_row INTEGER NOT NULL DEFAULT 0,
  last_row INTEGER NOT NULL DEFAULT -1,
  error TEXT,
  PRIMARY KEY (dataset, n)
) WITHOUT ROWID;

CREATE UNIQUE INDEX dataset_runs_job ON dataset_runs (dataset, job_id);

CREATE INDEX dataset_runs_open ON dataset_runs (dataset, n) WHERE state IN ('importing', 'deleting');

CREATE TABLE datasets (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  user_id BLOB NOT NULL,
  name TEXT NOT NULL,
  key TEXT,
  columns TEXT NOT NULL,
  dropped INTEGER NOT NULL DEFAULT 0,
  rows INTEGER NOT NULL DEFAULT 0,
  last_row INTEGER NOT NULL DEFAULT 0,
  last_run INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX datasets_user ON datasets (user_id, id);

CREATE TABLE encryption_keys (
  id TEXT PRIMARY KEY,
  first_used_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE experience (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID;

CREATE INDEX experience_at ON experience (kind, at);

CREATE TABLE exports (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL,
  job_id BLOB NOT NULL,
  schedule_id BLOB,
  run_n INTEGER,
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  spec BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  lease INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0,
  status INTEGER,
  error TEXT,
  bytes INTEGER,
  sent_to TEXT,
  ended_at INTEGER
) WITHOUT ROWID;

CREATE INDEX exports_due ON exports (next_at) WHERE state IN ('pending', 'sending');

CREATE INDEX exports_job ON exports (job_id, id);

CREATE INDEX exports_run ON exports (schedule_id, run_n) WHERE schedule_id IS NOT NULL;

CREATE TABLE idempotency_keys (
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
);

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE TABLE job_blocks (
  job_id BLOB NOT NULL,
  host TEXT NOT NULL,
  block INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  last_page INTEGER NOT NULL,
  PRIMARY KEY (job_id, host, block)
) WITHOUT ROWID;

CREATE TABLE job_counters (
  job_id BLOB NOT NULL,
  counter BLOB NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (job_id, counter)
) WITHOUT ROWID;

CREATE TABLE job_events (
  job_id BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  item INTEGER,
  PRIMARY KEY (job_id, sequence)
) WITHOUT ROWID;

CREATE TABLE job_folders (
  job_id BLOB NOT NULL,
  parent TEXT NOT NULL,
  name TEXT NOT NULL,
  open INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  PRIMARY KEY (job_id, parent, name)
) WITHOUT ROWID;

CREATE TABLE job_hosts (
  job_id BLOB NOT NULL,
  host TEXT NOT NULL,
  queued INTEGER NOT NULL,
  running INTEGER NOT NULL,
  ready_at INTEGER NOT NULL, delay_ms INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, host)
) WITHOUT ROWID;

CREATE INDEX job_hosts_ready ON job_hosts (job_id, ready_at) WHERE queued > 0;

CREATE INDEX job_hosts_running ON job_hosts (host) WHERE running > 0;

CREATE TABLE job_items (
  job_id BLOB NOT NULL,
  item INTEGER NOT NULL,
  n INTEGER,
  ref TEXT,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  fingerprint BLOB,
  depth INTEGER NOT NULL,
  parent INTEGER,
  request BLOB,
  repeatable INTEGER NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  run_at INTEGER NOT NULL DEFAULT 0,
  lease INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER,
  outcome TEXT,
  error TEXT,
  scrape_id BLOB,
  ended_at INTEGER, status_code INTEGER, verdict TEXT, title TEXT, bytes INTEGER,
  PRIMARY KEY (job_id, item)
) WITHOUT ROWID;

CREATE INDEX job_items_bytes ON job_items (job_id, bytes, item) WHERE bytes IS NOT NULL;

CREATE INDEX job_items_ended ON job_items (job_id, state, n) WHERE n IS NOT NULL;

CREATE INDEX job_items_failed ON job_items (job_id, item) WHERE state = 'failed';

CREATE UNIQUE INDEX job_items_fingerprint ON job_items (job_id, fingerprint) WHERE fingerprint IS NOT NULL;

CREATE INDEX job_items_n ON job_items (job_id, n) WHERE n IS NOT NULL;

CREATE INDEX job_items_queued ON job_items (job_id, host, run_at, item) WHERE state = 'queued';

CREATE INDEX job_items_retry ON job_items (job_id, run_at, item) WHERE state = 'queued' AND tries > 0;

CREATE INDEX job_items_running ON job_items (lease_until) WHERE state = 'running';

CREATE INDEX job_items_state ON job_items (job_id, state, item);

CREATE INDEX job_items_status ON job_items (job_id, status_code, item) WHERE status_code IS NOT NULL;

CREATE INDEX job_items_unread ON job_items (job_id, item) WHERE state = 'ok' AND error IS NOT NULL;

CREATE TABLE jobs (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL,
  key_id TEXT,
  kind TEXT NOT NULL,
  name TEXT,
  tags TEXT NOT NULL,
  metadata TEXT,
  priority INTEGER NOT NULL,
  concurrency INTEGER,
  per_host INTEGER NOT NULL,
  delay_ms INTEGER NOT NULL,
  max_cost INTEGER,
  retries INTEGER NOT NULL,
  max_visits INTEGER,
  kept_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  request TEXT NOT NULL,
  spec BLOB NOT NULL,
  state TEXT NOT NULL,
  pause_reason TEXT,
  pause_since INTEGER,
  resumes_at INTEGER,
  queued INTEGER NOT NULL DEFAULT 0,
  running INTEGER NOT NULL DEFAULT 0,
  ok INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  duplicates INTEGER NOT NULL DEFAULT 0,
  outcomes TEXT NOT NULL DEFAULT '{}',
  cost INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  started_at INTEGER,
  ended_at INTEGER,
  expires_at INTEGER,
  results_deleted INTEGER NOT NULL DEFAULT 0,
  last_item INTEGER NOT NULL DEFAULT 0,
  last_n INTEGER NOT NULL DEFAULT 0,
  last_event INTEGER NOT NULL DEFAULT 0
, visits INTEGER NOT NULL DEFAULT 0, unlisted INTEGER NOT NULL DEFAULT 0, monitor_id BLOB, schedule_id BLOB, last_error TEXT, first_url TEXT, search TEXT) WITHOUT ROWID;

CREATE INDEX jobs_expiry ON jobs (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX jobs_open ON jobs (user_id) WHERE state IN ('queued', 'running', 'paused');

CREATE INDEX jobs_own ON jobs (id) WHERE monitor_id IS NULL AND schedule_id IS NULL;

CREATE INDEX jobs_own_user ON jobs (user_id, id) WHERE monitor_id IS NULL AND schedule_id IS NULL;

CREATE INDEX jobs_resume ON jobs (resumes_at) WHERE state = 'paused';

CREATE INDEX jobs_user ON jobs (user_id, id);

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

CREATE TABLE monitor_pages (
  monitor_id BLOB NOT NULL,
  url TEXT NOT NULL,
  n INTEGER NOT NULL,
  scrape_id BLOB NOT NULL,
  snapshot BLOB NOT NULL,
  snapshot_codec INTEGER NOT NULL,
  PRIMARY KEY (monitor_id, url, n)
) WITHOUT ROWID;

CREATE TABLE monitor_runs (
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
) WITHOUT ROWID;

CREATE INDEX monitor_runs_running ON monitor_runs (monitor_id) WHERE state = 'running';

CREATE TABLE monitors (
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
) WITHOUT ROWID;

CREATE INDEX monitors_due ON monitors (next_at) WHERE state = 'active';

CREATE INDEX monitors_user ON monitors (user_id, id);

CREATE TABLE notification_channels (
  source_id BLOB NOT NULL,
  channel_id BLOB NOT NULL,
  source TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (source_id, channel_id)
) WITHOUT ROWID;

CREATE INDEX notification_channels_channel ON notification_channels (channel_id);

CREATE TABLE notification_sources (
  source_id BLOB PRIMARY KEY,
  user_id BLOB NOT NULL,
  source TEXT NOT NULL,
  title TEXT,
  events TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE notifications (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id BLOB NOT NULL,
  source_id BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  title TEXT,
  facts TEXT NOT NULL,
  read_at INTEGER,
  UNIQUE (source_id, sequence)
);

CREATE INDEX notifications_unread ON notifications (user_id, number) WHERE read_at IS NULL;

CREATE INDEX notifications_user ON notifications (user_id, number);

CREATE TABLE profiles (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id BLOB NOT NULL,
  name TEXT NOT NULL,
  sites TEXT NOT NULL,
  identity TEXT,
  exit TEXT,
  shared INTEGER NOT NULL,
  state TEXT NOT NULL,
  cookies INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  refreshed_at INTEGER NOT NULL,
  used_at INTEGER,
  expires_at INTEGER,
  version INTEGER NOT NULL,
  sealed BLOB NOT NULL
, has_credentials INTEGER NOT NULL DEFAULT 0, credentials BLOB) WITHOUT ROWID;

CREATE INDEX profiles_expiry ON profiles (expires_at) WHERE expires_at IS NOT NULL;

CREATE UNIQUE INDEX profiles_name ON profiles (user_id, name);

CREATE UNIQUE INDEX profiles_shared ON profiles (name) WHERE shared = 1;

CREATE TRIGGER shared_contents_left AFTER DELETE ON record_bodies WHEN OLD.shared IS NOT NULL BEGIN
  UPDATE shared_contents SET uses = uses - 1 WHERE number = OLD.shared;
  DELETE FROM shared_contents WHERE number = OLD.shared AND uses = 0;
END;

CREATE TABLE record_bodies (
  seq INTEGER PRIMARY KEY,
  request BLOB,
  request_codec INTEGER NOT NULL,
  answer BLOB,
  answer_codec INTEGER NOT NULL,
  content BLOB,
  content_codec INTEGER NOT NULL
, shared INTEGER);

CREATE TABLE record_jobs (
  job_id BLOB NOT NULL,
  id BLOB NOT NULL,
  PRIMARY KEY (job_id, id)
) WITHOUT ROWID;

CREATE TRIGGER record_jobs_added AFTER INSERT ON records WHEN NEW.job_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO record_jobs VALUES (NEW.job_id, NEW.id);
END;

CREATE TRIGGER record_jobs_deleted AFTER DELETE ON records WHEN OLD.job_id IS NOT NULL BEGIN
  DELETE FROM record_jobs WHERE job_id = OLD.job_id AND id = OLD.id;
END;

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
  body INTEGER, pictures TEXT, files TEXT, job_id BLOB,
  PRIMARY KEY (user_id, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX records_id ON records (id);

CREATE TABLE recovery_codes (
  user_id BLOB NOT NULL REFERENCES users (id),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (user_id, hash)
) WITHOUT ROWID;

CREATE TABLE samples (
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  replica TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (step, at, kind, name, replica)
) WITHOUT ROWID;

CREATE TABLE saved_requests (
  id BLOB NOT NULL PRIMARY KEY,
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  request TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (user_id, name)
) WITHOUT ROWID;

CREATE TABLE schedule_runs (
  schedule_id BLOB NOT NULL,
  n INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  message TEXT,
  due_at INTEGER NOT NULL,
  last_due_at INTEGER NOT NULL,
  missed INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  job_id BLOB,
  PRIMARY KEY (schedule_id, n)
) WITHOUT ROWID;

CREATE UNIQUE INDEX schedule_runs_open ON schedule_runs (schedule_id, state) WHERE state IN ('waiting', 'running');

CREATE TABLE schedules (
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
  overlap TEXT NOT NULL,
  next_at INTEGER,
  created_at INTEGER NOT NULL,
  last_n INTEGER NOT NULL DEFAULT 0
, export TEXT, export_spec BLOB, dataset_id BLOB) WITHOUT ROWID;

CREATE INDEX schedules_due ON schedules (next_at) WHERE state = 'active';

CREATE INDEX schedules_user ON schedules (user_id, id);

CREATE TABLE second_factors (
  user_id BLOB PRIMARY KEY REFERENCES users (id),
  secret BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  last_step INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE service_secrets (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) WITHOUT ROWID;

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

CREATE TABLE settings (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID;

CREATE TABLE shared_contents (
  number INTEGER PRIMARY KEY,
  user_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  uses INTEGER NOT NULL,
  content BLOB NOT NULL,
  content_codec INTEGER NOT NULL,
  UNIQUE (user_id, hash)
);

CREATE TABLE shared_counters (
  name TEXT PRIMARY KEY,
  total INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE site_costs (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  month INTEGER NOT NULL,
  host TEXT NOT NULL,
  scraper TEXT NOT NULL,
  proxy_type TEXT NOT NULL,
  unit TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  PRIMARY KEY (month, user_id, host, scraper, proxy_type, unit)
) WITHOUT ROWID;

CREATE TABLE site_counts (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  month INTEGER NOT NULL,
  host TEXT NOT NULL,
  scrapes INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  latency_0 INTEGER NOT NULL,
  latency_1 INTEGER NOT NULL,
  latency_2 INTEGER NOT NULL,
  latency_3 INTEGER NOT NULL,
  latency_4 INTEGER NOT NULL,
  latency_5 INTEGER NOT NULL,
  latency_6 INTEGER NOT NULL,
  latency_7 INTEGER NOT NULL,
  latency_8 INTEGER NOT NULL,
  latency_9 INTEGER NOT NULL,
  latency_10 INTEGER NOT NULL,
  latency_11 INTEGER NOT NULL,
  latency_12 INTEGER NOT NULL,
  latency_13 INTEGER NOT NULL,
  latency_14 INTEGER NOT NULL,
  latency_15 INTEGER NOT NULL,
  latency_16 INTEGER NOT NULL,
  latency_17 INTEGER NOT NULL,
  latency_18 INTEGER NOT NULL,
  latency_19 INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (month, user_id, host)
) WITHOUT ROWID;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE stat_counts (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (step, at, user_id, kind, name)
) WITHOUT ROWID;

CREATE TABLE templates (
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  rules TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
);

CREATE TABLE usage_counts (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  host TEXT NOT NULL,
  scraper TEXT NOT NULL,
  proxy_type TEXT NOT NULL,
  outcome TEXT NOT NULL,
  unit TEXT NOT NULL,
  scrapes INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  traffic INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  cost INTEGER NOT NULL, latency_0 BIGINT NOT NULL DEFAULT 0, latency_1 BIGINT NOT NULL DEFAULT 0, latency_2 BIGINT NOT NULL DEFAULT 0, latency_3 BIGINT NOT NULL DEFAULT 0, latency_4 BIGINT NOT NULL DEFAULT 0, latency_5 BIGINT NOT NULL DEFAULT 0, latency_6 BIGINT NOT NULL DEFAULT 0, latency_7 BIGINT NOT NULL DEFAULT 0, latency_8 BIGINT NOT NULL DEFAULT 0, latency_9 BIGINT NOT NULL DEFAULT 0, latency_10 BIGINT NOT NULL DEFAULT 0, latency_11 BIGINT NOT NULL DEFAULT 0, latency_12 BIGINT NOT NULL DEFAULT 0, latency_13 BIGINT NOT NULL DEFAULT 0, latency_14 BIGINT NOT NULL DEFAULT 0, latency_15 BIGINT NOT NULL DEFAULT 0, latency_16 BIGINT NOT NULL DEFAULT 0, latency_17 BIGINT NOT NULL DEFAULT 0, latency_18 BIGINT NOT NULL DEFAULT 0, latency_19 BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (step, at, user_id, key_id, host, scraper, proxy_type, outcome, unit)
) WITHOUT ROWID;

CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
) WITHOUT ROWID;

CREATE TABLE users (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  concurrency INTEGER,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
, last_seen_at INTEGER, limits TEXT NOT NULL DEFAULT '{}', role TEXT NOT NULL DEFAULT 'user') WITHOUT ROWID;

CREATE TABLE webhook_contents (number INTEGER PRIMARY KEY, sealed BLOB NOT NULL);

CREATE TRIGGER webhook_contents_deleted AFTER DELETE ON webhook_deliveries BEGIN
  DELETE FROM webhook_contents WHERE number = OLD.number;
END;

CREATE TRIGGER webhook_contents_ended AFTER UPDATE OF state ON webhook_deliveries
WHEN NEW.state IN ('delivered', 'failed') BEGIN
  DELETE FROM webhook_contents WHERE number = NEW.number;
END;

CREATE TABLE webhook_deliveries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  user_id BLOB NOT NULL,
  receiver TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  item INTEGER,
  state TEXT NOT NULL DEFAULT 'queued',
  queued_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  lease INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0,
  last_at INTEGER,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  answer BLOB, carrier INTEGER,
  UNIQUE (source_id, sequence)
);

CREATE INDEX webhook_deliveries_carrier ON webhook_deliveries (carrier) WHERE carrier IS NOT NULL;

CREATE INDEX webhook_deliveries_next ON webhook_deliveries (next_at) WHERE state = 'queued';

CREATE INDEX webhook_deliveries_receiver ON webhook_deliveries (receiver, next_at) WHERE state = 'queued';

CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (receiver) WHERE state = 'sending';

CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id, number);

CREATE TABLE webhook_receivers (receiver TEXT PRIMARY KEY, failures INTEGER NOT NULL, ask_at INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE webhook_users (
  user_id BLOB PRIMARY KEY,
  secret BLOB,
  previous BLOB,
  previous_until INTEGER,
  defaults BLOB
) WITHOUT ROWID;

CREATE TABLE webhooks (
  source_id BLOB PRIMARY KEY CHECK (length(source_id) = 16),
  user_id BLOB NOT NULL,
  source TEXT NOT NULL,
  receiver TEXT NOT NULL,
  events TEXT NOT NULL,
  spec BLOB NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
