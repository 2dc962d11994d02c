import type { Failure } from '../domain/failure.ts';
import type { ClaimedDelivery, DeliveryRow, DeliveryState, NewWebhook } from '../domain/webhooks.ts';

/** What is stored of a user: the secrets that sign, and the default webhook. Encrypted by the caller. */
export interface WebhookUser {
  readonly secret: Uint8Array | null;
  /** The secret before the last rotation; null: none. */
  readonly previous: Uint8Array | null;
  /** Until when the previous secret signs as well, ms. */
  readonly previousUntil: number | null;
  readonly defaults: Uint8Array | null;
}

export interface DeliveryFilter {
  /** null: of all users, for administrators. */
  readonly userId: string | null;
  /** Of its webhook, and to the channels that were told of its events. */
  readonly sourceId: string | null;
  readonly state: DeliveryState | null;
}

export interface DeliveryClaim {
  readonly now: number;
  /** When the leases end. */
  readonly leaseUntil: number;
  readonly limit: number;
  /** Deliveries that may be under way at once to one receiver. */
  readonly perReceiver: number;
  /** After so many failures in a row, a receiver gets one delivery in `breakMs`. */
  readonly breakAfter: number;
  readonly breakMs: number;
}

/** How a try ended. */
export interface DeliveryEnd extends Pick<DeliveryRow, 'status' | 'error' | 'durationMs' | 'answer'> {
  readonly number: number;
  readonly lease: number;
  /** `gone`: the receiver wants no more of this source: all that waits for it is given up. `dropped`: it was not sent, as it need not be. */
  readonly result: 'delivered' | 'retry' | 'failed' | 'gone' | 'dropped';
  /** For `retry`. */
  readonly nextAt: number;
  readonly now: number;
}

/**
 * Deliveries of webhooks. A job's deliveries are stored by JobStore, in the transaction of the event. Every implementation
 * guarantees: what a method has resolved survives `kill -9`; each method is one transaction; a claim is a lease, and `end`
 * stores nothing if the lease is not the latest of its delivery.
 */
export interface WebhookStore {
  /** The webhook of a job; null: it has none. */
  webhookOf(sourceId: string): Promise<NewWebhook | null>;
  /** The webhooks of these sources that get something. */
  activeOf(sourceIds: readonly string[]): Promise<ReadonlyMap<string, NewWebhook>>;
  /** A webhook of its own with one delivery: a test event. */
  addTest(id: string, userId: string, webhook: NewWebhook, now: number): Promise<void>;
  /** The newest first. @param before `number` of the last one of the previous page */
  list(filter: DeliveryFilter, limit: number, before: number | null): Promise<readonly DeliveryRow[]>;
  /** @param userId null: any user */
  get(sourceId: string, sequence: number, userId: string | null): Promise<DeliveryRow | null>;
  /** When the next delivery is due, or the first lease ends; null: there is none. */
  nextDue(): Promise<number | null>;
  /** Those that have waited longest. A lease that has ended is claimed again. */
  claim(claim: DeliveryClaim): Promise<readonly ClaimedDelivery[]>;
  /**
   * What was stored with a delivery for it to send (`ItemEnd.webhookContent`). It is deleted when the delivery has ended.
   * @param number of the delivery
   */
  content(number: number): Promise<Uint8Array | null>;
  /** @returns false: somebody else has claimed the delivery, or it was deleted, so nothing was stored */
  end(end: DeliveryEnd): Promise<boolean>;
  /** Deliveries under way wait again: their process is dead. */
  recover(now: number): Promise<void>;
  /** A delivery that has ended is sent again. @returns false: it has not ended, or there is none */
  redeliver(sourceId: string, sequence: number, now: number): Promise<boolean>;
  /** Gives up what has waited since before `before`. @returns how many, at most `limit` */
  giveUp(before: number, error: string, limit: number): Promise<number>;
  /** Deletes at most `limit` deliveries that were stored before `before`. @returns how many */
  sweep(before: number, limit: number): Promise<number>;

  user(userId: string): Promise<WebhookUser | null>;
  /** Stores the secret unless there is one. */
  insertSecret(userId: string, secret: Uint8Array): Promise<void>;
  /** The secret becomes the previous one. */
  rotateSecret(userId: string, secret: Uint8Array, previousUntil: number): Promise<void>;
  setDefaults(userId: string, defaults: Uint8Array | null): Promise<void>;
}

export interface WebhookMessage {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export interface WebhookAnswer {
  readonly status: number;
  /** The first 2 KiB. */
  readonly answer: Uint8Array;
}

/**
 * Sends messages. Every implementation guarantees: it connects only to addresses that the guard permits, follows no redirect,
 * ends at the latest 1 s after the signal, and never rejects.
 */
export interface WebhookSender {
  /** Why nothing may be sent to the URL; null: it may, as far as is known. */
  check(url: URL, signal: AbortSignal): Promise<Failure | null>;
  send(message: WebhookMessage, signal: AbortSignal): Promise<WebhookAnswer | Failure>;
  close(): void;
}
