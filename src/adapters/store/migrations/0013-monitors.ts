import type { Migration } from './migration.ts';

/**
 * `monitor_pages` holds what the next run is compared with: for each URL the page of the latest run that got it. Rows of the run
 * under way stand beside those of earlier runs until it ends, so that a run that was interrupted can be compared again.
 */
export const monitors: Migration = {
  version: 13,
  name: 'monitors',
  statements: [
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
    'CREATE INDEX monitors_user ON monitors (user_id, id)',
    `CREATE INDEX monitors_due ON monitors (next_at) WHERE state = 'active'`,
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
  ],
};
