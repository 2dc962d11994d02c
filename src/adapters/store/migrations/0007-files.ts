import type { Migration } from './migration.ts';

/** Names, types and sizes of the files in the BlobStore, as JSON. Few records have files; a null takes one byte. */
export const files: Migration = {
  version: 7,
  name: 'files',
  statements: ['ALTER TABLE records ADD COLUMN files TEXT'],
};
