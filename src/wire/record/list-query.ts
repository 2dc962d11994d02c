import type { Failure } from '../../domain/failure.ts';
import { FAILURES } from '../../domain/failure.ts';
import { SCRAPER_NAMES } from '../../domain/job.ts';
import type { RecordFilter } from '../../domain/record.ts';
import { pointTo } from '../schema/pointer.ts';
import { type Problems, wrong, wrongValue } from '../schema/problems.ts';
import { OUTCOMES } from './outcomes.ts';
import { readTime } from './time-text.ts';

export const LIST_PARAMETERS = [
  'limit',
  'cursor',
  'from',
  'to',
  'host',
  'status',
  'outcome',
  'scraper',
  'error_code',
  'key_id',
  'tag',
] as const;

export interface ListAsk {
  readonly filter: RecordFilter;
  readonly limit: number;
  /** Not decoded yet: whether it is good depends on the filter and the secret. */
  readonly cursor: string | null;
}

export type ParsedList =
  | { readonly ask: ListAsk; readonly problems: null }
  | { readonly ask: null; readonly problems: readonly Failure[] };

/** The query of `GET /api/v1/scrape/`. @param userId whose records; null: everybody's */
export function parseListQuery(
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
  userId: string | null,
): ParsedList {
  const problems: Problems = [];
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    const at = pointTo('', name);
    if (!LIST_PARAMETERS.some((known) => known === name)) {
      wrong(problems, at, `is unknown; known parameters are ${LIST_PARAMETERS.join(', ')}`);
    } else if (typeof value === 'string') {
      // An empty parameter, as forms send it, asks for nothing.
      if (value !== '') given.set(name, value);
    } else if (value !== undefined) wrong(problems, at, 'may be given once only');
  }
  const whole = (name: string, low: number, high: number): number | null => {
    const text = given.get(name);
    if (text === undefined) return null;
    const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= low && number <= high) return number;
    wrongValue(problems, `/${name}`, `must be a whole number between ${low} and ${high}`, text);
    return null;
  };
  const time = (name: string): number | null => {
    const text = given.get(name);
    if (text === undefined) return null;
    // In a query an unencoded `+` is a blank; no RFC 3339 time has one there.
    const ms = readTime(text.replace(/ (\d\d:\d\d)$/, '+$1'));
    if (ms === null) {
      wrongValue(problems, `/${name}`, 'must be an RFC 3339 time such as 2026-01-31T12:00:00Z', text);
    }
    return ms;
  };
  const word = (name: string, allowed: readonly string[]): string | null => {
    const text = given.get(name);
    if (text === undefined || allowed.includes(text)) return text ?? null;
    wrongValue(problems, `/${name}`, `must be one of ${allowed.join(', ')}`, text);
    return null;
  };
  const filter: RecordFilter = {
    userId,
    from: time('from'),
    to: time('to'),
    host: given.get('host')?.toLowerCase() ?? null,
    status: whole('status', 100, 999),
    outcome: word('outcome', OUTCOMES),
    scraper: word('scraper', SCRAPER_NAMES),
    errorCode: word('error_code', Object.keys(FAILURES)),
    keyId: given.get('key_id') ?? null,
    tag: readTag(given.get('tag'), problems),
  };
  const limit = whole('limit', 1, 200) ?? 50;
  if (problems.length > 0) return { ask: null, problems };
  return { ask: { filter, limit, cursor: given.get('cursor') ?? null }, problems: null };
}

/** The first colon ends the name. */
function readTag(text: string | undefined, problems: Problems): RecordFilter['tag'] {
  if (text === undefined) return null;
  const colon = text.indexOf(':');
  if (colon > 0) return { name: text.slice(0, colon), value: text.slice(colon + 1) };
  wrongValue(problems, '/tag', 'must have the form name:value', text);
  return null;
}
