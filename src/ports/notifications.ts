import type { Channel, ChannelUse, Notification, Notify } from '../domain/notifications.ts';
import type { NewWebhook } from '../domain/webhooks.ts';

/** A channel to be stored, with what its deliveries need. */
export interface NewChannel extends Pick<Channel, 'id' | 'userId' | 'name' | 'type' | 'createdAt'> {
  readonly webhook: NewWebhook;
}

export interface ChannelChange {
  readonly name?: string;
  /** Where it sends from now on. Its failures are forgotten. */
  readonly webhook?: NewWebhook;
}

/**
 * The channels of users. Every implementation guarantees: methods are transactions, and what they have resolved survives `kill -9`. The
 * state of a channel changes with the end of a delivery (`WebhookStore.end`), in its transaction.
 */
export interface ChannelStore {
  /** @returns false: the user has `limit` channels already */
  create(channel: NewChannel, limit: number): Promise<boolean>;
  get(id: string, userId: string): Promise<Channel | null>;
  /** The newest first. @param after id of the last one of the previous page; null: the first page */
  list(userId: string, limit: number, after: string | null): Promise<readonly Channel[]>;
  /** Those of these ids that are channels of the user. */
  known(userId: string, ids: readonly string[]): Promise<readonly string[]>;
  update(id: string, change: ChannelChange): Promise<void>;
  /** It works, as somebody has found or says: its failures are forgotten. @param deliveredAt when it got a message; null: as before */
  resume(id: string, deliveredAt: number | null): Promise<void>;
  /** What uses these channels, without jobs that have ended. At most `limit`. */
  uses(ids: readonly string[], limit: number): Promise<readonly ChannelUse[]>;
  /** Removes it from all that uses it, too. What waits to be sent is not sent. */
  delete(id: string): Promise<void>;
}

/** An event to be told. */
export interface Told extends Pick<Notification, 'sourceId' | 'sequence' | 'type' | 'at' | 'facts'> {
  /** Of the source: the user is told of nothing else. */
  readonly event: Notify['events'][number];
}

export interface NotificationFilter {
  readonly userId: string;
  readonly unread: boolean;
}

/**
 * Notifications and who gets them. Every implementation guarantees: methods are transactions, and what they have resolved survives
 * `kill -9`; a notification and its deliveries are stored together; each event of a source is told once. Jobs, monitors, alerts and
 * profiles tell of their events in the transactions of these events (JobStore, MonitorStore, AlertStore, ProfileStore).
 */
export interface NotificationStore {
  /** Who is told of the events of a source; replaces what was stored. null: nobody. */
  setNotify(sourceId: string, userId: string, notify: Notify | null): Promise<void>;
  /** null: nobody. */
  notifyOf(sourceId: string): Promise<Notify | null>;
  /** Of several sources. Those of which nobody is told are absent. */
  notifyOfAll(sourceIds: readonly string[]): Promise<ReadonlyMap<string, Notify>>;
  /** Tells of an event, if the source has it in its list, as a transaction of its own. */
  tell(told: Told): Promise<void>;
  get(number: number): Promise<Notification | null>;
  /** The notification of this event of a source. */
  find(sourceId: string, sequence: number): Promise<Notification | null>;
  /** The newest first. @param before number of the last one of the previous page; null: the first page */
  list(filter: NotificationFilter, limit: number, before: number | null): Promise<readonly Notification[]>;
  /** Number of those that are not read. */
  countUnread(userId: string): Promise<number>;
  /** @param numbers null: all up to `upTo` @returns how many were unread */
  markRead(
    userId: string,
    which: { readonly numbers: readonly number[] } | { readonly upTo: number },
    now: number,
  ): Promise<number>;
  /** Deletes notifications before `before`, and of each user all but the newest `perUser`. @returns how many, at most 2 × `limit` */
  sweep(before: number, perUser: number, limit: number): Promise<number>;
}
