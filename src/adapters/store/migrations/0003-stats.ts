import type { Migration } from './migration.ts';

/**
 * In the order of time: what is added to now lies together, whosever it is, and what is swept too. A window of a user
 * is one seek for each of its steps.
 */
export const stats: Migration = {
  version: 3,
  name: 'stats',
  statements: [
    `CREATE TABLE stat_counts (
  user_id BLOB NOT NULL CHECK (length(user_id) = 16),
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (step, at, user_id, kind, name)
) WITHOUT ROWID`,
  ],
};
