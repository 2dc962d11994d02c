import type { Migration } from './migration.ts';

/** Types and sizes of the pictures in the BlobStore. A column and not a table: few records have pictures, and a null takes one byte. */
export const pictures: Migration = {
  version: 4,
  name: 'pictures',
  statements: ['ALTER TABLE records ADD COLUMN pictures TEXT'],
};
