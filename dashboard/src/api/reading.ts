import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

/** The main content of a stored page as Markdown. Nothing is fetched from the site. */
export const markdownQuery = (id: string) =>
  queryOptions({
    queryKey: ['reading', id, 'markdown'],
    queryFn: ({ signal }) => {
      const body = { formats: ['markdown' as const], only_main_content: true };
      return responseBody(api.POST('/api/v1/scrape/{id}/read/', { params: { path: { id } }, body, signal }));
    },
    // A record never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

/** What rules of `extract` find on a stored scrape. Nothing is fetched from the site. */
export const extractQuery = (id: string, rules: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: ['reading', id, JSON.stringify(rules)],
    queryFn: ({ signal }) => {
      // The cast: the service checks the rules, which the user may have written.
      const body = { extract: rules } as Schema<'ReadingRequest'>;
      return responseBody(api.POST('/api/v1/scrape/{id}/read/', { params: { path: { id } }, body, signal }));
    },
    // A record never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
