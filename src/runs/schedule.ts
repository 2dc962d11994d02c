import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { Schedule } from '../domain/monitors.ts';
import type { DueTimes } from '../domain/schedules.ts';

/** Why a schedule cannot be used; null: it can. `path` is the member that is at fault. */
export function scheduleProblem(schedule: Schedule, now: number): { path: string; why: string } | null {
  if ('everyS' in schedule) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: schedule.timezone });
  } catch {
    return { path: '/timezone', why: 'must be a name of the IANA time zone database, such as Europe/Berlin' };
  }
  try {
    const next = cronOf(schedule).nextRun(new Date(now));
    return next === null ? { path: '/cron', why: 'never occurs' } : null;
  } catch (error) {
    const why = (error as Error).message.replace(/^CronPattern: /, '');
    return { path: '/cron', why: `must be a cron expression with five fields (${why})` };
  }
}

const cronOf = ({ cron, timezone }: Extract<Schedule, { cron: string }>): Cron =>
  new Cron(cron, { timezone, mode: '5-part', paused: true });

/**
 * The first time after `after` at which the monitor runs (ms). The jitter is the same for each due time, so that restarts do not
 * change it.
 * @param id of the monitor: monitors with the same schedule are spread over the jitter
 * @returns null: never
 */
export function nextRun(
  id: string,
  schedule: Schedule,
  jitterS: number,
  { after, createdAt }: { readonly after: number; readonly createdAt: number },
): number | null {
  const jitter = jitterS === 0 ? 0 : (hashOf(id) % (jitterS * 1_000)) | 0;
  const from = after - jitter;
  if ('everyS' in schedule) {
    const step = schedule.everyS * 1_000;
    return createdAt + (Math.floor((from - createdAt) / step) + 1) * step + jitter;
  }
  const next = cronOf(schedule).nextRun(new Date(from));
  return next === null ? null : next.getTime() + jitter;
}

/** Due times that are counted at most: of a schedule of each minute, those of a week. */
const MAX_COUNTED = 10_080;

/**
 * The due times after `after`, up to `until` (ms). At most 10,080 are counted; then `last` is the latest of those.
 * @returns null: there are none
 */
export function dueTimes(
  id: string,
  schedule: Schedule,
  jitterS: number,
  { after, until, createdAt }: { readonly after: number; readonly until: number; readonly createdAt: number },
): DueTimes | null {
  const first = nextRun(id, schedule, jitterS, { after, createdAt });
  if (first === null || first > until) return null;
  let last = first;
  let count = 1;
  while (count < MAX_COUNTED) {
    const next = nextRun(id, schedule, jitterS, { after: last, createdAt });
    if (next === null || next > until) break;
    last = next;
    count++;
  }
  return { count, first, last };
}

const hashOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE(0);
