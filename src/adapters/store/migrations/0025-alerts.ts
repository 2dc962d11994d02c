import type { Migration } from './migration.ts';

/**
 * `alert_channels`: where a rule sends to. Each has a row in `webhooks` with its id. A channel without a position was removed; it is
 * kept as long as its deliveries. `alert_instances`: what is about to fire, and what fires.
 */
export const alerts: Migration = {
  version: 25,
  name: 'alerts',
  statements: [
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
    'CREATE INDEX alert_events_user ON alert_events (user_id, id)',
    'CREATE INDEX alert_events_at ON alert_events (at)',
  ],
};
