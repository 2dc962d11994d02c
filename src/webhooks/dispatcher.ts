import { deadlineUnder, SHUTDOWN } from '../base/time.ts';
import { orTimeout } from '../base/wait.ts';
import { type Failure, isFailure } from '../domain/failure.ts';
import type { ClaimedDelivery } from '../domain/webhooks.ts';
import type { MailProblem } from '../ports/mail.ts';
import type { DeliveryEnd, WebhookAnswer, WebhookStore } from '../ports/webhooks.ts';
import { alertEventBody } from './alert-message.ts';
import { firecrawlBody } from './firecrawl-message.ts';
import { messageBody } from './message.ts';
import type { MessageEnd, Messenger } from './messenger.ts';
import { type NotificationDeps, notificationBody } from './notification-message.ts';
import { profileBody } from './profile-message.ts';
import { messageId, openWebhook } from './webhook-spec.ts';

export interface DispatcherDeps extends NotificationDeps {
  readonly deliveries: WebhookStore;
  /** Whether other services send deliveries of the same store: what a dead one was sending is sent when its lease has ended. */
  readonly isShared: boolean;
  readonly messenger: Messenger;
  /** Whether a user may be told of anything: disabled ones are not. */
  readonly isActive: (userId: string) => boolean;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

/** Sends the deliveries that are due. */
export interface Dispatcher {
  /** Takes over what an earlier process left, and begins to send. */
  start(): Promise<void>;
  /** Deliveries under way. */
  readonly sending: number;
  /** Sends nothing more; waits for deliveries under way, at most `ms`. */
  stop(ms: number): Promise<void>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after the first try, the second, and so on; after the last one the delivery is given up (contract §13). */
export const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
];
/** Pauses are up to this share longer, so that retries of many deliveries do not come together. */
const JITTER = 0.1;
const SEND_MS = 15 * SECOND_MS;
/** Longer than a try takes, with the time for reading and storing. */
const LEASE_MS = 30 * SECOND_MS;
const TICK_MS = 250;
/** Deliveries under way at once, to all receivers. */
const MAX_SENDING = 64;
const LIMITS = { perReceiver: 4, breakAfter: 20, breakMs: 5 * MINUTE_MS } as const;
/** A receiver that fails for this long gets nothing more of what has waited. */
const MAX_WAIT_MS = 72 * HOUR_MS;
const GIVE_UP_ROWS = 500;
const GIVE_UP_MS = MINUTE_MS;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  return new WebhookDispatcher(deps);
}

