import type { Migration } from './migration.ts';

/** What is counted against a limit, such as the day's spending at a vendor; `expires_at` in ms since the epoch. */
export const sharedCounters: Migration = {
  version: 31,
  name: 'shared counters',
  statements: [
    `CREATE TABLE shared_counters (
  name TEXT PRIMARY KEY,
  total INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID`,
  ],
};
