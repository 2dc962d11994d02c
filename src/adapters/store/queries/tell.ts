import {
  CHANNEL_PAUSE_MS,
  LASTING_TRIES,
  MESSAGES_PER_MINUTE,
  type NotificationFacts,
  type NotificationType,
  type NotifyEvent,
} from '../../../domain/notifications.ts';
import type { ToldLogout } from '../../../ports/profiles.ts';
import type { DeliveryEnd } from '../../../ports/webhooks.ts';
import type { Statement } from './statements.ts';

/** An event that a user is told of. Ids are the 16 bytes. */
interface ToldEvent {
  readonly sourceId: Uint8Array;
  readonly sequence: number;
  readonly type: NotificationType;
  readonly at: number;
  readonly facts: NotificationFacts;
}

const MINUTE_MS = 60_000;
const PAUSED = 'The channel is paused: nothing was sent.';

/**
 * Tells of an event of a source, if its user wants to know of it. The statements are a part of the transaction of the event, and run on
 * both databases.
 * @param only SQL of a condition, and its parameters, without which nothing is told
 */
export function tellStatements(
  told: ToldEvent & { readonly event: NotifyEvent },
  only: Statement = ['TRUE', []],
): readonly Statement[] {
  const { sourceId, sequence, type, at, facts, event } = told;
  return [
    [
      `INSERT INTO notifications (user_id, source_id, sequence, type, at, title, facts)
SELECT user_id, source_id, ?, ?, ?, title, ? FROM notification_sources
WHERE source_id = ? AND events LIKE ? AND ${only[0]} ON CONFLICT DO NOTHING`,
      [sequence, type, at, JSON.stringify(facts), sourceId, `%"${event}"%`, ...only[1]],
    ],
    deliveries(told),
  ];
}

