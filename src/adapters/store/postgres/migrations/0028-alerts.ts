import type { PostgresMigration } from './postgres-migration.ts';

/** As in SQLite's migration 25. */
export const alerts: PostgresMigration = {
  version: 28,
  name: 'alerts',
  isCompatible: true,
  statements: [
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
    'CREATE INDEX alert_events_user ON alert_events (user_id, id)',
    'CREATE INDEX alert_events_at ON alert_events (at)',
  ],
};
