import type { ClaimedDelivery } from '../domain/webhooks.ts';
import { formatDateTime } from '../wire/date-time.ts';
import { loggedOutProfile, type NotificationDeps } from './notification-message.ts';
import type { WebhookSpec } from './webhook-spec.ts';

/** Tells that a profile is logged out, without values of it. @returns null: the notification was deleted */
export async function profileBody(
  {
    store,
    baseUrl,
  }: Pick<NotificationDeps, 'baseUrl'> & {
    readonly store: Pick<NotificationDeps['store'], 'notifications'>;
  },
  { sourceId, sequence, type }: Pick<ClaimedDelivery, 'sourceId' | 'sequence' | 'type'>,
  { include, metadata }: Pick<WebhookSpec, 'include' | 'metadata'>,
): Promise<Buffer | null> {
  const notification = await store.notifications.find(sourceId, sequence);
  if (notification === null) return null;
  const { at, title: name } = notification;
  const timestamp = formatDateTime(at);
  const resultUrl = `${baseUrl()}/api/v1/profiles/${encodeURIComponent(name ?? '')}/`;
  const ids = { id: sourceId, metadata, result_url: resultUrl };
  const data = include === 'none' ? ids : { ...ids, ...loggedOutProfile(notification), at: timestamp };
  return Buffer.from(JSON.stringify({ type, timestamp, sequence, data }));
}
