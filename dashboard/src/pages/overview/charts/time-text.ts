import type { StatsStep } from '../../../api/stats.ts';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

const HOUR = 3_600_000;

/** On an axis: `14:00`; where a day begins, and over several days, `Tue 21 Jul`. */
export function axisTime(at: number, span: number): string {
  const date = new Date(at);
  const midnight = date.getHours() === 0 && date.getMinutes() === 0;
  return midnight && span > 2 * HOUR ? weekday.format(date) : clock.format(date);
}

/** Beginning and end of a step: `Tue 21 Jul, 14:15–14:30`; of the one that runs: `…, 14:15–now`. */
export function stepTime({ at }: StatsStep, stepSeconds: number, now: string): string {
  const from = new Date(at);
  const to = new Date(from.getTime() + stepSeconds * 1000);
  const end = to.getTime() > new Date(now).getTime() ? 'now' : clock.format(to);
  return `${weekday.format(from).replace(',', '')}, ${clock.format(from)}–${end}`;
}

/** A round duration on an axis: `200 ms`, `5 s`. */
export function axisDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${ms / 1000} s`;
}
