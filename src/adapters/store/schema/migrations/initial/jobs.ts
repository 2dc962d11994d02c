/**
 * `jobs` holds the counts of its items, and `job_hosts` those of each host, so that neither is ever counted by a scan. They
 * change only in the transaction that changes the items. A job with the state `created` is not visible yet. `jobs.visits`: items
 * that were or will be fetched. `jobs.unlisted`: skipped URLs that are no items.
 *
 * `job_hosts.ready_at`: when an item of the host may start, which keeps the pause between two requests, and lets the hosts of a
 * job take turns. `job_hosts.delay_ms`: the pause that a host asks for. `job_hosts.pages`: pages that a crawl has read for their
 * blocks. `job_items.lease` counts the claims of the item: a result is stored only with the latest one.
 *
 * `job_counters`: how many URLs of a form, and pages with the same content, a crawl has. `job_blocks`: on how many pages a block of
 * text stands, and on which it was seen last (the first is 1). `job_folders`: how many items are in each folder of their URLs and
 * below it. `name` is a folder directly in `parent`, or '' for the items directly in `parent`. `open` counts the items that wait or
 * run. A job of before 0.1 may have no rows there: its items are counted at each request.
 */
export const JOB_TABLES: readonly string[] = [
  'CREATE INDEX jobs_expiry ON jobs (expires_at) WHERE expires_at IS NOT NULL',
  `CREATE INDEX jobs_open ON jobs (user_id) WHERE state IN ('queued', 'running', 'paused')`,
  `CREATE INDEX jobs_resume ON jobs (resumes_at) WHERE state = 'paused'`,
  'CREATE INDEX jobs_user ON jobs (user_id, id)',
  `CREATE TABLE job_items (
  job_id BYTEA NOT NULL,
  item BIGINT NOT NULL,
  n BIGINT,
  ref TEXT COLLATE "C",
  url TEXT COLLATE "C" NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  fingerprint BYTEA,
  depth BIGINT NOT NULL,
  parent BIGINT,
  request BYTEA,
  repeatable SMALLINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  tries BIGINT NOT NULL DEFAULT 0,
  run_at BIGINT NOT NULL DEFAULT 0,
  lease BIGINT NOT NULL DEFAULT 0,
  lease_until BIGINT,
  outcome TEXT COLLATE "C",
  error TEXT COLLATE "C",
  scrape_id BYTEA,
  ended_at BIGINT,
  PRIMARY KEY (job_id, item)
)`,
  `CREATE INDEX job_items_failed ON job_items (job_id, item) WHERE state = 'failed'`,
  'CREATE UNIQUE INDEX job_items_fingerprint ON job_items (job_id, fingerprint) WHERE fingerprint IS NOT NULL',
  'CREATE INDEX job_items_n ON job_items (job_id, n) WHERE n IS NOT NULL',
  `CREATE INDEX job_items_queued ON job_items (job_id, host, run_at, item) WHERE state = 'queued'`,
  `CREATE INDEX job_items_running ON job_items (lease_until) WHERE state = 'running'`,
  `CREATE TABLE job_hosts (
  job_id BYTEA NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  queued BIGINT NOT NULL,
  running BIGINT NOT NULL,
  ready_at BIGINT NOT NULL, delay_ms BIGINT NOT NULL DEFAULT 0, pages BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, host)
)`,
  'CREATE INDEX job_hosts_ready ON job_hosts (job_id, ready_at) WHERE queued > 0',
  'CREATE INDEX job_hosts_running ON job_hosts (host) WHERE running > 0',
  `CREATE TABLE job_events (
  job_id BYTEA NOT NULL,
  sequence BIGINT NOT NULL,
  at BIGINT NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  item BIGINT,
  PRIMARY KEY (job_id, sequence)
)`,
  `CREATE TABLE job_counters (
  job_id BYTEA NOT NULL,
  counter BYTEA NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (job_id, counter)
)`,
  `CREATE TABLE job_blocks (
  job_id BYTEA NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  block BIGINT NOT NULL,
  pages BIGINT NOT NULL,
  last_page BIGINT NOT NULL,
  PRIMARY KEY (job_id, host, block)
)`,
];

/**
 * `jobs`. Two columns were added to it during the development, at the end on SQLite.
 * @param among the text of columns after `duplicates` @param last of those at the end
 */
export const jobsTable = (among: string, last = ''): string => `CREATE TABLE jobs (
  id BYTEA PRIMARY KEY CHECK (length(id) = 16),
  user_id BYTEA NOT NULL,
  key_id TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C",
  tags TEXT COLLATE "C" NOT NULL,
  metadata TEXT COLLATE "C",
  priority INTEGER NOT NULL,
  concurrency BIGINT,
  per_host BIGINT NOT NULL,
  delay_ms BIGINT NOT NULL,
  max_cost BIGINT,
  retries BIGINT NOT NULL,
  max_visits BIGINT,
  kept_ms BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  request TEXT COLLATE "C" NOT NULL,
  spec BYTEA NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  pause_reason TEXT COLLATE "C",
  pause_since BIGINT,
  resumes_at BIGINT,
  queued BIGINT NOT NULL DEFAULT 0,
  running BIGINT NOT NULL DEFAULT 0,
  ok BIGINT NOT NULL DEFAULT 0,
  failed BIGINT NOT NULL DEFAULT 0,
  skipped BIGINT NOT NULL DEFAULT 0,
  duplicates BIGINT NOT NULL DEFAULT 0,${among}
  outcomes TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  cost BIGINT NOT NULL DEFAULT 0,
  error TEXT COLLATE "C",
  started_at BIGINT,
  ended_at BIGINT,
  expires_at BIGINT,
  results_deleted SMALLINT NOT NULL DEFAULT 0,
  last_item BIGINT NOT NULL DEFAULT 0,
  last_n BIGINT NOT NULL DEFAULT 0,
  last_event BIGINT NOT NULL DEFAULT 0
${last})`;
