/** RFC 3339 in UTC, with milliseconds. @param ms since the epoch */
export function formatDateTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function formatDateTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatDateTime(ms);
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds since the epoch of an RFC 3339 time, null when it is none. Date.parse would take much more. */
export function parseDateTime(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match;
  const leap = second === '60' ? '59' : second;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${leap}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const ms = Date.parse(`${iso}${zone!.toUpperCase()}`);
  // Date.parse lets 30 February pass into March.
  const local = Date.parse(`${iso}Z`);
  return Number.isNaN(ms) || !new Date(local).toISOString().startsWith(`${year}-${month}-${day}`) ? null : ms;
}
