import { t } from '@lingui/core/macro';
import type { Outcome } from '../../api/client.ts';
import type { ScrapeFilter } from '../../api/scrapes.ts';
import { integerIn, oneOfIn, textIn } from '../../app/urls.ts';
import { OUTCOMES } from '../../ui/outcome.tsx';

export const OUTCOME_NAMES = Object.keys(OUTCOMES) as readonly Outcome[];

/** Time presets: name in the URL, label, length in ms. */
export const TIME_PRESETS = [
  ['15m', t`Last 15 minutes`, 900_000],
  ['1h', t`Last hour`, 3_600_000],
  ['24h', t`Last 24 hours`, 86_400_000],
  ['7d', t`Last 7 days`, 7 * 86_400_000],
] as const;
export type TimePreset = (typeof TIME_PRESETS)[number][0];

/** The search parameters of the history. Those without a comment are parameters of `GET /api/v1/scrape/`. */
export interface HistorySearch {
  readonly last?: TimePreset | undefined;
  /** RFC 3339. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly host?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly scraper?: string | undefined;
  readonly error_code?: string | undefined;
  readonly key_id?: string | undefined;
  readonly tag?: string | undefined;
  readonly user_id?: string | undefined;
  /** Absent: new scrapes are added automatically. */
  readonly live?: 'off' | undefined;
}

export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  return {
    last: oneOfIn(
      search,
      'last',
      TIME_PRESETS.map(([name]) => name),
    ),
    from: timeIn(search, 'from'),
    to: timeIn(search, 'to'),
    host: textIn(search, 'host'),
    path: textIn(search, 'path'),
    status: integerIn(search, 'status', 100, 999),
    outcome: oneOfIn(search, 'outcome', OUTCOME_NAMES),
    scraper: textIn(search, 'scraper'),
    error_code: textIn(search, 'error_code'),
    key_id: textIn(search, 'key_id'),
    tag: textIn(search, 'tag'),
    user_id: textIn(search, 'user_id'),
    live: oneOfIn(search, 'live', ['off']),
  };
}

function timeIn(search: Record<string, unknown>, name: string): string | undefined {
  const text = textIn(search, name);
  if (text === undefined) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The filter for the API. @param now ms since the epoch, for the presets */
export function apiFilterOf({ last, live: _, ...filter }: HistorySearch, now: number): ScrapeFilter {
  const length = TIME_PRESETS.find(([name]) => name === last)?.[2];
  const from = length === undefined ? filter.from : new Date(now - length).toISOString();
  // The cast: names in the URL may be unknown ones, which the service refuses.
  return { ...filter, from } as ScrapeFilter;
}

/** Whether any filter is active. */
export const isFiltered = ({ live: _, ...filter }: HistorySearch): boolean =>
  Object.values(filter).some((value) => value !== undefined);
