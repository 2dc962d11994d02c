import type { Migration } from './migration.ts';

/**
 * `job_hosts.pages`: pages that a crawl has read for their blocks. `job_blocks`: on how many of them a block of text stands, and
 * on which it was seen last (the first is 1).
 */
export const jobBlocks: Migration = {
  version: 17,
  name: 'job-blocks',
  statements: [
    'ALTER TABLE job_hosts ADD COLUMN pages INTEGER NOT NULL DEFAULT 0',
    `CREATE TABLE job_blocks (
  job_id BLOB NOT NULL,
  host TEXT NOT NULL,
  block INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  last_page INTEGER NOT NULL,
  PRIMARY KEY (job_id, host, block)
) WITHOUT ROWID`,
  ],
};
