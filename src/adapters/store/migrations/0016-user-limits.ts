import type { Migration } from './migration.ts';

/** `limits`: JSON object of the limits that differ from the defaults. */
export const userLimits: Migration = {
  version: 16,
  name: 'user-limits',
  statements: [`ALTER TABLE users ADD COLUMN limits TEXT NOT NULL DEFAULT '{}'`],
};
