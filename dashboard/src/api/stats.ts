import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type Stats = Schema<'Stats'>;
export type StatsStep = Schema<'StatsStep'>;
export type StatsWindow = Stats['window'];

/** Polling interval while the tab is visible. The service updates the counters about once a second. */
const POLL_MS = 5_000;

/** @param userId for administrators: a user, or `all`; undefined: the user's own */
export const statsQuery = (window: StatsWindow, userId: string | undefined) =>
  queryOptions({
    queryKey: ['stats', window, userId ?? null],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/stats/', { params: { query: { window, user_id: userId } }, signal })),
    refetchInterval: POLL_MS,
    // The previous figures stay until the new ones have loaded, so that the layout does not jump.
    placeholderData: keepPreviousData,
  });

export const STATS_WINDOWS: readonly StatsWindow[] = ['1h', '24h', '7d', '30d', '90d'];

/** The name under which the service counts all hosts that are not counted separately. */
export const OTHER_HOSTS = 'other';

/**
 * The initial time window: the last hour if there are no earlier scrapes, else the shortest of a day, a week and longer that is
 * not empty; null if nothing was scraped within 90 days. The figures of the windows are then in the cache of `statsQuery`.
 */
export const defaultWindowQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['default-window', userId ?? null],
    queryFn: async ({ client }): Promise<StatsWindow | null> => {
      const fetchStats = (window: StatsWindow) => client.fetchQuery(statsQuery(window, userId));
      const all = await fetchStats('90d');
      if (all.totals.scrapes === 0) return null;
      // Afterwards, because meanwhile a scrape may end: the shorter windows then count at least what this one has counted.
      const [hour, day] = await Promise.all([fetchStats('1h'), fetchStats('24h')]);
      if (hour.totals.scrapes >= all.totals.scrapes) return '1h';
      if (day.totals.scrapes > 0) return '24h';
      const daysAgo = all.series.toReversed().findIndex(({ scrapes }) => scrapes > 0);
      return daysAgo < 7 ? '7d' : daysAgo < 30 ? '30d' : '90d';
    },
    // The window must not change while the page is open. Without any scrapes, the query is repeated until there is one.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data === null ? POLL_MS : false),
  });

/** Whether there are any records. @param userId as for the list of records: undefined means all visible users */
export const hasRecordsQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['any-record', userId ?? null],
    queryFn: async ({ signal }) => {
      const query = { limit: 1, user_id: userId };
      const page = await responseBody(api.GET('/api/v1/scrape/', { params: { query }, signal }));
      return page.items.length > 0 || page.next_cursor !== null;
    },
  });
