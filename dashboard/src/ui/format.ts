/** Formats numbers and times for people. The results are the same in all browsers. */

import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';

const LOCALE = i18n.locale;
/** Dates are written in British order if the language is English. */
export const DATE_LOCALE = LOCALE === 'en' ? 'en-GB' : LOCALE;

const integer = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const digits = [0, 1, 2].map(
  (count) => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: count, maximumFractionDigits: count }),
);
const number = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 12 });
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });

/** 1234567 → `1,234,567`. */
export const formatCount = (count: number): string => integer.format(count);

/** With its decimals: 0.25 → `0.25`. */
export const formatNumber = (value: number): string => number.format(value);

/** With one decimal: 12 → `12.0`. */
export const formatTenths = (value: number): string => digits[1]!.format(value);

/** 1234567 → `1.2M`; counts below 10,000 are written out. */
export const formatShortCount = (count: number): string => (count < 10_000 ? integer : compact).format(count);

/** A share: `formatShare(1, 3)` → `33.3 %`; `–` if the total is 0. */
export function formatShare(count: number, total: number): string {
  if (total === 0) return '–';
  const percent = (count / total) * 100;
  // `0 %` means none, and `100 %` all: nothing else is rounded to them.
  if (percent > 0 && percent < 0.05) return `< ${formatTenths(0.1)} %`;
  if (percent < 100 && percent >= 99.95) return `> ${formatTenths(99.9)} %`;
  return `${percent === 0 || percent === 100 ? percent : formatTenths(percent)} %`;
}

/** With no-break spaces, so that a value and its unit stay on one line: for values in running texts. */
export const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0');

const money = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 4 });

/** Money, with a no-break space: 0.00051 → `0.00051 EUR`, 12.3456 → `12.35 EUR`; `–` for null. */
export const formatCost = (cost: number | null, unit: string): string =>
  cost === null ? '–' : `${money.format(cost)}\u00a0${unit}`;

/** A change as a share: 0.123 → `+12.3 %`, -1 → `−100 %`; null → null. */
export function formatChange(share: number | null): string | null {
  if (share === null) return null;
  const percent = Math.abs(share * 100);
  const format = percent >= 1_000 || percent === 0 || percent === 100 ? formatCount : formatTenths;
  const sign = share > 0 ? '+' : share < 0 ? '−' : '±';
  return `${sign}${format(percent)} %`;
}

const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** Bytes in steps of 1000: 999 → `999 B`, 15321 → `15.3 KB`; `–` for null. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return '–';
  let value = bytes;
  let unit = 'B';
  for (const next of UNITS) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return `${unit === 'B' || value >= 99.95 ? formatCount(value) : formatTenths(value)} ${unit}`;
}

/** Milliseconds: 0.4 → `0.4 ms`, 843 → `843 ms`, 1530 → `1.53 s`, 83000 → `1 min 23 s`; `–` for null. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 10 && !Number.isInteger(ms)) return `${formatTenths(ms)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${digits[2]!.format(ms / 1000)} s`;
  if (ms < 59_950) return `${formatTenths(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3_600) return t`${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return t`${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

const local = new Intl.DateTimeFormat(DATE_LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const localDay = new Intl.DateTimeFormat(DATE_LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });

/** In the local time zone: `20 Nov 2026, 14:03:07`. */
export const formatLocal = (at: string): string => local.format(new Date(at));

const minuteFormat = (year: 'numeric' | undefined) =>
  new Intl.DateTimeFormat(DATE_LOCALE, {
    day: 'numeric',
    month: 'short',
    year,
    hour: '2-digit',
    minute: '2-digit',
  });
const minuteOfThisYear = minuteFormat(undefined);
const minute = minuteFormat('numeric');

/** For comparisons: ms since the epoch; 0: never. */
export const timeOf = (at: string | null): number => (at === null ? 0 : Date.parse(at));

/** In the local time zone: `20 Nov, 14:03`, with the year if it is another one. */
export function formatLocalMinute(at: string): string {
  const date = new Date(at);
  return (date.getFullYear() === new Date().getFullYear() ? minuteOfThisYear : minute).format(date);
}

/** In the local time zone: `20 Nov 2026`. */
export const formatLocalDay = (at: string): string => localDay.format(new Date(at));

/** `2026-11-20 14:03:07 UTC`. */
export const formatUtc = (at: string): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const RELATIVE_UNITS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** `3 minutes ago`, `in 2 days`, `just now`. */
export function formatRelative(at: string, now: number): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  for (const [length, unit] of RELATIVE_UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 5 ? t`in less than a minute` : t`just now`;
}
