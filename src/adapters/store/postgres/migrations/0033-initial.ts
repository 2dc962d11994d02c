import { ACCOUNT_TABLES } from './initial/accounts.ts';
import { COORDINATION } from './initial/coordination.ts';
import { COUNT_TABLES } from './initial/counts.ts';
import { JOB_FOLDERS } from './initial/job-folders.ts';
import { JOB_TABLES } from './initial/jobs.ts';
import { MONITOR_TABLES } from './initial/monitors.ts';
import { OTHER_TABLES } from './initial/others.ts';
import { RECORD_TABLES } from './initial/records.ts';
import { REPLICA_TABLES } from './initial/replicas.ts';
import { WEBHOOK_TABLES } from './initial/webhooks.ts';
import type { PostgresMigration } from './postgres-migration.ts';

/**
 * The schema of version 0.1. Its number is 33, so that a database which has had all migrations of the development is up to date
 * (docs/decisions/0059). The tables have the columns of SQLite's, where the comments say what they hold, so that both databases share
 * queries. Texts are compared bytewise (`COLLATE "C"`), as in SQLite, where they are ordered.
 */
export const initial: PostgresMigration = {
  version: 33,
  name: 'initial',
  isCompatible: false,
  statements: [
    ...RECORD_TABLES,
    ...ACCOUNT_TABLES,
    ...JOB_TABLES,
    ...JOB_FOLDERS,
    ...WEBHOOK_TABLES,
    ...MONITOR_TABLES,
    ...COUNT_TABLES,
    ...OTHER_TABLES,
    ...REPLICA_TABLES,
    ...COORDINATION,
  ],
};
