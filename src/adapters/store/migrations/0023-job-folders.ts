import type { Migration } from './migration.ts';

/**
 * `job_folders`: how many items of a job are in each folder of their URLs and below it. `name` is a folder directly in `parent`,
 * or '' for the items directly in `parent`. `open` counts the items that wait or run. The counts change only in the transaction
 * that changes the items. A job that had items before this migration has no rows: its items are counted at each request, until it
 * is deleted.
 */
export const jobFolders: Migration = {
  version: 23,
  name: 'job-folders',
  statements: [
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
  ],
};
