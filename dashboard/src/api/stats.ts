import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type Stats = Schema<'Stats'>;
export type StatsStep = Schema<'StatsStep'>;
export type StatsWindow = Stats['window'];

/** How often the figures are asked for while somebody looks: the service counts anew about once a second. */
const POLL_MS = 5_000;

/** @param userId of an administrator's choice, `all` for everybody; undefined: for a user their own */
export const statsQuery = (window: StatsWindow, userId: string | undefined) =>
  queryOptions({
    queryKey: ['stats', window, userId ?? null],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/stats/', { params: { query: { window, user_id: userId } }, signal })),
    refetchInterval: POLL_MS,
    // The figures of before stay until others are there: nothing jumps when the window is switched.
    placeholderData: keepPreviousData,
  });

export const STATS_WINDOWS: readonly StatsWindow[] = ['1h', '24h', '7d'];

/** What the service calls the hosts that it does not count one by one. */
export const OTHER_HOSTS = 'other';

/**
 * The window to begin with: the last hour when nothing was scraped before it, else the shorter of a day and a week that
 * has something in it; null while nothing was scraped in a week.
 */
export const defaultWindowQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['fitting-window', userId ?? null],
    queryFn: async ({ signal }): Promise<StatsWindow | null> => {
      const ask = (window: StatsWindow) =>
        responseBody(api.GET('/api/v1/stats/', { params: { query: { window, user_id: userId } }, signal }));
      const [hour = 0, day = 0, week = 0] = (await Promise.all(STATS_WINDOWS.map(ask))).map(
        ({ totals }) => totals.scrapes,
      );
      if (week === 0) return null;
      return hour === week ? '1h' : day > 0 ? '24h' : '7d';
    },
    // It does not change under the eyes of who looks, but for the first scrape.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data === null ? POLL_MS : false),
  });

/** Whether there is any record at all. @param userId as of the list of records: undefined is everybody one may see */
export const hasRecordsQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['any-record', userId ?? null],
    queryFn: async ({ signal }) => {
      const query = { limit: 1, user_id: userId };
      const page = await responseBody(api.GET('/api/v1/scrape/', { params: { query }, signal }));
      return page.items.length > 0 || page.next_cursor !== null;
    },
  });
