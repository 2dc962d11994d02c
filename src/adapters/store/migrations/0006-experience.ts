import type { Migration } from './migration.ts';

/** What the router has learned about sites, statistics of all sites, and pinned routes. Read at the start, written in batches. */
export const experience: Migration = {
  version: 6,
  name: 'experience',
  statements: [
    `CREATE TABLE experience (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID`,
    'CREATE INDEX experience_at ON experience (kind, at)',
  ],
};
