import { TABLES_OF_BOTH } from '../initial/tables-of-both.ts';
import { COORDINATION } from './initial/coordination.ts';
import { JOB_FOLDERS } from './initial/job-folders.ts';
import { POSTGRES_TABLES } from './initial/postgres-tables.ts';
import { RECORD_TABLES } from './initial/records.ts';
import { REPLICA_TABLES } from './initial/replicas.ts';
import type { PostgresMigration } from './postgres-migration.ts';

/**
 * The schema of version 0.1. Its number is 33, so that a database which has had all migrations of the development is up to date
 * (docs/decisions/0054). The tables have the columns of SQLite's, so that both databases share queries.
 */
export const initial: PostgresMigration = {
  version: 33,
  name: 'initial',
  isCompatible: false,
  statements: [
    ...RECORD_TABLES,
    ...POSTGRES_TABLES,
    ...TABLES_OF_BOTH,
    ...JOB_FOLDERS,
    ...REPLICA_TABLES,
    ...COORDINATION,
  ],
};
