import { UNREAD_ITEMS_INDEX } from './initial/unread-items.ts';
import type { Migration } from './migration.ts';

export const unreadItems: Migration = {
  version: 32,
  name: 'unread items',
  statements: [UNREAD_ITEMS_INDEX],
};
