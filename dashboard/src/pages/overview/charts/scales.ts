import { t } from '@lingui/core/macro';
import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import { timeDay, timeHour, timeMinute } from 'd3-time';
import { DATE_LOCALE } from '../../../ui/format.ts';

/** The vertical scale, and the values of the grid lines. */
export interface ValueAxis {
  readonly scale: ScaleContinuousNumeric<number, number>;
  readonly ticks: readonly number[];
}

/** An axis for counts: from 0 to a round number that is at least `max`, with integer ticks. */
export function countAxis(max: number): ValueAxis {
  const steps = Math.min(4, Math.max(1, max));
  const scale = scaleLinear([0, Math.max(1, max)], [0, 1]).nice(steps);
  return { scale, ticks: scale.ticks(steps) };
}

/** An axis for amounts of money: from 0 to a round amount that is at least `max`. */
export function amountAxis(max: number): ValueAxis {
  const scale = scaleLinear([0, max === 0 ? 1 : max], [0, 1]).nice(4);
  return { scale, ticks: scale.ticks(4) };
}

/** Leading digits of the ticks of a logarithmic axis; the first choice that gives at most `MAX_TICKS` is taken. */
const LEADING_DIGITS: readonly string[] = ['125', '13', '1'];
const MAX_TICKS = 6;

/** A logarithmic axis for durations in ms: a median of 80 ms must be readable beside a p95 of 30 s. */
export function durationAxis(min: number, max: number): ValueAxis {
  const low = Math.max(0.1, Math.min(min, max));
  const high = Math.max(low, max);
  // `nice` extends the range to whole decades. Equal limits would give none.
  const candidates = scaleLog([low, Math.max(high, low * 1.001)], [0, 1])
    .nice()
    .ticks();
  const choices = LEADING_DIGITS.map((digits) => {
    const round = candidates.filter((tick) => digits.includes(tick.toExponential()[0]!));
    const first = round.findLastIndex((tick) => tick <= low);
    const last = round.findIndex((tick, index) => tick >= high && index > first);
    return round.slice(first, last + 1);
  });
  const ticks = choices.find(({ length }) => length <= MAX_TICKS) ?? choices.at(-1)!;
  return { scale: scaleLog([ticks[0]!, ticks.at(-1)!], [0, 1]).clamp(true), ticks };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Intervals of the time axis, with functions that return the ticks between two times. */
const TIME_STEPS: readonly (readonly [length: number, between: (from: Date, to: Date) => Date[]])[] = [
  ...[5, 10, 15, 30].map(
    (n) => [n * MINUTE, (from: Date, to: Date) => timeMinute.every(n)!.range(from, to)] as const,
  ),
  ...[1, 3, 6, 12].map(
    (n) => [n * HOUR, (from: Date, to: Date) => timeHour.every(n)!.range(from, to)] as const,
  ),
  ...[1, 2, 7, 14, 30].map(
    (n) => [n * DAY, (from: Date, to: Date) => timeDay.range(timeDay.floor(from), to, n)] as const,
  ),
];

/**
 * At most `maxTicks` round local times between `from` and `to` (ms since the epoch), such as whole hours and midnights, also
 * across changes of daylight saving time.
 */
export function timeTicks(from: number, to: number, maxTicks: number): readonly Date[] {
  const [, between] = TIME_STEPS.find(([length]) => (to - from) / length <= maxTicks) ?? TIME_STEPS.at(-1)!;
  return between(new Date(from), new Date(to + 1)).filter((at) => at.getTime() >= from);
}

const clock = new Intl.DateTimeFormat(DATE_LOCALE, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(DATE_LOCALE, { weekday: 'short', day: 'numeric', month: 'short' });

/** A label on the axis: `14:00`; for midnight, `Tue 21 Jul`, unless the axis spans at most two hours. @param span in ms */
export function axisTime(date: Date, span: number): string {
  const midnight = date.getHours() === 0 && date.getMinutes() === 0;
  return midnight && span > 2 * HOUR ? weekday.format(date) : clock.format(date);
}

const utcDay = new Intl.DateTimeFormat(DATE_LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Beginning and end of a step: `Tue 21 Jul, 14:15–14:30`; for the current one: `…, 14:15–now`. Days are those of UTC. */
export function stepTime({ at }: { readonly at: string }, stepSeconds: number, now: string): string {
  const from = new Date(at);
  if (stepSeconds * 1000 === DAY) return t`${utcDay.format(from).replace(',', '')}, UTC`;
  const to = new Date(from.getTime() + stepSeconds * 1000);
  const end = to.getTime() > new Date(now).getTime() ? t`now` : clock.format(to);
  return `${weekday.format(from).replace(',', '')}, ${clock.format(from)}–${end}`;
}

/** A round duration on an axis: `200 ms`, `5 s`. */
export function axisDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${ms / 1000} s`;
}
