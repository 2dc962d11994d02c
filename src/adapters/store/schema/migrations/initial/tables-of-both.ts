import { ACCOUNT_TABLES } from './accounts.ts';
import { COUNT_TABLES } from './counts.ts';
import { JOB_TABLES } from './jobs.ts';
import { MONITOR_TABLES } from './monitors.ts';
import { OTHER_TABLES } from './others.ts';
import { WEBHOOK_TABLES } from './webhooks.ts';

/**
 * The tables that SQLite and PostgreSQL have with the same columns, in the types of PostgreSQL, which are the finer ones. Texts that
 * are ordered are compared bytewise (`COLLATE "C"`), as SQLite always does.
 */
export const TABLES_OF_BOTH: readonly string[] = [
  ...ACCOUNT_TABLES,
  ...JOB_TABLES,
  ...WEBHOOK_TABLES,
  ...MONITOR_TABLES,
  ...COUNT_TABLES,
  ...OTHER_TABLES,
];
