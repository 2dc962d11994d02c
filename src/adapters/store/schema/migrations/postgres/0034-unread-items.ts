import { UNREAD_ITEMS_INDEX } from '../initial/unread-items.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const unreadItems: PostgresMigration = {
  version: 34,
  name: 'unread items',
  isCompatible: true,
  statements: [UNREAD_ITEMS_INDEX],
};
