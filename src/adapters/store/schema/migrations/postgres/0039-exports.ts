import { EXPORT_TABLES } from '../initial/exports.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const exports: PostgresMigration = {
  version: 39,
  name: 'exports',
  isCompatible: true,
  statements: EXPORT_TABLES,
};
