import { DATASET_TABLES } from './initial/datasets.ts';
import { sqliteStatement } from './initial/sqlite-statement.ts';
import type { Migration } from './migration.ts';

export const datasets: Migration = {
  version: 38,
  name: 'datasets',
  statements: DATASET_TABLES.map(sqliteStatement),
};
