import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, api, responseBody, type Schema } from './client.ts';

/** The scrapers of this build, with why some are not available, and the options of each. */
export const scrapersQuery = queryOptions({
  queryKey: ['playground', 'scrapers'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/scrapers/', { signal })),
  staleTime: 60_000,
});

/** The description that the service gives of itself: the form is made of its schemas. */
export const descriptionQuery = queryOptions({
  queryKey: ['playground', 'description'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/openapi.json', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export interface RunResult {
  /** null: the request was refused before it was a scrape. */
  readonly scrape: Schema<'ScrapeResponse'> | Schema<'ScrapeProblem'> | null;
  /** null: the answer was a 200. */
  readonly error: ApiError | null;
  readonly elapsedMs: number;
}

interface RunRequest {
  /** The body, as it is sent. */
  readonly text: string;
  readonly signal: AbortSignal;
}

/** A scrape in the name of who is signed in. Refusals are answers; it fails only when aborted, or when signed out. */
export function useRunScrape() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, signal }: RunRequest): Promise<RunResult> => {
      const startedAt = performance.now();
      const asResult = (scrape: RunResult['scrape'], error: ApiError | null) => ({
        scrape,
        error,
        elapsedMs: performance.now() - startedAt,
      });
      // The text itself is sent, so that numbers and repeated names arrive as they were written.
      const body = {} as Schema<'ScrapeRequest'>;
      const call = api.POST('/api/v1/scrape/', { body, bodySerializer: () => text, signal });
      try {
        return asResult(await responseBody(call), null);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 401) throw error;
        return asResult(scrapeInProblem(error), error);
      }
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['history'] });
      void queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
}

function scrapeInProblem({ problem }: ApiError): Schema<'ScrapeProblem'> | null {
  return problem !== null && 'router' in problem ? (problem as unknown as Schema<'ScrapeProblem'>) : null;
}
