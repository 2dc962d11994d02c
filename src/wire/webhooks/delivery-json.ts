import { Type } from 'typebox';
import { closed, orNull, textOrNull } from '../../domain/json-schema.ts';
import { DELIVERY_STATES, type DeliveryRow, WEBHOOK_SOURCES } from '../../domain/webhooks.ts';
import { formatDateTime, formatDateTimeOrNull } from '../date-time.ts';

const Time = Type.String({ format: 'date-time' });

export const DeliveryObject = closed(
  {
    id: Type.String({ description: '`webhook-id` of the message, the same for each try.' }),
    source: Type.Enum([...WEBHOOK_SOURCES]),
    source_id: Type.String({
      format: 'uuid',
      description:
        'Id of the job, of the scrape, of the monitor, of the profile, of the channel of an alert, or of the test.',
    }),
    type: Type.String({ description: 'Such as `job.page`.' }),
    sequence: Type.Integer({ description: 'Number of the event in its source.' }),
    url: Type.String({ description: 'Of mail `mailto:`. The path of a Slack URL is masked.' }),
    state: Type.Enum([...DELIVERY_STATES], { description: '`failed`: given up.' }),
    tries: Type.Integer(),
    created_at: Time,
    next_at: orNull(Time, { description: 'When it is tried next; null: it has ended.' }),
    last_at: orNull(Time),
    status: orNull(Type.Integer(), { description: 'Status of the last answer; null: there was none.' }),
    error: textOrNull('Why the last try failed.'),
    duration_ms: orNull(Type.Integer()),
    answer: textOrNull('The first 2 KiB of the last answer. Only with a session.'),
  },
  { title: 'WebhookDelivery' },
);

/** @param bySession whether the caller may see the answer of the receiver */
export function deliveryObject(delivery: DeliveryRow, id: string, url: string, bySession: boolean) {
  const { state, answer } = delivery;
  const hasEnded = state === 'delivered' || state === 'failed';
  return {
    id,
    source: delivery.source,
    source_id: delivery.sourceId,
    type: delivery.type,
    sequence: delivery.sequence,
    url,
    state,
    tries: delivery.tries,
    created_at: formatDateTime(delivery.at),
    next_at: hasEnded ? null : formatDateTime(delivery.nextAt),
    last_at: formatDateTimeOrNull(delivery.lastAt),
    status: delivery.status,
    error: delivery.error,
    duration_ms: delivery.durationMs,
    answer: answer === null || !bySession ? null : Buffer.from(answer).toString('utf8'),
  };
}
