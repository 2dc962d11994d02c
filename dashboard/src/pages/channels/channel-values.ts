import { t } from '@lingui/core/macro';
import type { Channel } from '../../api/channels.ts';

export const CHANNEL_LABELS: Readonly<Record<Channel['type'], string>> = {
  webhook: t`Webhook`,
  slack: t`Slack`,
  email: t`E-mail`,
};

/** Where a channel sends to. */
export const channelTarget = ({ type, url, to }: Pick<Channel, 'type' | 'url' | 'to'>): string =>
  type === 'email' ? to.join(', ') : (url ?? '');

/** What the form holds. */
export interface ChannelValues {
  readonly name: string;
  readonly type: Channel['type'];
  /** Addresses with commas, or a URL. Empty in a change: as before. */
  readonly target: string;
  /** `Name: value`, one per line. Empty in a change: as before. */
  readonly headers: string;
}

export const addressesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((address) => address.trim())
    .filter((address) => address !== '');

/** null: a line is no header. */
export function headersOf(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const colon = line.indexOf(':');
    if (colon < 1) return null;
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** The members of the API that the form sets. */
export function targetOf({ type, target, headers }: ChannelValues) {
  const text = target.trim();
  const isWebhook = type === 'webhook' && headers.trim() !== '';
  return {
    ...(text === '' ? {} : type === 'email' ? { to: addressesOf(text) } : { url: text }),
    ...(isWebhook ? { headers: headersOf(headers) ?? {} } : {}),
  };
}
