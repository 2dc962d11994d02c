import { SCHEDULE_TABLES } from '../initial/schedules.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const schedules: PostgresMigration = {
  version: 37,
  name: 'schedules',
  isCompatible: true,
  statements: SCHEDULE_TABLES,
};
