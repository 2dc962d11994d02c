import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { serviceTexts } from '../i18n/service-texts.ts';
import { api, responseBody, type Schema, type User } from './client.ts';
import { parseExact } from './exact-json.ts';
import { BY_CURSOR, useRemoval } from './queries.ts';
import type { paths } from './schema.gen.ts';

type ScrapeListQuery = NonNullable<paths['/api/v1/scrape/']['get']['parameters']['query']>;

/** The filters of the list and of its export, as the API names them. */
export type ScrapeFilter = Omit<ScrapeListQuery, 'limit' | 'cursor'>;
type StoredRequest =
  paths['/api/v1/scrape/{id}/request/']['get']['responses']['200']['content']['application/json'];
export type ScrapeSummary = Schema<'ScrapeSummary'>;

export interface ScrapeListPage {
  readonly items: readonly ScrapeSummary[];
  /** null: there is no further page. */
  readonly nextCursor: string | null;
  /** RFC 3339: all newer records were examined; null: all records were. */
  readonly searchedTo: string | null;
}

/** Fetches a page of the list. It may be short or empty although there is a next one. */
export async function fetchScrapeList(
  filter: ScrapeFilter,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<ScrapeListPage> {
  const query = { ...filter, cursor, limit };
  const call = api.GET('/api/v1/scrape/', { params: { query }, signal });
  const { items, next_cursor } = await responseBody(call);
  const { response } = await call;
  return { items, nextCursor: next_cursor, searchedTo: response.headers.get('x-searched-to') };
}

const RECENT_COUNT = 10;

/** The last scrapes of the user alone. */
export const recentScrapesQuery = ({ id, role }: Pick<User, 'id' | 'role'>) =>
  queryOptions({
    queryKey: ['history', 'recent', id],
    queryFn: async ({ signal }) => {
      // Administrators and viewers see the scrapes of all users.
      const filter = role === 'user' ? {} : { user_id: id };
      return (await fetchScrapeList(filter, undefined, RECENT_COUNT, signal)).items;
    },
  });

/** Totals of the list. Each page covers older records; its figures are to be added up. */
export const totalsQuery = (filter: ScrapeFilter) =>
  infiniteQueryOptions({
    queryKey: ['history', 'totals', filter],
    queryFn: ({ pageParam: cursor, signal }) => {
      const { order: _, ...query } = filter;
      return responseBody(
        api.GET('/api/v1/scrape/totals/', { params: { query: { ...query, cursor } }, signal }),
      );
    },
    ...BY_CURSOR,
  });

export type ComparedFormat = NonNullable<
  NonNullable<paths['/api/v1/scrape/{id}/compare/']['get']['parameters']['query']>['format']
>;

/** What the content of a record has that that of an earlier one does not have, and the reverse. */
export const differenceQuery = (before: string, after: string, format: ComparedFormat) =>
  queryOptions({
    queryKey: ['scrape-difference', before, after, format],
    queryFn: ({ signal }) => {
      const params = { path: { id: after }, query: { before, format } };
      return responseBody(api.GET('/api/v1/scrape/{id}/compare/', { params, signal }));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Records fetched on each side: more than one, because several may have begun in the same millisecond. */
const NEIGHBOUR_LIMIT = 20;

/** Ids of the next older and next newer record that match the filter; null: there is none. */
export const neighboursQuery = (id: string, createdAt: string, filter: ScrapeFilter) =>
  queryOptions({
    queryKey: ['history', 'neighbours', id, filter],
    queryFn: async ({ signal }) => {
      const to = new Date(Date.parse(createdAt) + 1).toISOString();
      const [older, newer] = await Promise.all([
        fetchScrapeList({ ...filter, to }, undefined, NEIGHBOUR_LIMIT, signal),
        fetchScrapeList({ ...filter, from: createdAt, order: 'asc' }, undefined, NEIGHBOUR_LIMIT, signal),
      ]);
      // Ids are ordered by time.
      return {
        older: older.items.find((record) => record.id < id)?.id ?? null,
        newer: newer.items.find((record) => record.id > id)?.id ?? null,
      };
    },
  });

/** How often the state of a running scrape is read. */
const RUNNING_MS = 1_000;

export const scrapeQuery = (id: string) =>
  queryOptions({
    queryKey: ['scrape', id],
    queryFn: ({ signal }) =>
      responseBody(
        api.GET('/api/v1/scrape/{id}/', {
          // Also if the program that asked for it did not want it back.
          params: { path: { id }, query: { return_content: 'true' } },
          signal,
        }),
      ),
    // A record never changes. An asynchronous scrape that has not ended is asked for again.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data !== undefined && 'state' in state.data ? RUNNING_MS : false),
    // It may be large.
    gcTime: 60_000,
  });

/** The request with masked secrets; 404 if it was not stored. */
export const scrapeRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['scrape-request', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      const text = await responseBody(
        api.GET('/api/v1/scrape/{id}/request/', { params, signal, parseAs: 'text' }),
      );
      return parseExact(text) as StoredRequest;
    },
    // Structural sharing is made for plain JSON values; an `ExactNumber` is none.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useDeleteScrape = (id: string) =>
  useRemoval(
    () => responseBody(api.DELETE('/api/v1/scrape/{id}/', { params: { path: { id } } })),
    [['history']],
  );

/** Removes a deleted scrape from the cache when its page is left, so that the back button does not show it. */
export function useDropCachedScrape(id: string): () => void {
  const queries = useQueryClient();
  return () => {
    queries.removeQueries({ queryKey: scrapeQuery(id).queryKey });
    queries.removeQueries({ queryKey: scrapeRequestQuery(id).queryKey });
  };
}

/** What each error code means and what to do about it, in the language of the dashboard. */
export const errorsTableQuery = queryOptions({
  queryKey: ['errors-table'],
  queryFn: async ({ signal }) => {
    const call = api.GET('/api/v1/errors/', { signal, headers: { accept: 'application/json' } });
    // The cast: by its description, the same URL can also answer with an HTML page.
    const [table, inLanguage] = await Promise.all([
      responseBody(call) as Promise<Schema<'ErrorsTable'>>,
      serviceTexts(),
    ]);
    return {
      errors: table.errors.map((entry) => ({
        ...entry,
        title: inLanguage(entry.title),
        help: inLanguage(entry.help),
      })),
      warnings: table.warnings.map((entry) => ({ ...entry, help: inLanguage(entry.help) })),
    };
  },
  staleTime: Number.POSITIVE_INFINITY,
});
