import { JOB_FACTS_INDEXES, JOBS_OF_BEFORE } from '../initial/job-facts.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const jobFacts: PostgresMigration = {
  version: 38,
  name: 'job facts',
  isCompatible: true,
  statements: [
    `ALTER TABLE job_items ADD COLUMN status_code BIGINT, ADD COLUMN verdict TEXT COLLATE "C",
  ADD COLUMN title TEXT COLLATE "C", ADD COLUMN bytes BIGINT`,
    `ALTER TABLE jobs ADD COLUMN last_error TEXT COLLATE "C", ADD COLUMN first_url TEXT COLLATE "C",
  ADD COLUMN search TEXT COLLATE "C"`,
    ...JOB_FACTS_INDEXES,
    ...JOBS_OF_BEFORE,
  ],
};
