import type { Migration } from './migration.ts';

/**
 * The rows of a step are adjacent, because that is how they are read and deleted. Counting by days begins with what is counted by
 * hours.
 */
export const usage: Migration = {
  version: 24,
  name: 'usage',
  statements: [
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
    `INSERT INTO stat_counts (user_id, step, at, kind, name, count)
SELECT user_id, 86400, at / 86400000 * 86400000, kind, name, sum(count) FROM stat_counts WHERE step = 3600
GROUP BY user_id, at / 86400000 * 86400000, kind, name`,
  ],
};
