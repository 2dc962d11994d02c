import { NOTIFICATION_TABLES } from '../initial/notifications.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const notifications: PostgresMigration = {
  version: 35,
  name: 'notifications',
  isCompatible: true,
  statements: NOTIFICATION_TABLES,
};
