import { type Clock, deadlineUnder } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { AlertChannel, AlertRule } from '../domain/alerts.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { NewAlertChannel } from '../ports/alerts.ts';
import type { Mailer } from '../ports/mail.ts';
import { alertTestBody } from '../webhooks/alert-message.ts';
import { statusError } from '../webhooks/dispatcher.ts';
import type { MessageEnd, Messenger } from '../webhooks/messenger.ts';
import {
  mailAddresses,
  mailUrl,
  openWebhook,
  sealWebhook,
  shownUrl,
  type WebhookSpec,
} from '../webhooks/webhook-spec.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { ReadChannel, ShownChannel } from '../wire/alerts/alert-rule.ts';
import { MASK } from '../wire/request/masked-request.ts';

export interface ChannelDeps {
  readonly webhooks: Pick<Webhooks, 'checkUrl'>;
  readonly mailer: Mailer | null;
  readonly sealer: Sealer;
}

/**
 * A channel to be stored: the id of one that stays, or a new one.
 * @returns a failure: nothing may be sent to the URL, or no mail server is configured
 */
export async function prepareChannel(
  channel: ReadChannel,
  userId: string,
  pointer: string,
  { webhooks, mailer, sealer }: ChannelDeps,
): Promise<string | NewAlertChannel | Failure> {
  if ('id' in channel) return channel.id;
  const { type, url, headers, to } = channel;
  if (url === null) {
    if (mailer === null)
      return failure(
        'request.validation',
        `\`${pointer}/type\` cannot be \`email\`: this service has no mail server. The operator sets SLUICE_SMTP_URL and SLUICE_SMTP_FROM.`,
        { pointer: `${pointer}/type` },
      );
  } else {
    const refused = await webhooks.checkUrl(url, `${pointer}/url`);
    if (refused !== null) return refused;
  }
  const spec: WebhookSpec = {
    url: url ?? mailUrl(to),
    headers,
    include: 'none',
    format: type === 'webhook' ? 'standard' : type,
    metadata: null,
  };
  return {
    id: uuid7(Date.now()),
    type,
    webhook: {
      source: 'alert',
      receiver: `${userId} ${url === null ? 'mail' : new URL(url).origin}`,
      events: [],
      spec: sealWebhook(spec, userId, sealer),
    },
  };
}

/** A channel as it is shown, without secrets. */
export function shownChannel(
  { id, type, spec }: AlertChannel,
  { userId }: Pick<AlertRule, 'userId'>,
  sealer: Sealer,
): ShownChannel {
  const opened = openWebhook({ spec, userId }, sealer);
  return {
    id,
    type,
    url: type === 'email' ? null : shownUrl(opened),
    headers: Object.fromEntries(Object.keys(opened.headers).map((name) => [name, MASK])),
    to: type === 'email' ? [...mailAddresses(opened)] : [],
  };
}

/** How a test message got to a channel. */
export interface TestResult {
  readonly channel: AlertChannel;
  /** Status of the answer; null: there was none, or it is mail. */
  readonly status: number | null;
  /** null: the receiver has accepted it. */
  readonly error: string | null;
  readonly durationMs: number;
}

const TEST_MS = 15_000;

/** Sends a test message to each channel of the rule, once, and waits for the results. */
export async function testRule(
  rule: AlertRule,
  {
    messenger,
    sealer,
    clock,
    baseUrl,
  }: {
    readonly messenger: Messenger;
    readonly sealer: Sealer;
    readonly clock: Clock;
    readonly baseUrl: string;
  },
  signal: AbortSignal,
): Promise<readonly TestResult[]> {
  const { userId } = rule;
  return await Promise.all(
    rule.channels.map(async (channel): Promise<TestResult> => {
      const spec = openWebhook({ spec: channel.spec, userId }, sealer);
      const now = clock.now();
      const begun = clock.monotonic();
      using deadline = deadlineUnder(TEST_MS, signal);
      const body = alertTestBody(rule, spec, baseUrl, now);
      const end = await messenger.send({ spec, userId, id: `msg_${uuid7(now)}`, body }, deadline.signal);
      return { channel, ...resultOf(end), durationMs: Math.round(clock.monotonic() - begun) };
    }),
  );
}

function resultOf(end: MessageEnd): Pick<TestResult, 'status' | 'error'> {
  if (end === 'mailed') return { status: null, error: null };
  if (isFailure(end) || 'isFinal' in end) return { status: null, error: end.message };
  const { status } = end;
  return { status, error: status >= 200 && status < 300 ? null : statusError(status) };
}
