import type { Migration } from './migration.ts';

/** What a key has spent, in micro-units: a sum of whole numbers is exact. */
export const costs: Migration = {
  version: 5,
  name: 'costs',
  statements: ['ALTER TABLE key_usage ADD COLUMN cost INTEGER NOT NULL DEFAULT 0'],
};
