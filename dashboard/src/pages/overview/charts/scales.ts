import type { StatsStep } from '../../../api/stats.ts';

/** Values with a line of the grid, and how high a value stands: 0 is the bottom, 1 the top. */
export interface Scale {
  readonly ticks: readonly number[];
  readonly position: (value: number) => number;
}

/** Of counts: from 0 to a round number that is at least `most`, in some three to five round steps. */
export function countScale(most: number): Scale {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const step = Math.max(1, Math.ceil(nice));
  const count = Math.max(1, Math.ceil(most / step));
  return {
    ticks: Array.from({ length: count + 1 }, (_, n) => n * step),
    position: (value) => value / (count * step),
  };
}

/** Round numbers of a decade, the closest first. */
const DECADES: readonly (readonly number[])[] = [[1, 2, 5], [1, 3], [1]];
const MOST_TICKS = 6;

/** Of durations (ms), logarithmic: a median of 80 ms can be read beside a p95 of 30 s. */
export function durationScale(least: number, most: number): Scale {
  const low = Math.max(0.1, Math.min(least, most));
  const high = Math.max(low, most);
  const [from, ...others] = DECADES.map((ones) => roundOnes(ones, low, high)).find(
    ({ length }, n) => length <= MOST_TICKS || n === DECADES.length - 1,
  ) as [number, ...number[]];
  const ticks = [from, ...others];
  const whole = Math.log(ticks.at(-1)! / from);
  return {
    ticks,
    position: (value) => Math.log(Math.max(value, from) / from) / whole,
  };
}

/** From the last one that is not above `low` to the first one that is not below `high`; at least two. */
function roundOnes(ones: readonly number[], low: number, high: number): number[] {
  const all = Array.from({ length: 9 }, (_, n) => ones.map((one) => Number(`${one}e${n - 1}`))).flat();
  const first = Math.max(
    0,
    all.findLastIndex((one) => one <= low),
  );
  const last = all.findIndex((one, n) => one >= high && n > first);
  return all.slice(first, last + 1);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TICK_STEPS = [5, 10, 15, 30]
  .map((n) => n * MINUTE)
  .concat(
    [1, 3, 6, 12].map((n) => n * HOUR),
    [DAY, 2 * DAY],
  );

/**
 * Times between `from` and `to` (ms since the epoch) that are round on the reader's clock, at most `most` of them:
 * whole hours and midnights of the local zone, also where the clock changes.
 */
export function timeTicks(from: number, to: number, most: number): number[] {
  const step = TICK_STEPS.find((length) => (to - from) / length <= most) ?? 7 * DAY;
  const ticks: number[] = [];
  const day = new Date(from);
  day.setHours(0, 0, 0, 0);
  while (day.getTime() < to) {
    // By the clock and not by adding up: a day may have 23 or 25 hours.
    for (let minutes = 0; minutes < DAY / MINUTE; minutes += step / MINUTE) {
      const at = new Date(day.getFullYear(), day.getMonth(), day.getDate(), 0, minutes).getTime();
      if (at >= from && at <= to) ticks.push(at);
    }
    day.setDate(day.getDate() + Math.max(1, Math.round(step / DAY)));
  }
  return ticks;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

const HOUR_MS = 3_600_000;

/** On an axis: `14:00`; where a day begins, and over several days, `Tue 21 Jul`. */
export function axisTime(at: number, span: number): string {
  const date = new Date(at);
  const midnight = date.getHours() === 0 && date.getMinutes() === 0;
  return midnight && span > 2 * HOUR_MS ? weekday.format(date) : clock.format(date);
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
