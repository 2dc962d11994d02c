import { Type } from 'typebox';
import { optional } from '../../domain/json-schema.ts';
import { type AskedNotify, NOTIFY_EVENTS, type NotifyEvent } from '../../domain/notifications.ts';
import { addProblem, type Problems } from '../schema/problems.ts';

/** Channels that one source may name. */
export const MAX_NOTIFY_CHANNELS = 10;

/** The members by which monitors, jobs and the like tell people of their events. */
export const NOTIFY_MEMBERS = optional({
  channels: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: MAX_NOTIFY_CHANNELS,
    uniqueItems: true,
    description: 'Ids of your channels (`/api/v1/channels/`), by which people are told.',
  }),
  notify_on: Type.Array(Type.Enum([...NOTIFY_EVENTS]), {
    maxItems: NOTIFY_EVENTS.length,
    uniqueItems: true,
    description:
      'What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.',
  }),
});

export interface NotifyBody {
  readonly channels?: readonly string[];
  readonly notify_on?: readonly NotifyEvent[];
}

/**
 * Checks what the schema cannot, but the channels.
 * @param source only of pages that a monitor watches it is known that they have changed
 * @param pointer of the object with the members
 */
export function readNotify(
  { channels = [], notify_on: events }: NotifyBody,
  source: 'monitor' | 'schedule' | 'job',
  pointer: string,
  problems: Problems,
): AskedNotify {
  (events ?? []).forEach((event, index) => {
    const at = `${pointer}/notify_on/${index}`;
    if (event === 'person_needed')
      addProblem(problems, at, 'is not available in this version: nothing waits for a person yet');
    if (event === 'changed' && source !== 'monitor') addProblem(problems, at, 'is only for monitors');
  });
  return { channels: channels.map((id) => id.toLowerCase()), events: events ?? null };
}
