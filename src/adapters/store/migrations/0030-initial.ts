import { ACCOUNT_TABLES } from './initial/accounts.ts';
import { COUNT_TABLES } from './initial/counts.ts';
import { JOB_TABLES } from './initial/jobs.ts';
import { MONITOR_TABLES } from './initial/monitors.ts';
import { OTHER_TABLES } from './initial/others.ts';
import { RECORD_TABLES } from './initial/records.ts';
import { WEBHOOK_TABLES } from './initial/webhooks.ts';
import type { Migration } from './migration.ts';

/**
 * The schema of version 0.1. Its number is 30, and its text is to the letter what thirty migrations made during the development,
 * so that a database which has had all of those is up to date (docs/decisions/0059).
 */
export const initial: Migration = {
  version: 30,
  name: 'initial',
  statements: [
    ...RECORD_TABLES,
    ...ACCOUNT_TABLES,
    ...JOB_TABLES,
    ...WEBHOOK_TABLES,
    ...MONITOR_TABLES,
    ...COUNT_TABLES,
    ...OTHER_TABLES,
  ],
  // A database of the development may not have ended it yet.
  backfill: {
    table: 'records',
    key: 'id',
    statement: `INSERT OR IGNORE INTO record_jobs
SELECT job_id, id FROM records WHERE id > @after AND id <= @to AND job_id IS NOT NULL`,
  },
};
