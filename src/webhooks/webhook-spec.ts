import type { Sealer } from '../domain/sealing.ts';
import type { DeliveryRow, WebhookFormat, WebhookInclude } from '../domain/webhooks.ts';

/** Where a webhook sends, and what. Stored encrypted: URL and headers may contain secrets. */
export interface WebhookSpec {
  /** Of mail: `mailto:` with the addresses, separated by commas. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly include: WebhookInclude;
  /** `slack` and `email` are channels of alerts. */
  readonly format: WebhookFormat | 'slack' | 'email';
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

export const sealWebhook = (spec: WebhookSpec, userId: string, sealer: Sealer): Uint8Array =>
  sealer.seal('webhook.spec', userId, Buffer.from(JSON.stringify(spec)));

/** @throws SealError */
export const openWebhook = (
  { spec, userId }: Pick<DeliveryRow, 'spec' | 'userId'>,
  sealer: Sealer,
): WebhookSpec => JSON.parse(sealer.open('webhook.spec', userId, spec).toString()) as WebhookSpec;

const MAILTO = 'mailto:';
export const mailUrl = (addresses: readonly string[]): string => MAILTO + addresses.join(',');
export const mailAddresses = ({ url }: Pick<WebhookSpec, 'url'>): readonly string[] =>
  url.slice(MAILTO.length).split(',');

/** The URL as it may be shown: whoever knows the path of a Slack URL can post. */
export const shownUrl = ({ url, format }: Pick<WebhookSpec, 'url' | 'format'>): string =>
  format === 'slack' ? `${new URL(url).origin}/***` : url;

/** The id of a message, which is the same for each try (`webhook-id`), and of its delivery in the log. */
export const messageId = ({ sourceId, sequence }: Pick<DeliveryRow, 'sourceId' | 'sequence'>): string =>
  `msg_${sourceId}_${sequence}`;

/** @returns null: it is not the id of a message */
export function readMessageId(id: string): Pick<DeliveryRow, 'sourceId' | 'sequence'> | null {
  const match = /^msg_([0-9a-f-]{36})_([1-9]\d{0,14})$/.exec(id);
  return match === null ? null : { sourceId: match[1]!, sequence: Number(match[2]) };
}
