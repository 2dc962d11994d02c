import { Type } from 'typebox';
import { ALERT_CHANNELS } from '../../domain/alerts.ts';
import { closed, mapOf, orNull, textOrNull } from '../../domain/json-schema.ts';
import { CHANNEL_STATES, type Channel, type ChannelUse, NOTIFY_SOURCES } from '../../domain/notifications.ts';
import { CHANNEL_TARGET, type ShownChannel } from '../alerts/alert-rule.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime, formatDateTimeOrNull } from '../date-time.ts';

const NAME = Type.String({ minLength: 1, maxLength: 200 });

export const ChannelRequest = closed(
  { name: NAME, type: Type.Enum([...ALERT_CHANNELS]), ...CHANNEL_TARGET },
  { title: 'ChannelRequest' },
);

export const ChannelChangeRequest = closed(
  { name: Type.Optional(NAME), ...CHANNEL_TARGET },
  {
    title: 'ChannelChange',
    description:
      'The type stays. `headers` replaces all of them; they must be given again with a `url` of another origin.',
  },
);

const Time = orNull(Type.String({ format: 'date-time' }));

export const ChannelObject = closed(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    type: Type.Enum([...ALERT_CHANNELS]),
    url: textOrNull('The path of a Slack URL is masked. Of `email` null.'),
    headers: mapOf(Type.String(), { description: 'With masked values.' }),
    to: Type.Array(Type.String()),
    state: Type.Enum([...CHANNEL_STATES], {
      description: '`failing`: the last try failed. `paused`: nothing is sent until it is resumed.',
    }),
    failing_since: orNull(Type.String({ format: 'date-time' }), {
      description: 'Since when all tries have failed.',
    }),
    last_error: textOrNull('Why the last try failed.'),
    last_delivered_at: Time,
    created_at: Type.String({ format: 'date-time' }),
    used_by: Type.Array(
      closed({
        type: Type.Enum([...NOTIFY_SOURCES]),
        id: Type.String({ format: 'uuid' }),
        name: orNull(Type.String()),
      }),
      { description: 'What tells people by it, without jobs that have ended. At most 50.' },
    ),
  },
  { title: 'Channel' },
);

export const ChannelList = closed(
  {
    items: Type.Array(ChannelObject),
    next_cursor: orNull(Type.String()),
    channel_types: Type.Array(Type.Enum([...ALERT_CHANNELS]), {
      description:
        'Types of channels that you can make. `email` only with a mail server (`SLUICE_SMTP_URL`).',
    }),
  },
  { title: 'ChannelList' },
);

export const ChannelTestResult = closed(
  {
    ok: Type.Boolean(),
    status: orNull(Type.Integer(), { description: 'Status of the answer; null: none, or mail.' }),
    error: orNull(Type.String()),
    duration_ms: Type.Integer(),
  },
  { title: 'ChannelTestResult' },
);

export const channelObject = (
  channel: Channel,
  { url, headers, to }: Pick<ShownChannel, 'url' | 'headers' | 'to'>,
  uses: readonly ChannelUse[],
): Written<typeof ChannelObject> => ({
  id: channel.id,
  name: channel.name,
  type: channel.type,
  url,
  headers,
  to,
  state: channel.state,
  failing_since: formatDateTimeOrNull(channel.failingSince),
  last_error: channel.lastError,
  last_delivered_at: formatDateTimeOrNull(channel.lastDeliveredAt),
  created_at: formatDateTime(channel.createdAt),
  used_by: uses.map(({ source, sourceId, name }) => ({ type: source, id: sourceId, name })),
});
