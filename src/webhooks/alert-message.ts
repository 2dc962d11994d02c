import type { AlertRule } from '../domain/alerts.ts';
import type { ClaimedDelivery } from '../domain/webhooks.ts';
import { alertEventJson } from '../wire/alerts/alert-event.ts';
import { formatDateTime } from '../wire/date-time.ts';
import type { MessageDeps } from './message.ts';
import type { MailBody } from './messenger.ts';
import { slackText } from './person-message.ts';
import type { WebhookSpec } from './webhook-spec.ts';

/** The message of an event of a rule, in the form of the channel. @returns null: the rule was deleted */
export async function alertEventBody(
  { store, baseUrl }: Pick<MessageDeps, 'store' | 'baseUrl'>,
  { sourceId, sequence }: Pick<ClaimedDelivery, 'sourceId' | 'sequence'>,
  { format }: Pick<WebhookSpec, 'format'>,
): Promise<Buffer | MailBody | null> {
  const event = await store.alerts.eventOf(sourceId, sequence);
  if (event === null) return null;
  const { name, state, summary, at, since, n } = event;
  const title = `${state === 'firing' ? 'Firing' : 'Resolved'}: ${name}`;
  const when = state === 'firing' ? `Since ${formatDateTime(since)}.` : `It fired ${formatDateTime(since)}.`;
  const texts = { title, lines: [summary, when], url: alertsUrl(baseUrl()) };
  return bodyOf(format, texts, {
    type: `alert.${state}`,
    timestamp: formatDateTime(at),
    sequence: n,
    data: { ...alertEventJson(event), url: texts.url },
  });
}

/** A message that shows that a channel works. */
export function alertTestBody(
  { id, name, kind }: Pick<AlertRule, 'id' | 'name' | 'kind'>,
  { format }: Pick<WebhookSpec, 'format'>,
  baseUrl: string,
  now: number,
): Buffer | MailBody {
  const summary = 'This is a test message. Nothing is wrong.';
  const texts = { title: `Test: ${name}`, lines: [summary], url: alertsUrl(baseUrl) };
  return bodyOf(format, texts, {
    type: 'alert.test',
    timestamp: formatDateTime(now),
    sequence: 0,
    data: { rule: { id, name, kind }, summary, url: texts.url },
  });
}

/** The page of the dashboard. */
const alertsUrl = (baseUrl: string): string => `${baseUrl}/alerts`;

interface Texts {
  readonly title: string;
  readonly lines: readonly string[];
  readonly url: string;
}

function bodyOf(
  format: WebhookSpec['format'],
  { title, lines, url }: Texts,
  json: object,
): Buffer | MailBody {
  if (format === 'email') return { subject: `[Sluice] ${title}`, text: [...lines, '', url, ''].join('\n') };
  if (format === 'slack')
    return Buffer.from(
      JSON.stringify({ text: [`*${slackText(title)}*`, ...lines.map(slackText), url].join('\n') }),
    );
  return Buffer.from(JSON.stringify(json));
}
