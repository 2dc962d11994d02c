import type { Migration } from './migration.ts';

/** A row for each duration would take ten times as much room, so the buckets are columns: in SQLite, a zero takes one byte. */
export const siteStats: Migration = {
  version: 22,
  name: 'site-stats',
  statements: [
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
  ],
};