/** Tells a user of an event of a rule, or of a channel, whatever the user wants to know. */
export function tellUserStatements(
  told: ToldEvent & { readonly userId: Uint8Array; readonly title: string },
): readonly Statement[] {
  const { userId, sourceId, sequence, type, at, title, facts } = told;
  return [
    [
      `INSERT INTO notifications (user_id, source_id, sequence, type, at, title, facts)
VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [userId, sourceId, sequence, type, at, title, JSON.stringify(facts)],
    ],
    deliveries(told),
  ];
}

/**
 * A delivery of the notification to each channel of its source. What a channel would get beyond its messages of a minute waits for the
 * next minute. To a paused channel nothing is sent, and the delivery says so.
 */
function deliveries({ sourceId, sequence, at }: Pick<ToldEvent, 'sourceId' | 'sequence' | 'at'>): Statement {
  const nextMinute = (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
  return [
    `INSERT INTO webhook_deliveries (source_id, sequence, user_id, receiver, type, at, queued_at, next_at, state, error)
SELECT c.id, n.number, n.user_id, w.receiver, n.type, n.at, n.at,
  CASE WHEN ${MESSAGES_PER_MINUTE} <= (SELECT count(*) FROM (SELECT d.at FROM webhook_deliveries AS d WHERE d.source_id = c.id
    ORDER BY d.sequence DESC LIMIT ${MESSAGES_PER_MINUTE}) AS latest WHERE latest.at > n.at - ${MINUTE_MS})
  THEN ? ELSE n.at END,
  CASE WHEN c.state = 'paused' THEN 'failed' ELSE 'queued' END,
  CASE WHEN c.state = 'paused' THEN '${PAUSED}' END
FROM notifications AS n
JOIN notification_channels AS t ON t.source_id = n.source_id
JOIN channels AS c ON c.id = t.channel_id AND c.user_id = n.user_id
JOIN webhooks AS w ON w.source_id = c.id
WHERE n.source_id = ? AND n.sequence = ? AND n.at = ? ORDER BY t.position ON CONFLICT DO NOTHING`,
    [nextMinute, sourceId, sequence, at],
  ];
}

/**
 * Tells the owner of a profile, in the dashboard, by channels and by webhook, that it is logged out: as a part of the transaction that
 * has made it so, and only if that has made this version.
 */
export function loggedOutStatements({
  id,
  version,
  at,
  facts,
  webhook,
}: ToldLogout & { readonly id: Uint8Array; readonly version: number }): readonly Statement[] {
  const isSo = `p.id = ? AND p.version = ? AND p.state = 'logged_out'`;
  const notification: Statement = [
    `INSERT INTO notifications (user_id, source_id, sequence, type, at, title, facts)
SELECT p.user_id, p.id, p.version, 'profile.logged_out', ?, p.name, ? FROM profiles AS p WHERE ${isSo} ON CONFLICT DO NOTHING`,
    [at, JSON.stringify(facts), id, version],
  ];
  const told = [notification, deliveries({ sourceId: id, sequence: version, at })];
  if (webhook === null) return told;
  const { source, receiver, events, spec } = webhook;
  return [
    ...told,
    // A receiver that wants no more (410) stays so, unless the user has set another one.
    [
      `INSERT INTO webhooks (source_id, user_id, source, receiver, events, spec)
SELECT p.id, p.user_id, ?, ?, ?, ? FROM profiles AS p WHERE ${isSo}
ON CONFLICT (source_id) DO UPDATE SET gone = CASE WHEN webhooks.receiver = excluded.receiver THEN webhooks.gone ELSE 0 END,
  receiver = excluded.receiver, events = excluded.events, spec = excluded.spec`,
      [source, receiver, JSON.stringify(events), spec, id, version],
    ],
    [
      `INSERT INTO webhook_deliveries (source_id, sequence, user_id, receiver, type, at, queued_at, next_at)
SELECT p.id, p.version, p.user_id, w.receiver, n.type, n.at, n.at, n.at
FROM profiles AS p JOIN webhooks AS w ON w.source_id = p.id
JOIN notifications AS n ON n.source_id = p.id AND n.sequence = p.version
WHERE ${isSo} AND w.gone = 0 ON CONFLICT DO NOTHING`,
      [id, version],
    ],
  ];
}

/** The end of a try, as far as the channel of the delivery is concerned. */
interface TriedDelivery extends Pick<DeliveryEnd, 'error' | 'now'> {
  readonly result: Exclude<DeliveryEnd['result'], 'dropped'>;
  /** The source of the delivery, which may be a channel. */
  readonly sourceId: Uint8Array;
  readonly tries: number;
}

/**
 * What the end of a try says about its channel, as a part of the transaction of the end. A channel with nothing but failures for three
 * days is paused; so is one whose receiver wants no more. Its user is told of that, and of failures that last.
 */
export function channelStatements({
  sourceId,
  result,
  error,
  now,
  tries,
}: TriedDelivery): readonly Statement[] {
  if (result === 'delivered')
    return [
      [
        `UPDATE channels SET state = 'ok', failing_since = NULL, paused_at = NULL, last_error = NULL, last_delivered_at = ?
WHERE id = ?`,
        [now, sourceId],
      ],
    ];
  const isGone = result === 'gone' ? 1 : 0;
  const lasts = result !== 'retry' || tries >= LASTING_TRIES ? 1 : 0;
  const facts = JSON.stringify({ error });
  // Of a channel that has not failed before, `failing_since` is null, so it is not older than anything.
  const isOver = `state <> 'paused' AND (1 = ? OR (1 = ? AND failing_since <= ?))`;
  const over = [isGone, lasts, now - CHANNEL_PAUSE_MS];
  return [
    [
      `UPDATE channels SET paused_at = CASE WHEN ${isOver} THEN ? ELSE paused_at END,
  state = CASE WHEN state = 'paused' OR (${isOver}) THEN 'paused' ELSE 'failing' END,
  failing_since = coalesce(failing_since, ?), last_error = ? WHERE id = ?`,
      [...over, now, ...over, now, error, sourceId],
    ],
    [
      `INSERT INTO notifications (user_id, source_id, sequence, type, at, title, facts)
SELECT user_id, id, failing_since, 'channel.failing', ?, name, ? FROM channels
WHERE id = ? AND state = 'failing' AND 1 = ? ON CONFLICT DO NOTHING`,
      [now, facts, sourceId, lasts],
    ],
    [
      `INSERT INTO notifications (user_id, source_id, sequence, type, at, title, facts)
SELECT user_id, id, paused_at, 'channel.paused', ?, name, ? FROM channels
WHERE id = ? AND state = 'paused' AND paused_at = ? ON CONFLICT DO NOTHING`,
      [now, facts, sourceId, now],
    ],
    [
      `UPDATE webhook_deliveries SET state = 'failed', error = '${PAUSED}' WHERE source_id = ? AND state = 'queued'
AND EXISTS (SELECT 1 FROM channels WHERE id = ? AND state = 'paused')`,
      [sourceId, sourceId],
    ],
  ];
}
