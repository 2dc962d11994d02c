import type { PostgresMigration } from './postgres-migration.ts';

/**
 * Contents too large for their record, in rows of 1 MiB that are compressed already: the database shall not try it again.
 */
export const blobs: PostgresMigration = {
  version: 23,
  name: 'blobs',
  isCompatible: true,
  statements: [
    `CREATE TABLE blob_chunks (
  key TEXT COLLATE "C" NOT NULL,
  n INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (key, n)
)`,
    'ALTER TABLE blob_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL',
  ],
};
