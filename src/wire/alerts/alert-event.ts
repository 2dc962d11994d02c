import { Type } from 'typebox';
import { ALERT_CHANNELS, ALERT_KINDS, type AlertEvent } from '../../domain/alerts.ts';
import { closed, dateTime, orNull, textOrNull } from '../../domain/json-schema.ts';
import { DELIVERY_STATES } from '../../domain/webhooks.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime } from '../date-time.ts';

const Time = Type.String({ format: 'date-time' });

const EVENT = {
  id: Type.String({ format: 'uuid' }),
  rule: closed({
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    kind: Type.Enum([...ALERT_KINDS]),
  }),
  state: Type.Enum(['firing', 'resolved']),
  at: Time,
  since: dateTime('Since when the value had been too high.'),
  subject: Type.String({
    description:
      'Host, id of the key or of the monitor, name of the pool or vendor, `disk`, `contents` or `machine`.',
  }),
  value: orNull(Type.Number(), { description: 'null: there was none for a day.' }),
  threshold: Type.Number(),
  summary: Type.String({ description: 'The value in a sentence.' }),
};

const AlertEventMembers = closed(EVENT);

export const AlertEventObject = closed(
  {
    ...EVENT,
    silenced: Type.Boolean({ description: 'Nothing was sent, because the rule was silenced.' }),
    deliveries: Type.Array(
      closed({
        type: Type.Enum([...ALERT_CHANNELS]),
        state: Type.Enum([...DELIVERY_STATES], { description: '`failed`: given up.' }),
        tries: Type.Integer(),
        status: orNull(Type.Integer(), { description: 'Status of the last answer; of mail null.' }),
        error: textOrNull('Why the last try failed.'),
        last_at: orNull(Time),
      }),
      { description: 'One for each channel. They are kept for 30 days.' },
    ),
  },
  { title: 'AlertEvent' },
);

export const AlertEventList = closed(
  { items: Type.Array(AlertEventObject), next_cursor: orNull(Type.String()) },
  { title: 'AlertEventList' },
);

/** An event as lists and messages show it. */
export const alertEventJson = (event: AlertEvent): Written<typeof AlertEventMembers> => ({
  id: event.id,
  rule: { id: event.ruleId, name: event.name, kind: event.kind },
  state: event.state,
  at: formatDateTime(event.at),
  since: formatDateTime(event.since),
  subject: event.subject,
  value: event.value,
  threshold: event.threshold,
  summary: event.summary,
});