class WebhookDispatcher implements Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #sending = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #claiming = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  get sending(): number {
    return this.#sending.size;
  }

  async start(): Promise<void> {
    const { deliveries, isShared, clock } = this.#deps;
    if (!isShared) await deliveries.recover(clock.now());
    this.#timers.push(
      setInterval(() => void this.#attempt(() => this.#tick()), TICK_MS).unref(),
      setInterval(() => void this.#attempt(() => this.#giveUp()), GIVE_UP_MS).unref(),
    );
  }

  async stop(ms: number): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await orTimeout(Promise.allSettled(this.#sending), ms, undefined);
    this.#stopped.abort(SHUTDOWN);
    await Promise.allSettled(this.#sending);
  }

  async #tick(): Promise<void> {
    const { deliveries, clock } = this.#deps;
    const limit = MAX_SENDING - this.#sending.size;
    if (this.#claiming || limit <= 0) return;
    this.#claiming = true;
    try {
      const due = await deliveries.nextDue();
      const now = clock.now();
      if (due === null || due > now) return;
      const claimed = await deliveries.claim({ now, leaseUntil: now + LEASE_MS, limit, ...LIMITS });
      for (const delivery of claimed) this.#begin(delivery);
    } finally {
      this.#claiming = false;
    }
  }

  #begin(delivery: ClaimedDelivery): void {
    const sending = this.#attempt(() => this.#deliver(delivery)).finally(() => {
      this.#sending.delete(sending);
      // The next delivery to the receiver need not wait for the timer.
      if (!this.#stopped.signal.aborted) void this.#attempt(() => this.#tick());
    });
    this.#sending.add(sending);
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { deliveries, clock } = this.#deps;
    const startedAt = clock.monotonic();
    using deadline = deadlineUnder(SEND_MS, this.#stopped.signal);
    const answer = await this.#send(delivery, deadline.signal);
    // Who takes over sends it again.
    if (this.#stopped.signal.aborted) return;
    const durationMs = Math.round(clock.monotonic() - startedAt);
    const { number, lease } = delivery;
    const end = endOf(delivery, answer, clock.now(), this.#deps.random());
    await deliveries.end({ number, lease, durationMs, ...end });
  }

  /** @returns `deleted`: there is nothing left to tell about; `disabled`: nobody is told any more */
  async #send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<MessageEnd | 'deleted' | 'disabled'> {
    const { sealer, messenger } = this.#deps;
    const spec = openWebhook(delivery, sealer);
    if (delivery.source === 'channel' && !this.#deps.isActive(delivery.userId)) return 'disabled';
    const bodyOf = BODIES[delivery.source] ?? (spec.format === 'firecrawl' ? firecrawlBody : messageBody);
    const body = await bodyOf(this.#deps, delivery, spec, signal);
    if (body === null) return 'deleted';
    if (isFailure(body)) return body;
    return await messenger.send({ spec, userId: delivery.userId, id: messageId(delivery), body }, signal);
  }

  async #giveUp(): Promise<void> {
    const { deliveries, clock } = this.#deps;
    const before = clock.now() - MAX_WAIT_MS;
    while ((await deliveries.giveUp(before, 'It has waited for three days.', GIVE_UP_ROWS)) === GIVE_UP_ROWS);
  }

  /** Work in the background: an error is reported. A delivery is claimed again when its lease has ended. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.onError(error);
    }
  }
}

/** What makes the messages of these sources. All others tell of jobs and monitors. */
const BODIES = { alert: alertEventBody, channel: notificationBody, profile: profileBody } as Partial<
  Record<ClaimedDelivery['source'], typeof notificationBody>
>;

type TryEnd = Omit<DeliveryEnd, 'number' | 'lease' | 'durationMs'>;

/** What the answer to a try means for the delivery. */
export function endOf(
  { tries, source }: Pick<ClaimedDelivery, 'tries' | 'source'>,
  answer: MessageEnd | 'deleted' | 'disabled',
  now: number,
  random: number,
): TryEnd {
  const none = { status: null, answer: null, nextAt: now, now };
  if (answer === 'deleted') return { ...none, result: 'dropped', error: 'What it is about was deleted.' };
  if (answer === 'disabled') return { ...none, result: 'dropped', error: 'The user is disabled.' };
  if (answer === 'mailed') return { ...none, result: 'delivered', error: null };
  if ('isFinal' in answer && answer.isFinal) return { ...none, result: 'failed', error: answer.message };
  const received = isProblem(answer) ? none : { ...none, ...answer };
  const { status } = received;
  if (status !== null && status >= 200 && status < 300)
    return { ...received, result: 'delivered', error: null };
  if (status === 410) return { ...received, result: 'gone', error: 'The receiver wants no more (410).' };
  const error = isProblem(answer) ? answer.message : statusError(answer.status);
  const pause = source === 'test' ? undefined : RETRY_PAUSES_MS[tries - 1];
  if (pause === undefined) return { ...received, result: 'failed', error };
  return { ...received, result: 'retry', error, nextAt: now + Math.round(pause * (1 + JITTER * random)) };
}

const isProblem = (answer: WebhookAnswer | Failure | MailProblem): answer is Failure | MailProblem =>
  isFailure(answer) || 'isFinal' in answer;

export const statusError = (status: number): string =>
  status >= 300 && status < 400
    ? `The receiver redirects (${status}); redirects are not followed.`
    : `The receiver answered ${status}.`;
