import type { Principal } from '../../domain/account.ts';
import type { AskedNotify, Notify } from '../../domain/notifications.ts';
import { type NotifyBody, readNotify } from '../../wire/notifications/notify-members.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';

/** What runs again and again. */
type Repeated = Extract<Notify['source'], 'monitor' | 'schedule'>;

/** What they tell people of, unless they say otherwise. */
const REPEATED_EVENTS = {
  monitor: ['changed', 'failed'],
  schedule: ['failed'],
} as const satisfies Record<Repeated, Notify['events']>;
/** What jobs with channels tell people of, unless they say otherwise. */
const JOB_EVENTS = ['done', 'failed'] as const satisfies Notify['events'];

/**
 * Checks that the channels belong to the user. Whoever names some may make them send, so a key needs the scope `jobs`.
 * @param pointer of the object with `channels`
 * @throws Refusal
 */
export async function checkChannels(
  { store }: Pick<EndpointDeps, 'store'>,
  channels: readonly string[],
  userId: string,
  principal: Pick<Principal, 'scopes'>,
  pointer: string,
): Promise<void> {
  if (channels.length === 0) return;
  if (!principal.scopes.includes('jobs'))
    throw Refusal.of('auth.scope', `\`${pointer}/channels\` needs a key with the scope jobs.`);
  const known = await store.channels.known(userId, channels);
  const problems: Problems = [];
  channels.forEach((id, index) => {
    if (!known.includes(id)) addProblem(problems, `${pointer}/channels/${index}`, 'is no channel of yours');
  });
  if (problems.length > 0) throw new Refusal(problems);
}

/** Who is told of the runs of something new. */
export const runsNotify = (source: Repeated, title: string, { channels, events }: AskedNotify): Notify => ({
  source,
  title,
  events: events ?? REPEATED_EVENTS[source],
  channels,
});

/** Who is told from now on, each member as before unless it is given; null: as before. */
export async function changedNotify(
  { store }: Pick<EndpointDeps, 'store'>,
  source: Repeated,
  { id, name }: { readonly id: string; readonly name: string },
  body: NotifyBody & { readonly name?: string },
  problems: Problems,
): Promise<Notify | null> {
  const { channels, notify_on: events } = body;
  if (channels === undefined && events === undefined) return null;
  const asked = readNotify(body, source, '', problems);
  const before = await store.notifications.notifyOf(id);
  return {
    source,
    title: body.name ?? name,
    events: asked.events ?? before?.events ?? REPEATED_EVENTS[source],
    channels: channels === undefined ? (before?.channels ?? []) : asked.channels,
  };
}

/** Who is told of the end of a job; null: nobody. */
export function jobNotify(
  source: 'job' | 'scrape',
  title: string | null,
  { channels, events }: AskedNotify,
): Notify | null {
  const wanted = events ?? (channels.length > 0 ? JOB_EVENTS : []);
  return wanted.length === 0 ? null : { source, title, events: wanted, channels };
}

/** What a job of this URL is called in messages: host and path. */
export function urlTitle(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.slice(0, 200);
}
