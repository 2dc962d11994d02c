import { plural, t } from '@lingui/core/macro';
import type { Schedule } from '../../api/monitors.ts';

/** Schedules as people say them, and as the API has them. */

export const DAYS = [
  t`Sunday`,
  t`Monday`,
  t`Tuesday`,
  t`Wednesday`,
  t`Thursday`,
  t`Friday`,
  t`Saturday`,
] as const;

export const RHYTHMS = [
  ['hourly', t`Every hour`],
  ['daily', t`Every day`],
  ['weekdays', t`Monday to Friday`],
  ['weekly', t`Every week`],
  ['interval', t`Every few minutes`],
  ['cron', t`Custom (cron)`],
] as const;

export interface ScheduleValues {
  readonly rhythm: (typeof RHYTHMS)[number][0];
  /** `08:00`. Of `hourly`, only the minute counts. */
  readonly time: string;
  /** Index in `DAYS`, as a text. */
  readonly day: string;
  readonly minutes: number | '';
  readonly cron: string;
  readonly timezone: string;
}

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All time zones that the browser knows. */
export const timeZones = (): readonly string[] => [
  ...new Set(['UTC', ownTimeZone(), ...Intl.supportedValuesOf('timeZone')]),
];

export function scheduleOf({ rhythm, time, day, minutes, cron, timezone }: ScheduleValues): Schedule {
  if (rhythm === 'interval') return { every_s: Math.max(1, Number(minutes)) * 60 };
  return { cron: cronOf(rhythm, time, day, cron), timezone };
}

function cronOf(rhythm: ScheduleValues['rhythm'], time: string, day: string, cron: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  if (rhythm === 'hourly') return `${minute} * * * *`;
  if (rhythm === 'daily') return `${minute} ${hour} * * *`;
  if (rhythm === 'weekdays') return `${minute} ${hour} * * 1-5`;
  return rhythm === 'weekly' ? `${minute} ${hour} * * ${day}` : cron.trim();
}

/** `Every day at 08:00 (Europe/Berlin)`; other cron expressions are shown as they are. */
export function scheduleText({ cron, timezone = 'UTC', every_s: seconds }: Schedule): string {
  if (seconds !== undefined) return intervalText(seconds);
  return `${cronText(cron ?? '')} (${timezone})`;
}

function intervalText(seconds: number): string {
  if (seconds % 86_400 === 0) return plural(seconds / 86_400, { one: 'Every day', other: 'Every # days' });
  if (seconds % 3_600 === 0) return plural(seconds / 3_600, { one: 'Every hour', other: 'Every # hours' });
  if (seconds % 60 === 0) return plural(seconds / 60, { one: 'Every minute', other: 'Every # minutes' });
  return t`Every ${seconds} seconds`;
}

/** Minute, hour and days of a cron expression that the fields can show. */
const USUAL_CRON = /^(\d{1,2}) (\d{1,2}|\*) \* \* (\*|1-5|[0-6])$/;

function cronText(cron: string): string {
  const [, minute, hour, day] = USUAL_CRON.exec(cron) ?? [];
  if (minute === undefined || hour === undefined || day === undefined) return t`Cron ${cron}`;
  if (hour === '*') return day === '*' ? t`Every hour at minute ${minute}` : t`Cron ${cron}`;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  const days =
    day === '*' ? t`Every day` : day === '1-5' ? t`Monday to Friday` : t`Every ${DAYS[Number(day)]!}`;
  return t`${days} at ${time}`;
}

/** The fields for a schedule. */
export function scheduleValues({ cron = '', timezone, every_s: seconds }: Schedule): ScheduleValues {
  const usual = { time: '08:00', day: '1', minutes: 30, cron: '', timezone: timezone ?? ownTimeZone() };
  if (seconds !== undefined) {
    // The form has whole minutes.
    return { ...usual, rhythm: 'interval', minutes: Math.max(1, Math.round(seconds / 60)) };
  }
  const [, minute, hour, day] = USUAL_CRON.exec(cron) ?? [];
  if (minute === undefined || hour === undefined || day === undefined || (hour === '*' && day !== '*'))
    return { ...usual, rhythm: 'cron', cron };
  const time = `${(hour === '*' ? '0' : hour).padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (hour === '*') return { ...usual, rhythm: 'hourly', time };
  if (day === '*') return { ...usual, rhythm: 'daily', time };
  return day === '1-5' ? { ...usual, rhythm: 'weekdays', time } : { ...usual, rhythm: 'weekly', time, day };
}

/** The member of a change. One that the fields cannot show as it is stays if they are left. */
export function scheduleChange(
  before: ScheduleValues,
  values: ScheduleValues,
): { readonly schedule?: Schedule } {
  const schedule = scheduleOf(values);
  return JSON.stringify(schedule) === JSON.stringify(scheduleOf(before)) ? {} : { schedule };
}
