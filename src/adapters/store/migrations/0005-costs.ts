import type { Migration } from './migration.ts';

/** The cost of a key on a day, in micro-units, because a sum of integers is exact. */
export const costs: Migration = {
  version: 5,
  name: 'costs',
  statements: ['ALTER TABLE key_usage ADD COLUMN cost INTEGER NOT NULL DEFAULT 0'],
};
