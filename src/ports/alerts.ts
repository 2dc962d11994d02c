import type {
  AlertChannelType,
  AlertConditions,
  AlertEvent,
  AlertInstance,
  AlertRule,
} from '../domain/alerts.ts';
import type { DeliveryRow, NewWebhook } from '../domain/webhooks.ts';

/** A channel to be stored, with what its deliveries need. */
export interface NewAlertChannel {
  readonly id: string;
  readonly type: AlertChannelType;
  readonly webhook: NewWebhook;
}

/** A channel of the user, which others may use, too. */
export interface SharedAlertChannel {
  readonly shared: string;
}

export interface NewAlertRule extends Omit<AlertRule, 'channels' | 'instances' | 'lastN' | 'silencedUntil'> {
  readonly channels: readonly (NewAlertChannel | SharedAlertChannel)[];
}

export interface AlertChange {
  readonly name?: string;
  readonly conditions?: AlertConditions;
  readonly forS?: number;
  readonly clearForS?: number;
  /** false: it no longer fires, without a message. */
  readonly enabled?: boolean;
  readonly silencedUntil?: number | null;
  /** In their new order: ids of channels of the rule that stay, new ones, and those of the user. The others get nothing more. */
  readonly channels?: readonly (string | NewAlertChannel | SharedAlertChannel)[];
}

/** What an evaluation of a rule changes. */
export interface AlertRound {
  /** As it was read: `lastN` numbers the events. */
  readonly rule: Pick<AlertRule, 'id' | 'userId' | 'name' | 'lastN'>;
  readonly events: readonly AlertEvent[];
  /** Inserted or replaced. */
  readonly instances: readonly AlertInstance[];
  /** Subjects of instances that are deleted. */
  readonly removed: readonly string[];
  /** Numbers of earlier events that are sent now, because the silence is over. */
  readonly late: readonly number[];
  readonly now: number;
}

export interface AlertEventFilter {
  /** null: of all users. */
  readonly userId: string | null;
  /** null: of all rules. */
  readonly ruleId: string | null;
}

/** How the message of an event got to a channel. */
export interface AlertDelivery extends Pick<DeliveryRow, 'state' | 'status' | 'error' | 'tries' | 'lastAt'> {
  readonly eventId: string;
  readonly type: AlertChannelType;
}

/**
 * Rules of alerts, what fires, and what happened. Every implementation guarantees: methods are transactions, and what they have
 * resolved survives `kill -9`; an event, its deliveries and the new state of its instance are stored together, or not at all; of two
 * evaluations that have read the same rule, only one stores events.
 */
export interface AlertStore {
  /** @returns false: the user has `limit` rules already */
  create(rule: NewAlertRule, limit: number): Promise<boolean>;
  get(id: string, userId: string | null): Promise<AlertRule | null>;
  /** The newest first. @param userId null: of all users. @param after id of the last one of the previous page; null: the first page */
  list(userId: string | null, limit: number, after: string | null): Promise<readonly AlertRule[]>;
  /** Those that are switched on, of all users. */
  enabled(): Promise<readonly AlertRule[]>;
  update(id: string, change: AlertChange): Promise<void>;
  /** With its events. What waits to be sent is not sent. */
  delete(id: string): Promise<void>;
  record(round: AlertRound): Promise<void>;
  /** The newest first. @param before id of the last one of the previous page; null: the first page */
  events(filter: AlertEventFilter, limit: number, before: string | null): Promise<readonly AlertEvent[]>;
  /** An event of a rule. @param id of the rule, or of a channel that belongs to it @param n number of the event */
  eventOf(id: string, n: number): Promise<AlertEvent | null>;
  /** The deliveries of these events, as long as they are kept. */
  deliveries(eventIds: readonly string[]): Promise<readonly AlertDelivery[]>;
  /** Deletes events before `before`, and what is left of rules and channels that are gone. */
  sweep(before: number): Promise<void>;
}
