import { DATASET_TABLES } from '../initial/datasets.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const datasets: PostgresMigration = {
  version: 40,
  name: 'datasets',
  isCompatible: true,
  statements: DATASET_TABLES,
};
