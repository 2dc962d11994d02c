/** RFC 3339 in UTC, with milliseconds. @param ms since the epoch */
export function formatDateTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function formatDateTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatDateTime(ms);
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 time, to ms since the epoch; null: it is not one. `Date.parse` alone accepts other formats too. */
export function parseDateTime(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match;
  // RFC 3339 allows leap seconds, `Date.parse` does not.
  const parsableSecond = second === '60' ? '59' : second;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${parsableSecond}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const ms = Date.parse(`${iso}${zone!.toUpperCase()}`);
  // `Date.parse` reads 30 February as a day in March.
  const local = Date.parse(`${iso}Z`);
  return Number.isNaN(ms) || !new Date(local).toISOString().startsWith(`${year}-${month}-${day}`) ? null : ms;
}
