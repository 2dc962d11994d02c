import type { Failure } from '../../domain/failure.ts';
import { type Query, QueryReader } from '../record/query-reader.ts';
import type { Reader } from '../record/read-filter.ts';
import { seesAll } from '../record/sees-all.ts';

/** Steps of a window, and their length: one of those that are counted. */
export const WINDOWS = {
  '1h': { steps: 60, seconds: 60 },
  '24h': { steps: 96, seconds: 900 },
  '7d': { steps: 168, seconds: 3600 },
} as const;
export type WindowName = keyof typeof WINDOWS;

export interface StatsQuery {
  readonly window: WindowName;
  /** null: all users together. */
  readonly userId: string | null;
}

export type ParsedStats =
  | { readonly ask: StatsQuery; readonly problems: null }
  | { readonly ask: null; readonly problems: readonly Failure[] };

/** The query of `GET /api/v1/stats/`. */
export function parseStatsQuery(query: Query, reader: Reader): ParsedStats {
  const given = new QueryReader(query, ['window', 'user_id']);
  const window = given.word('window', Object.keys(WINDOWS) as WindowName[]) ?? '24h';
  const wanted = given.text('user_id');
  const admin = seesAll(reader);
  if (wanted !== null && !admin) given.wrong('user_id', "is only for administrators' sessions");
  if (given.problems.length > 0) return { ask: null, problems: given.problems };
  if (!admin) return { ask: { window, userId: reader.userId }, problems: null };
  return { ask: { window, userId: wanted === 'all' ? null : wanted }, problems: null };
}
