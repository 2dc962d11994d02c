import { Type } from 'typebox';
import { closed, orNull, textOrNull } from '../../domain/json-schema.ts';
import type { Notification, NotificationType } from '../../domain/notifications.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime } from '../date-time.ts';

export const NotificationObject = closed(
  {
    id: Type.String({ description: 'Later ones have higher numbers.' }),
    type: Type.String({ description: 'The source and what happened, such as `monitor.changed`.' }),
    at: Type.String({ format: 'date-time' }),
    read: Type.Boolean(),
    source_id: Type.String({
      format: 'uuid',
      description: 'Id of the monitor, schedule, job, scrape, profile, rule of alerts, or channel.',
    }),
    sequence: Type.Integer({
      description:
        'Number of the event in its source; of a monitor and a schedule, of the run; of a profile, its version.',
    }),
    name: textOrNull('Name of the source at that time.'),
    title: Type.String(),
    text: Type.String({ description: 'What happened, in a line.' }),
    url: Type.String({ description: 'The page of the dashboard that shows it.' }),
  },
  { title: 'Notification' },
);

export const NotificationList = closed(
  {
    items: Type.Array(NotificationObject),
    next_cursor: orNull(Type.String()),
    unread: Type.Integer({ description: 'All that are not read.' }),
  },
  { title: 'NotificationList' },
);

const KIND_NAMES: Readonly<Record<string, string>> = { scrape: 'Scrape', batch: 'Batch', crawl: 'Crawl' };

/** The verb at the beginning of a title. */
function wordOf(type: NotificationType): string {
  if (type === 'channel.failing') return 'Channel fails';
  if (type === 'channel.paused') return 'Channel paused';
  if (type === 'monitor.done') return 'Unchanged';
  if (type === 'profile.logged_out') return 'Logged out';
  const event = type.slice(type.indexOf('.') + 1);
  return event === 'person_needed' ? 'You are needed' : event[0]!.toUpperCase() + event.slice(1);
}

/** Control characters would break a line, or the header of a mail. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** What a notification says in two lines. */
export function notificationTexts({ type, title, facts }: Pick<Notification, 'type' | 'title' | 'facts'>): {
  readonly title: string;
  readonly text: string;
} {
  const { summary, kind = '', ok = 0, failed = 0, skipped = 0, error = null } = facts;
  const name = title ?? KIND_NAMES[kind] ?? 'Job';
  const counts = kind === '' || kind === 'scrape' ? '' : `${ok} ok, ${failed} failed, ${skipped} skipped.`;
  const text = [summary ?? counts, error ?? ''].filter((part) => part !== '').join(' ');
  return { title: oneLine(`${wordOf(type)}: ${name}`), text: oneLine(text) };
}

/** The path of the dashboard for a notification. */
export function notificationPath({
  type,
  sourceId,
  sequence,
}: Pick<Notification, 'type' | 'sourceId' | 'sequence'>): string {
  if (type.startsWith('monitor.')) return `/monitors/${sourceId}?run=${sequence}`;
  if (type.startsWith('job.')) return `/jobs/${sourceId}`;
  if (type.startsWith('scrape.')) return `/history/${sourceId}`;
  if (type.startsWith('schedule.')) return `/schedules/${sourceId}`;
  if (type.startsWith('profile.')) return '/profiles';
  return type.startsWith('alert.') ? '/alerts' : '/channels';
}

export function notificationObject(
  notification: Notification,
  baseUrl: string,
): Written<typeof NotificationObject> {
  return {
    id: String(notification.number),
    type: notification.type,
    at: formatDateTime(notification.at),
    read: notification.readAt !== null,
    source_id: notification.sourceId,
    sequence: notification.sequence,
    name: notification.title,
    ...notificationTexts(notification),
    url: `${baseUrl}${notificationPath(notification)}`,
  };
}
