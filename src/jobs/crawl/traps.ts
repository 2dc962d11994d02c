import type { UrlForm } from '../../domain/jobs.ts';

/** A path with more segments was built by a mistake in relative links. */
const MAX_SEGMENTS = 30;
/** The same segments one after another: `/a/b/a/b/a/b/`. */
const MAX_REPEATS = 3;
const LONGEST_REPEATED = 4;
/** How often one parameter may occur in a query. Forms with check boxes repeat some. */
const MAX_SAME_PARAMETER = 10;
const MAX_PARAMETERS = 30;
/** Calendars of events reach further only by mistake. */
const MAX_YEARS_AHEAD = 3;
/** Pages of one calendar: every month of 25 years, or every day of a year. */
const MAX_CALENDAR_PAGES = 400;
const MAX_FORM_LENGTH = 200;

const CALENDAR_WORD =
  /calendar|kalender|calendrier|calendario|agenda|events?|termine|schedule|timetable|\bday\b|\bmonth\b|\bweek\b|\byear\b/i;
const DATE = /(?<!\d)((?:1[0-9]|2[0-9])\d\d)[-/](?:0?[1-9]|1[0-2])(?:[-/](?:0?[1-9]|[12]\d|3[01]))?(?!\d)/;
const DATE_PARAMETER = /[?&](?:[a-z_-]*(?:date|day|month|year|week)|cal|ym|ymd|y)=((?:1|2)\d{3})/i;

/** Why a URL looks as if a site could make such URLs without end, for people; null: it does not. */
export function trapReason(url: URL, now: number): string | null {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS) return `The path has more than ${MAX_SEGMENTS} segments.`;
  const repeated = repeatedSegments(segments);
  if (repeated !== null) return `The path repeats ${JSON.stringify(repeated)} ${MAX_REPEATS} times or more.`;
  const parameters = parameterNames(url);
  if (parameters.length > MAX_PARAMETERS) return `The query has more than ${MAX_PARAMETERS} parameters.`;
  const same = mostFrequent(parameters);
  if (same !== null && same.count > MAX_SAME_PARAMETER)
    return `The parameter ${JSON.stringify(same.name.slice(0, 60))} occurs ${same.count} times.`;
  const year = calendarYear(url);
  const limit = new Date(now).getUTCFullYear() + MAX_YEARS_AHEAD;
  if (year !== null && year > limit) return `It is the page of a calendar for the year ${year}.`;
  return null;
}

/** The segments that occur three times in a row, as a path; null: there are none. */
function repeatedSegments(segments: readonly string[]): string | null {
  for (let length = 1; length <= LONGEST_REPEATED; length++) {
    let equal = 0;
    for (let i = length; i < segments.length; i++) {
      equal = segments[i] === segments[i - length] ? equal + 1 : 0;
      // Numbers may be equal by chance: /2020/10/10/10.
      if (equal >= length * (MAX_REPEATS - 1) && (length > 1 || !/^\d+$/.test(segments[i]!)))
        return `/${segments.slice(i - length + 1, i + 1).join('/')}`.slice(0, MAX_FORM_LENGTH);
    }
  }
  return null;
}

const parameterNames = ({ search }: URL): string[] =>
  search === ''
    ? []
    : search
        .slice(1)
        .split('&')
        .map((part) => part.split('=', 1)[0]!);

function mostFrequent(names: readonly string[]): { readonly name: string; readonly count: number } | null {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  let most: { name: string; count: number } | null = null;
  for (const [name, count] of counts) if (most === null || count > most.count) most = { name, count };
  return most;
}

/** The year of a page of a calendar; null: the URL is none. Dates of articles are not: only those near a word for a calendar. */
function calendarYear(url: URL): number | null {
  const date =
    DATE_PARAMETER.exec(url.search) ?? (isCalendar(url) ? DATE.exec(url.pathname + url.search) : null);
  return date === null ? null : Number(date[1]);
}

const isCalendar = ({ pathname, search }: URL): boolean => CALENDAR_WORD.test(pathname + search);

/**
 * The form of a URL: its path with `#` for numbers and for other parts that are likely to name single things, and the names of
 * its parameters. null: nothing in the URL varies, so that only few URLs have its form.
 * @param maxUrls limit for forms that are no calendars
 */
export function urlForm(url: URL, maxUrls: number): UrlForm | null {
  const names = parameterNames(url);
  const path = url.pathname
    .split('/')
    .map((segment) => (isVariable(segment) ? '#' : segment))
    .join('/');
  if (names.length === 0 && path === url.pathname) return null;
  const query = names.length === 0 ? '' : `?${[...new Set(names)].sort().join('&')}`;
  const text = `${url.host}${path}${query}`.slice(0, MAX_FORM_LENGTH);
  return { text, limit: calendarYear(url) === null ? maxUrls : Math.min(maxUrls, MAX_CALENDAR_PAGES) };
}

/** Numbers, ids, and titles of several words. */
const isVariable = (segment: string): boolean =>
  /\d/.test(segment) || segment.length > 24 || (segment.match(/[-_]/g)?.length ?? 0) >= 2;
