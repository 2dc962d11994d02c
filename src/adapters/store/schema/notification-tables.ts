import type { Generated } from 'kysely';
import type { Channel, Notification, Notify } from '../../../domain/notifications.ts';
import { columnsFor, type TableOf } from './columns.ts';

const channel = columnsFor<Channel>();
/** What the creator of a channel sets. */
export const CHANNEL_SETTINGS = {
  id: channel.id('id'),
  user_id: channel.id('userId'),
  name: channel.plain('name'),
  type: channel.plain('type'),
  created_at: channel.plain('createdAt'),
};
const CHANNEL_PROGRESS = {
  state: channel.plain('state'),
  failing_since: channel.plain('failingSince'),
  last_error: channel.plain('lastError'),
  last_delivered_at: channel.plain('lastDeliveredAt'),
};
/** With the column `spec` of its webhook. */
export const CHANNEL_COLUMNS = { ...CHANNEL_SETTINGS, ...CHANNEL_PROGRESS, spec: channel.plain('spec') };
export type ChannelTable = TableOf<typeof CHANNEL_COLUMNS>;

const notification = columnsFor<Notification>();
export const NOTIFICATION_COLUMNS = {
  number: notification.plain('number'),
  user_id: notification.id('userId'),
  source_id: notification.id('sourceId'),
  sequence: notification.plain('sequence'),
  type: notification.plain('type'),
  at: notification.plain('at'),
  title: notification.plain('title'),
  facts: notification.json('facts'),
  read_at: notification.plain('readAt'),
};
export type NotificationTable = TableOf<typeof NOTIFICATION_COLUMNS>;

const notify = columnsFor<Notify>();
/** All but the channels. */
export const NOTIFY_COLUMNS = {
  source: notify.plain('source'),
  title: notify.plain('title'),
  events: notify.json('events'),
};

/** Columns that have a default. */
type WithDefaults<T> = { [K in keyof T]: Generated<T[K]> };

export interface NotificationTables {
  channels: TableOf<typeof CHANNEL_SETTINGS> &
    WithDefaults<TableOf<typeof CHANNEL_PROGRESS> & { paused_at: number | null }>;
  notification_sources: TableOf<typeof NOTIFY_COLUMNS> & { source_id: Uint8Array; user_id: Uint8Array };
  notification_channels: {
    source_id: Uint8Array;
    channel_id: Uint8Array;
    source: string;
    position: number;
  };
  notifications: NotificationTable;
}
