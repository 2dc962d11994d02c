import type { Principal } from '../../domain/account.ts';
import type { AskedNotify, Notify } from '../../domain/notifications.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';

/** What monitors tell people of, unless they say otherwise. */
export const MONITOR_EVENTS = ['changed', 'failed'] as const satisfies Notify['events'];
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

/** Who is told of the end of a job; null: nobody. */
export function jobNotify(
  source: Exclude<Notify['source'], 'monitor'>,
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
