import type { Migration } from './migration.ts';

/** Types and lengths of the pictures in the blobs; few records have any, and a null costs the others a byte. */
export const pictures: Migration = {
  version: 4,
  name: 'pictures',
  statements: ['ALTER TABLE records ADD COLUMN pictures TEXT'],
};
