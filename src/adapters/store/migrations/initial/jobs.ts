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
  `CREATE TABLE jobs (
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
, visits INTEGER NOT NULL DEFAULT 0, unlisted INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
  'CREATE INDEX jobs_expiry ON jobs (expires_at) WHERE expires_at IS NOT NULL',
  `CREATE INDEX jobs_open ON jobs (user_id) WHERE state IN ('queued', 'running', 'paused')`,
  `CREATE INDEX jobs_resume ON jobs (resumes_at) WHERE state = 'paused'`,
  'CREATE INDEX jobs_user ON jobs (user_id, id)',
  `CREATE TABLE job_items (
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
  ended_at INTEGER,
  PRIMARY KEY (job_id, item)
) WITHOUT ROWID`,
  `CREATE INDEX job_items_failed ON job_items (job_id, item) WHERE state = 'failed'`,
  'CREATE UNIQUE INDEX job_items_fingerprint ON job_items (job_id, fingerprint) WHERE fingerprint IS NOT NULL',
  'CREATE INDEX job_items_n ON job_items (job_id, n) WHERE n IS NOT NULL',
  `CREATE INDEX job_items_queued ON job_items (job_id, host, run_at, item) WHERE state = 'queued'`,
  `CREATE INDEX job_items_running ON job_items (lease_until) WHERE state = 'running'`,
  `CREATE TABLE job_hosts (
  job_id BLOB NOT NULL,
  host TEXT NOT NULL,
  queued INTEGER NOT NULL,
  running INTEGER NOT NULL,
  ready_at INTEGER NOT NULL, delay_ms INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, host)
) WITHOUT ROWID`,
  'CREATE INDEX job_hosts_ready ON job_hosts (job_id, ready_at) WHERE queued > 0',
  'CREATE INDEX job_hosts_running ON job_hosts (host) WHERE running > 0',
  `CREATE TABLE job_events (
  job_id BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  item INTEGER,
  PRIMARY KEY (job_id, sequence)
) WITHOUT ROWID`,
  `CREATE TABLE job_counters (
  job_id BLOB NOT NULL,
  counter BLOB NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (job_id, counter)
) WITHOUT ROWID`,
  `CREATE TABLE job_blocks (
  job_id BLOB NOT NULL,
  host TEXT NOT NULL,
  block INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  last_page INTEGER NOT NULL,
  PRIMARY KEY (job_id, host, block)
) WITHOUT ROWID`,
  `CREATE TABLE job_folders (
  job_id BLOB NOT NULL,
  parent TEXT NOT NULL,
  name TEXT NOT NULL,
  open INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  PRIMARY KEY (job_id, parent, name)
) WITHOUT ROWID`,
];
