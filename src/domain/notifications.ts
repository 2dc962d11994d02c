import type { AlertChannelType } from './alerts.ts';

/**
 * People are told of what happens (contract §30): each event that somebody wants to know of is a notification of the user, which the
 * dashboard shows, and which is sent to the channels that its source names. These are the values that the store, the dispatcher and the
 * API share.
 */

export const CHANNEL_STATES = ['ok', 'failing', 'paused'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

/** A place of a user where messages go. Times are ms since the epoch. */
export interface Channel {
  /** UUID version 7. Its deliveries have it as their source. */
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly type: AlertChannelType;
  /** `failing`: the last try failed. `paused`: nothing is sent. */
  readonly state: ChannelState;
  /** When the first of the tries that have all failed since was; null: the last one worked. */
  readonly failingSince: number | null;
  /** Why the last try failed; null: it worked. */
  readonly lastError: string | null;
  readonly lastDeliveredAt: number | null;
  readonly createdAt: number;
  /** Where and what to send, sealed (`WebhookSpec`). */
  readonly spec: Uint8Array;
}

/** After failures only for so long, a channel is paused. */
export const CHANNEL_PAUSE_MS = 3 * 86_400_000;
/** From this try of one message on, a failure is more than a hiccup: it counts against the channel, and its user is told. */
export const LASTING_TRIES = 4;
/** Messages that a channel gets in a minute one by one. The others wait for the next minute, and are sent together. */
export const MESSAGES_PER_MINUTE = 20;
/** If more messages than this wait for a channel, they are sent as one. */
export const COLLECTED_FROM = 5;
/** Messages in one, at most. */
export const MAX_COLLECTED = 100;

/** What sources tell of. `changed`: of monitors; `person_needed`: a person must act. */
export const NOTIFY_EVENTS = ['changed', 'failed', 'done', 'person_needed'] as const;
export type NotifyEvent = (typeof NOTIFY_EVENTS)[number];

/** What can tell people of its events. `scrape`: an asynchronous scrape. */
export const NOTIFY_SOURCES = ['monitor', 'job', 'scrape', 'alert', 'schedule', 'profile'] as const;
export type NotifySource = (typeof NOTIFY_SOURCES)[number];

/** Who is told of which events of a source. */
export interface Notify {
  readonly source: Exclude<NotifySource, 'alert'>;
  /** What it is called in messages; null: its kind and its counts say enough. */
  readonly title: string | null;
  /** Of a profile empty: its one event, that it is logged out, is told in any case. */
  readonly events: readonly NotifyEvent[];
  /** Ids of channels of the user, in their order. None: only the dashboard shows it. */
  readonly channels: readonly string[];
}

/** Who is told, as a request asks for it. */
export interface AskedNotify {
  readonly channels: readonly string[];
  /** null: those of the default. */
  readonly events: readonly NotifyEvent[] | null;
}

/** What tells people by a channel. */
export interface ChannelUse {
  readonly channelId: string;
  readonly source: NotifySource;
  readonly sourceId: string;
  readonly name: string | null;
}

/** What a notification is about: the source and what happened, such as `monitor.changed`, `alert.firing` and `channel.paused`. */
export type NotificationType =
  | `${Exclude<Notify['source'], 'profile'>}.${NotifyEvent}`
  | 'alert.firing'
  | 'alert.resolved'
  | 'profile.logged_out'
  | 'channel.failing'
  | 'channel.paused';

/** Facts of an event, for a line of text. Members that do not belong to the type are absent. */
export interface NotificationFacts {
  /** A sentence that was made when it happened. */
  readonly summary?: string;
  /** State of the run of a monitor. */
  readonly state?: string;
  readonly url?: string | null;
  /** Of a job. */
  readonly kind?: string;
  readonly ok?: number;
  readonly failed?: number;
  readonly skipped?: number;
  /** Why it failed. */
  readonly error?: string | null;
  /** Of a profile: its sites, and which host asked to log in. */
  readonly sites?: readonly string[];
  readonly host?: string;
  /** The scrape that got that page; null: it is not one of the owner of the profile. */
  readonly scrapeId?: string | null;
}

/** Times are ms since the epoch. */
export interface Notification {
  /** Position in the order in which notifications were stored. Its deliveries have it as their sequence. */
  readonly number: number;
  readonly userId: string;
  /** Id of the monitor, schedule, job, asynchronous scrape, profile, rule of alerts, or channel. */
  readonly sourceId: string;
  /** Number of the event in its source; of a monitor and a schedule, number of the run; of a profile, its version. */
  readonly sequence: number;
  readonly type: NotificationType;
  readonly at: number;
  readonly title: string | null;
  readonly facts: NotificationFacts;
  /** null: not read yet. */
  readonly readAt: number | null;
}

/** Notifications are kept for so long. */
export const NOTIFICATIONS_KEPT_MS = 30 * 86_400_000;
/** Notifications of a user, the newest. */
export const MAX_NOTIFICATIONS = 5_000;
