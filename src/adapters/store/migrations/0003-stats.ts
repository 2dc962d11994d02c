import type { Migration } from './migration.ts';

/**
 * The rows are in the order of time, so that those being increased are adjacent, and so are those that expire. Reading the
 * counters of a user takes one seek for each time step.
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
