const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Zones that dates are written with (RFC 822 §5.1, and the common ones of Europe and Asia). */
const ZONES: Readonly<Record<string, string>> = {
  z: 'Z',
  ut: 'Z',
  utc: 'Z',
  gmt: 'Z',
  wet: 'Z',
  bst: '+01:00',
  cet: '+01:00',
  west: '+01:00',
  cest: '+02:00',
  eet: '+02:00',
  eest: '+03:00',
  msk: '+03:00',
  jst: '+09:00',
  est: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  mst: '-07:00',
  mdt: '-06:00',
  pst: '-08:00',
  pdt: '-07:00',
  hst: '-10:00',
  akst: '-09:00',
  akdt: '-08:00',
  brt: '-03:00',
  ist: '+05:30',
  hkt: '+08:00',
  sgt: '+08:00',
  kst: '+09:00',
  aest: '+10:00',
  aedt: '+11:00',
  nzst: '+12:00',
  nzdt: '+13:00',
};

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?(?:\s?(?<half>[ap])\.?m\.?)?`;
const ZONE = String.raw`(?<zone>(?:gmt|utc)?\s?[+-]\d{1,2}:?(?:\d{2})?|[a-z]{1,5})?`;
const MONTH_NAME = String.raw`(?<name>[a-z]{3})[a-z]{0,6}\.?`;
const WEEKDAY = String.raw`(?:[a-z]{2,9}\.?(?:\s?,\s{0,3}|\s{1,3}))?`;

const FORMS: readonly RegExp[] = [
  // RFC 3339, and what ISO 8601 allows beyond it: 2024, 2024-05, 2024-05-01, 20240501T1200
  new RegExp(
    String.raw`^(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2})(?:[t\s]\s?${TIME}\s?${ZONE})?)?)?$`,
    'i',
  ),
  // 2024/05/01, and as Central and Eastern Europe write it: 1.5.2024, 01. 05. 2024
  new RegExp(String.raw`^(?<year>\d{4})/(?<month>\d{1,2})/(?<day>\d{1,2})(?:,?\s${TIME}\s?${ZONE})?$`, 'i'),
  new RegExp(
    String.raw`^${WEEKDAY}(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})(?:,?\s${TIME}\s?${ZONE})?$`,
    'i',
  ),
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:t(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?(?<zone>z|[+-]\d{4})?)?$/i,
  // RFC 822 and RFC 2822: Tue, 10 Jun 2003 04:00:00 GMT
  new RegExp(
    String.raw`^${WEEKDAY}(?<day>\d{1,2})(?:st|nd|rd|th)?[,.]?[\s-]${MONTH_NAME},?[\s-](?<year>\d{4}|\d{2})(?:(?:,?\s{1,3}(?:at\s)?|,|t)${TIME}\s?${ZONE})?(?:\s?\([^)]{0,20}\))?$`,
    'i',
  ),
  // June 10, 2003 4:00 PM
  new RegExp(
    String.raw`^${WEEKDAY}${MONTH_NAME}\s{1,3}(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,\s{0,3}|\s{1,3})(?<year>\d{4})(?:(?:,?\s{1,3}(?:at\s)?|,)${TIME}\s?${ZONE})?$`,
    'i',
  ),
  // asctime and Unix: Tue Jun 10 04:00:00 GMT 2003
  new RegExp(
    String.raw`^${WEEKDAY}${MONTH_NAME}\s{1,3}(?<day>\d{1,2})\s${TIME}\s(?:${ZONE}\s)?(?<year>\d{4})$`,
    'i',
  ),
];
const MAX_LENGTH = 60;

/**
 * A date as RFC 3339 (`2003-06-10T04:00:00Z`), from the forms that feeds and pages use. The offset is kept. A date without a
 * time becomes midnight, one without an offset UTC.
 * @returns null if it is no date that this knows
 */
export function rfc3339Date(written: string): string | null {
  const text = written.trim().replace(/\s+/g, ' ');
  if (text.length > MAX_LENGTH) return null;
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return formatted(parts);
  }
  return null;
}

/** The same, but a date without a time stays a day (`2003-06-10`, a `full-date` of RFC 3339 §5.6): no zone is known for it. */
export function rfc3339DateOrDay(written: string): string | null {
  const date = rfc3339Date(written);
  return date === null || /\d:\d\d|\dT\d/i.test(written) ? date : date.slice(0, 10);
}

function formatted(parts: Readonly<Record<string, string | undefined>>): string | null {
  const month =
    parts.name === undefined ? Number(parts.month ?? 1) : MONTHS.indexOf(parts.name.toLowerCase()) + 1;
  const day = Number(parts.day ?? 1);
  const year = parts.year!.length === 2 ? fullYear(Number(parts.year)) : Number(parts.year);
  const hour = hourOf(Number(parts.hour ?? 0), parts.half?.toLowerCase());
  const minute = Number(parts.minute ?? 0);
  // A leap second has no other place.
  const second = Math.min(Number(parts.second ?? 0), 59);
  const zone = offsetOf(parts.zone);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1000) return null;
  if (hour > 23 || minute > 59 || Number(parts.second ?? 0) > 60 || zone === null) return null;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${zone}`;
}

/** RFC 2822 §4.3. */
const fullYear = (year: number) => (year < 50 ? 2000 + year : 1900 + year);

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

/** @returns null for an unknown zone */
function offsetOf(zone: string | undefined): string | null {
  if (zone === undefined) return 'Z';
  const digits = /^(?:gmt|utc)?\s?([+-])(\d{1,2}):?(\d{2})?$/i.exec(zone);
  if (digits === null) return ZONES[zone.toLowerCase()] ?? null;
  const [, sign, hours, minutes = '00'] = digits;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  return Number(hours) === 0 && minutes === '00' ? 'Z' : `${sign}${hours!.padStart(2, '0')}:${minutes}`;
}
