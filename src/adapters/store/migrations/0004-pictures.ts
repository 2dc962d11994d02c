import type { Migration } from './migration.ts';

/** Types and sizes of the pictures in the BlobStore. Few records have pictures; a null takes one byte. */
export const pictures: Migration = {
  version: 4,
  name: 'pictures',
  statements: ['ALTER TABLE records ADD COLUMN pictures TEXT'],
};
