import type { Migration } from './migration.ts';

/**
 * `jobs.visits`: items that were or will be fetched. `jobs.unlisted`: skipped URLs that are no items. `job_hosts.delay_ms`: the
 * pause that a host asks for. `job_counters`: how many URLs of a form, and pages with the same content, a crawl has.
 */
export const crawls: Migration = {
  version: 15,
  name: 'crawls',
  statements: [
    'ALTER TABLE jobs ADD COLUMN visits INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE jobs ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE job_hosts ADD COLUMN delay_ms INTEGER NOT NULL DEFAULT 0',
    `CREATE TABLE job_counters (
  job_id BLOB NOT NULL,
  counter BLOB NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (job_id, counter)
) WITHOUT ROWID`,
  ],
};
