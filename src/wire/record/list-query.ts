import type { Failure } from '../../domain/failure.ts';
import type { RecordFilter } from '../../domain/record.ts';
import { type Query, QueryReader } from './query-reader.ts';
import { FILTER_PARAMETERS, type Reader, readFilter } from './read-filter.ts';

const LIST_PARAMETERS = ['limit', 'cursor', 'order', ...FILTER_PARAMETERS];

export const ORDERS = ['asc', 'desc'] as const;

export interface ListAsk {
  readonly filter: RecordFilter;
  readonly limit: number;
  /** Not decoded yet: whether it is good depends on the filter and the secret. */
  readonly cursor: string | null;
}

export type ParsedList =
  | { readonly ask: ListAsk; readonly problems: null }
  | { readonly ask: null; readonly problems: readonly Failure[] };

/** The query of `GET /api/v1/scrape/`. */
export function parseListQuery(query: Query, reader: Reader): ParsedList {
  const given = new QueryReader(query, LIST_PARAMETERS);
  const oldestFirst = given.word('order', ORDERS) === 'asc';
  const filter = { ...readFilter(given, reader), oldestFirst };
  const limit = given.whole('limit', 1, 200) ?? 50;
  if (given.problems.length > 0) return { ask: null, problems: given.problems };
  return { ask: { filter, limit, cursor: given.text('cursor') }, problems: null };
}
