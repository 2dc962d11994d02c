import { JOB_FACTS_INDEXES, JOBS_OF_BEFORE } from './initial/job-facts.ts';
import type { Migration } from './migration.ts';

/** What lists show of the pages of items, and the last error of a job. */
export const jobFacts: Migration = {
  version: 36,
  name: 'job facts',
  statements: [
    'ALTER TABLE job_items ADD COLUMN status_code INTEGER',
    'ALTER TABLE job_items ADD COLUMN verdict TEXT',
    'ALTER TABLE job_items ADD COLUMN title TEXT',
    'ALTER TABLE job_items ADD COLUMN bytes INTEGER',
    'ALTER TABLE jobs ADD COLUMN last_error TEXT',
    'ALTER TABLE jobs ADD COLUMN first_url TEXT',
    'ALTER TABLE jobs ADD COLUMN search TEXT',
    ...JOB_FACTS_INDEXES,
    ...JOBS_OF_BEFORE,
  ],
};
