import type { PostgresMigration } from './postgres-migration.ts';

/** `usage_counts` as in SQLite's migration 24. Counting by days begins with what is counted by hours. */
export const usage: PostgresMigration = {
  version: 27,
  name: 'usage',
  isCompatible: true,
  statements: [
    `CREATE TABLE usage_counts (
  user_id BYTEA NOT NULL CHECK (length(user_id) = 16),
  step BIGINT NOT NULL,
  at BIGINT NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  scraper TEXT COLLATE "C" NOT NULL,
  proxy_type TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL,
  unit TEXT COLLATE "C" NOT NULL,
  scrapes BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  traffic BIGINT NOT NULL,
  unpriced BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  PRIMARY KEY (step, at, user_id, key_id, host, scraper, proxy_type, outcome, unit)
)`,
    `INSERT INTO stat_counts (user_id, step, at, kind, name, count)
SELECT user_id, 86400, at / 86400000 * 86400000, kind, name, sum(count) FROM stat_counts WHERE step = 3600
GROUP BY user_id, at / 86400000 * 86400000, kind, name`,
  ],
};
