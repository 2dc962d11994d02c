import { type Clock, deadlineUnder } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { AlertChannel, AlertRule } from '../domain/alerts.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { Channel } from '../domain/notifications.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { NewWebhook } from '../domain/webhooks.ts';
import type { NewAlertChannel } from '../ports/alerts.ts';
import type { Mailer } from '../ports/mail.ts';
import { alertTestBody } from '../webhooks/alert-message.ts';
import { statusError } from '../webhooks/dispatcher.ts';
import type { MailBody, MessageEnd, Messenger } from '../webhooks/messenger.ts';
import { channelTestBody } from '../webhooks/notification-message.ts';
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

type ChannelTarget = Exclude<ReadChannel, { readonly id: string }>;

/**
 * A new channel of a rule.
 * @returns a failure: nothing may be sent to the URL, or no mail server is configured
 */
export async function prepareChannel(
  channel: ChannelTarget,
  userId: string,
  pointer: string,
  deps: ChannelDeps,
): Promise<NewAlertChannel | Failure> {
  const webhook = await prepareTarget(channel, 'alert', userId, pointer, deps);
  return isFailure(webhook) ? webhook : { id: uuid7(Date.now()), type: channel.type, webhook };
}

/**
 * Where a channel sends, to be stored.
 * @param source of what the channel is
 * @returns a failure: nothing may be sent to the URL, or no mail server is configured
 */
export async function prepareTarget(
  { type, url, headers, to }: ChannelTarget,
  source: 'alert' | 'channel',
  userId: string,
  pointer: string,
  { webhooks, mailer, sealer }: ChannelDeps,
): Promise<NewWebhook | Failure> {
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
    source,
    receiver: `${userId} ${url === null ? 'mail' : new URL(url).origin}`,
    events: [],
    spec: sealWebhook(spec, userId, sealer),
  };
}

/** A channel as it is shown, without secrets. */
export function shownChannel(
  { id, type, spec, sharedName = null }: Omit<AlertChannel, 'sharedName'> & Partial<AlertChannel>,
  { userId }: Pick<AlertRule, 'userId'>,
  sealer: Sealer,
): ShownChannel {
  const opened = openWebhook({ spec, userId }, sealer);
  return {
    id,
    name: sharedName,
    type,
    url: type === 'email' ? null : shownUrl(opened),
    headers: Object.fromEntries(Object.keys(opened.headers).map((name) => [name, MASK])),
    to: type === 'email' ? [...mailAddresses(opened)] : [],
  };
}

/** How a test message got to a channel. */
export interface SentTest {
  /** Status of the answer; null: there was none, or it is mail. */
  readonly status: number | null;
  /** null: the receiver has accepted it. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface TestResult extends SentTest {
  readonly channel: AlertChannel;
}

export interface TestDeps {
  readonly messenger: Messenger;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly baseUrl: string;
}

const TEST_MS = 15_000;

/** Sends a test message to each channel of the rule, once, and waits for the results. */
export async function testRule(
  rule: AlertRule,
  deps: TestDeps,
  signal: AbortSignal,
): Promise<readonly TestResult[]> {
  const { userId } = rule;
  return await Promise.all(
    rule.channels.map(
      async (channel): Promise<TestResult> => ({
        channel,
        ...(await sendTest({ spec: channel.spec, userId }, deps, signal, (spec, now) =>
          alertTestBody(rule, spec, deps.baseUrl, now),
        )),
      }),
    ),
  );
}

/** Sends a test message to a channel of a user, once, and waits for the result. */
export async function testChannel(channel: Channel, deps: TestDeps, signal: AbortSignal): Promise<SentTest> {
  return await sendTest(channel, deps, signal, (spec, now) =>
    channelTestBody(channel, spec, deps.baseUrl, now),
  );
}

async function sendTest(
  { spec: sealed, userId }: { readonly spec: Uint8Array; readonly userId: string },
  { messenger, sealer, clock }: TestDeps,
  signal: AbortSignal,
  bodyOf: (spec: WebhookSpec, now: number) => Buffer | MailBody,
): Promise<SentTest> {
  const spec = openWebhook({ spec: sealed, userId }, sealer);
  const now = clock.now();
  const begun = clock.monotonic();
  using deadline = deadlineUnder(TEST_MS, signal);
  const body = bodyOf(spec, now);
  const end = await messenger.send({ spec, userId, id: `msg_${uuid7(now)}`, body }, deadline.signal);
  return { ...resultOf(end), durationMs: Math.round(clock.monotonic() - begun) };
}

function resultOf(end: MessageEnd): Pick<SentTest, 'status' | 'error'> {
  if (end === 'mailed') return { status: null, error: null };
  if (isFailure(end) || 'isFinal' in end) return { status: null, error: end.message };
  const { status } = end;
  return { status, error: status >= 200 && status < 300 ? null : statusError(status) };
}
