import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiError, api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange } from './queries.ts';
import type { paths } from './schema.gen.ts';
import { fetchScrapeList, type ScrapeSummary } from './scrapes.ts';

export type Site = Schema<'Site'>;
export type SiteListItem = Schema<'SiteListItem'>;
export type SiteBill = Schema<'SiteBill'>;
export type Comparison = Schema<'Comparison'>;
export type SiteLimits = Schema<'SiteLimits'>;

const hostParams = (host: string) => ({ params: { path: { host } } });

/** What is known about a site; a 404 if nothing is, or if this user has no scrapes of it. @param host as in a URL */
export const siteQuery = (host: string) =>
  queryOptions({
    queryKey: ['site', host],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/sites/{host}/', { ...hostParams(host), signal })),
  });

/** How often the figures of sites are read again. */
const FIGURES_POLL_MS = 10_000;

type SiteSort = NonNullable<paths['/api/v1/sites/']['get']['parameters']['query']>['sort'];

/**
 * The sites scraped lately; for administrators, those of all users.
 * @param text a part of the host
 * @param sort default: the most scraped first
 */
export const sitesQuery = (text: string, sort?: SiteSort) =>
  infiniteQueryOptions({
    queryKey: ['sites', text, sort],
    queryFn: ({ pageParam: cursor, signal }) =>
      responseBody(
        api.GET('/api/v1/sites/', {
          params: { query: { ...(text !== '' && { q: text }), sort, cursor, limit: 50 } },
          signal,
        }),
      ),
    ...BY_CURSOR,
    refetchInterval: FIGURES_POLL_MS,
    placeholderData: keepPreviousData,
  });

/** The methods whose days are shown; others are rare. */
const MAX_METHODS = 4;

/** The scrapes of a site on the last thirty days (of UTC), all together and by the scraper of their results. */
export const siteDaysQuery = (host: string) =>
  queryOptions({
    queryKey: ['site-days', host],
    queryFn: async ({ signal }): Promise<SiteDays> => {
      const usage = (query: { by: 'day' | 'scraper'; scraper?: string }) =>
        responseBody(
          api.GET('/api/v1/usage/', {
            params: { query: { ...query, host: hostnameOf(host), window: '30d', sort: 'scrapes' } },
            signal,
          }),
        );
      const [all, byScraper] = await Promise.all([usage({ by: 'day' }), usage({ by: 'scraper' })]);
      const scrapers = byScraper.items
        .flatMap(({ name, scrapes }) => (name === null || scrapes === 0 ? [] : [name]))
        .slice(0, MAX_METHODS);
      const days = await Promise.all(scrapers.map((scraper) => usage({ by: 'day', scraper })));
      return {
        all: all.series,
        methods: scrapers.map((scraper, index) => ({ scraper, days: days[index]!.series })),
      };
    },
  });

/** Each list has all days, the oldest first. */
export interface SiteDays {
  readonly all: readonly Schema<'UsageStep'>[];
  readonly methods: readonly { readonly scraper: string; readonly days: readonly Schema<'UsageStep'>[] }[];
}

/** Records that are looked at for what happened lately. */
const RECENT_RECORDS = 50;

/** The last records of a site, the newest first, without dry runs. */
export const siteRecordsQuery = (host: string) =>
  queryOptions({
    queryKey: ['history', 'site', host],
    queryFn: async ({ signal }) => {
      const { items } = await fetchScrapeList({ host }, undefined, RECENT_RECORDS, signal);
      return items.filter(({ outcome }) => outcome !== 'planned');
    },
    // The host in the address of the page may be any text.
    enabled: URL.parse(`http://${host}`)?.host === host,
  });

/** The page that was scraped last, by GET and as well as possible; null: there is none. @param records the newest first */
export function lastUrl(records: readonly ScrapeSummary[]): string | null {
  const pages = records.filter(({ method, url }) => method === 'GET' && url !== null);
  return (pages.find(({ outcome }) => outcome === 'ok') ?? pages[0])?.url ?? null;
}

/** The counters know no ports. */
export const hostnameOf = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? host;

/** What a site has cost in the last twelve months; null: it was not scraped. */
export const siteBillQuery = (host: string) =>
  queryOptions({
    queryKey: ['site-bill', host],
    queryFn: async ({ signal }): Promise<SiteBill | null> => {
      try {
        return await responseBody(api.GET('/api/v1/sites/{host}/bill/', { ...hostParams(host), signal }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: FIGURES_POLL_MS,
  });

/** What administrators allow at a site. @param host without the port */
export const siteLimitsQuery = (host: string) =>
  queryOptions({
    queryKey: ['site-limits', host],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/sites/{host}/limits/', { ...hostParams(host), signal })),
  });

/** Sets the limits of a site; null removes one. For administrators. */
export const useChangeSiteLimits = (host: string) =>
  useChange(
    (body: Schema<'SiteLimitsPatch'>) =>
      responseBody(api.PATCH('/api/v1/sites/{host}/limits/', { ...hostParams(host), body })),
    [['site-limits', host]],
  );

/** Scrapes a page in several ways for the signed-in user, and compares them. It takes as long as the scrapes. */
export const useCompareWays = () =>
  useChange(
    ({ url, ways }: { readonly url: string; readonly ways: string[] }) => {
      // The description of the API names no members of `request`.
      const request = { url } as object as Schema<'CompareRequest'>['request'];
      return responseBody(api.POST('/api/v1/compare/', { body: { request, ways } }));
    },
    // The ways are scrapes: the router learns from them, and they have records and costs.
    [['site'], ['sites'], ['site-bill'], ['history']],
    { settled: true, later: true },
  );

/** All, because the same site is cached under its host with and without the port. */
const ALL_SITES = ['site'];

/** Pins the first step of `auto` for a site. For administrators. */
export const usePinSite = (host: string) =>
  useChange(
    (body: Schema<'SitePin'>) =>
      responseBody(api.POST('/api/v1/sites/{host}/pin/', { ...hostParams(host), body })),
    [ALL_SITES],
  );

/** Removes the pin. For administrators. */
export const useUnpinSite = (host: string) =>
  useChange(() => responseBody(api.DELETE('/api/v1/sites/{host}/pin/', hostParams(host))), [ALL_SITES]);

/** Forgets all that was learned about a site; its pin stays. For administrators. */
export const useForgetSite = (host: string) =>
  useChange(() => responseBody(api.DELETE('/api/v1/sites/{host}/', hostParams(host))), [ALL_SITES]);
