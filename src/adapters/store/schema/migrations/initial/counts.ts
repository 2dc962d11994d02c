const LATENCY_COLUMNS = Array.from({ length: 20 }, (_, n) => `  latency_${n} BIGINT NOT NULL,`).join('\n');

/**
 * The rows of a step or a month are adjacent: those being increased, and those that expire. Reading the counters of a user takes
 * one seek for each time step. A row for each duration would take ten times as much room, so the buckets are columns: in SQLite, a
 * zero takes one byte. `samples`: measurements by minute (of one replica) and by hour (of all together), as JSON. `experience`: what
 * the router has learned about sites, statistics of all sites, and pinned routes.
 */
export const COUNT_TABLES: readonly string[] = [
  `CREATE TABLE stat_counts (
  user_id BYTEA NOT NULL CHECK (length(user_id) = 16),
  step BIGINT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (step, at, user_id, kind, name)
)`,
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
  `CREATE TABLE site_counts (
  user_id BYTEA NOT NULL CHECK (length(user_id) = 16),
  month BIGINT NOT NULL,
  host TEXT NOT NULL,
  scrapes BIGINT NOT NULL,
  ok BIGINT NOT NULL,
${LATENCY_COLUMNS}
  last_at BIGINT NOT NULL,
  PRIMARY KEY (month, user_id, host)
)`,
  `CREATE TABLE site_costs (
  user_id BYTEA NOT NULL CHECK (length(user_id) = 16),
  month BIGINT NOT NULL,
  host TEXT NOT NULL,
  scraper TEXT NOT NULL,
  proxy_type TEXT NOT NULL,
  unit TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  ok BIGINT NOT NULL,
  unpriced BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  PRIMARY KEY (month, user_id, host, scraper, proxy_type, unit)
)`,
  `CREATE TABLE samples (
  step BIGINT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  replica TEXT COLLATE "C" NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (step, at, kind, name, replica)
)`,
  `CREATE TABLE experience (
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  data TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, name)
)`,
  'CREATE INDEX experience_at ON experience (kind, at)',
];
