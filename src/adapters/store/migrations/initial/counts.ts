/**
 * The rows of a step or a month are adjacent: those being increased, and those that expire. Reading the counters of a user takes
 * one seek for each time step. A row for each duration would take ten times as much room, so the buckets are columns: in SQLite, a
 * zero takes one byte. `samples`: measurements by minute (of one replica) and by hour (of all together), as JSON. `experience`: what
 * the router has learned about sites, statistics of all sites, and pinned routes.
 */
export const COUNT_TABLES: readonly string[] = [
  `CREATE TABLE stat_counts (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (step, at, user_id, kind, name)
) WITHOUT ROWID`,
  `CREATE TABLE usage_counts (
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
  cost INTEGER NOT NULL,
  PRIMARY KEY (step, at, user_id, key_id, host, scraper, proxy_type, outcome, unit)
) WITHOUT ROWID`,
  `CREATE TABLE site_counts (
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
) WITHOUT ROWID`,
  `CREATE TABLE site_costs (
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
) WITHOUT ROWID`,
  `CREATE TABLE samples (
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  replica TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (step, at, kind, name, replica)
) WITHOUT ROWID`,
  `CREATE TABLE experience (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID`,
  'CREATE INDEX experience_at ON experience (kind, at)',
];
