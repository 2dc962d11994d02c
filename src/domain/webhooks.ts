/**
 * Webhooks (contract §13): what happened is sent to a URL of the user. These are the values that the store, the dispatcher and
 * the API share.
 */

/** `changed` is an event of monitors, `logged_out` of profiles. */
export const WEBHOOK_EVENTS = [
  'started',
  'page',
  'item_failed',
  'done',
  'changed',
  'failed',
  'cancelled',
  'logged_out',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const DEFAULT_WEBHOOK_EVENTS: readonly WebhookEvent[] = ['done', 'failed', 'changed'];
/** Of monitors, `done` is a run without a change: most runs are. */
export const DEFAULT_MONITOR_EVENTS: readonly WebhookEvent[] = ['failed', 'changed'];
export const DEFAULT_PROFILE_EVENTS: readonly WebhookEvent[] = ['logged_out'];

/** What a message contains of a scrape: its id, what lists show, or all of it. */
export const WEBHOOK_INCLUDES = ['none', 'metadata', 'full'] as const;
export type WebhookInclude = (typeof WEBHOOK_INCLUDES)[number];

/** The form of messages. `firecrawl`: as Firecrawl sends them, for receivers that were written for it. */
export const WEBHOOK_FORMATS = ['standard', 'firecrawl'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** `webhook` of a request, or a user's default. Members that are left out come from the default. */
export interface WebhookMembers {
  readonly url?: string;
  readonly events?: readonly WebhookEvent[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly include?: WebhookInclude;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly format?: WebhookFormat;
}

/**
 * What a webhook belongs to. `scrape`: an asynchronous scrape. `profile`: it has the default webhook of its owner. `alert`: a channel of
 * a rule. `channel`: a channel of the user. `test`: a test event.
 */
export const WEBHOOK_SOURCES = ['job', 'scrape', 'monitor', 'profile', 'alert', 'channel', 'test'] as const;
export type WebhookSource = (typeof WEBHOOK_SOURCES)[number];

/** A webhook to be stored with its source. */
export interface NewWebhook {
  readonly source: WebhookSource;
  /** User and origin of the URL: deliveries to one receiver are limited together. */
  readonly receiver: string;
  readonly events: readonly WebhookEvent[];
  /** Where and what to send. Only the room `webhooks` knows the format. */
  readonly spec: Uint8Array;
}

/** `failed`: given up. */
export const DELIVERY_STATES = ['queued', 'sending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One message to one receiver, with its tries. Times are ms since the epoch. */
export interface DeliveryRow {
  /** Position in the order in which deliveries were stored. */
  readonly number: number;
  readonly userId: string;
  readonly source: WebhookSource;
  /** Id of the job, of the asynchronous scrape, of the monitor, of the profile, of the channel, or of the test. */
  readonly sourceId: string;
  /**
   * Number of the event in its source; of a monitor, number of the run; of a profile, its version; of an alert, number of the event in the
   * rule; of a channel, number of the notification.
   */
  readonly sequence: number;
  /** Such as `job.page`. */
  readonly type: string;
  readonly at: number;
  /** Number of the item of the job; null: the event is about the whole job. */
  readonly item: number | null;
  readonly state: DeliveryState;
  /** Tries so far. */
  readonly tries: number;
  /** When the next try may begin. */
  readonly nextAt: number;
  readonly lastAt: number | null;
  /** Status of the last answer; null: there was none. */
  readonly status: number | null;
  /** Why the last try failed. */
  readonly error: string | null;
  readonly durationMs: number | null;
  /** Beginning of the last answer. */
  readonly answer: Uint8Array | null;
  readonly spec: Uint8Array;
}

/** A delivery that somebody sends now. */
export interface ClaimedDelivery extends DeliveryRow {
  /** Proves the claim. */
  readonly lease: number;
  /** Length of what was stored with it to be sent; 0: there is nothing. */
  readonly contentBytes: number;
  /** Sequences of other deliveries to the same channel that its message contains, too. They end as it does. */
  readonly collected: readonly number[];
}
