import { queryOptions } from '@tanstack/react-query';
import { serviceTexts } from '../i18n/service-texts.ts';
import { ApiError, api, responseBody, type Schema } from './client.ts';
import { readEvents } from './event-stream.ts';
import { parseExact } from './exact-json.ts';
import { useChange } from './queries.ts';

/** The scrapers of this build with their options, and the reason if one is not available. */
export const scrapersQuery = queryOptions({
  queryKey: ['playground', 'scrapers'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/scrapers/', { signal })),
  staleTime: 60_000,
});

/** The OpenAPI description of the service. The form is generated from its schemas. */
export const descriptionQuery = queryOptions({
  queryKey: ['playground', 'description'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/openapi.json', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The translation of the descriptions of members. */
export const fieldTextsQuery = queryOptions({
  queryKey: ['playground', 'field-texts'],
  queryFn: () => serviceTexts('Fields'),
  staleTime: Number.POSITIVE_INFINITY,
});

export interface RunResult {
  /** null: the request was refused before a scrape began. */
  readonly scrape: Schema<'ScrapeResponse'> | Schema<'ScrapeProblem'> | null;
  /** null: the status was 200. */
  readonly error: ApiError | null;
}

interface RunRequest {
  /** The request body. */
  readonly text: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ScrapeProgress) => void;
}

export type ScrapeProgress = Schema<'ScrapeProgress'>;

export interface ImportedRequest {
  readonly request: unknown;
  /** Parts of the command that have no effect on the request. */
  readonly ignored: readonly string[];
}

/** Translates a curl command into a scrape request. */
export const useImportCurl = () =>
  useChange(async (curl: string): Promise<ImportedRequest> => {
    const text = await responseBody(api.POST('/api/v1/import/', { body: { curl }, parseAs: 'text' }));
    return parseExact(text) as ImportedRequest;
  });

/** Runs a scrape for the signed-in user. Refusals are results; it only fails if it is aborted or the session has ended. */
export const useRunScrape = () =>
  useChange(
    async ({ text, signal, onProgress }: RunRequest): Promise<RunResult> => {
      // The text itself is sent, so that numbers and repeated names stay as they were written; `body` only satisfies the type.
      const body = {} as Schema<'ScrapeRequest'>;
      const headers = { accept: 'text/event-stream' };
      const options = { body, bodySerializer: () => text, signal, headers, parseAs: 'stream' } as const;
      try {
        const events = await responseBody(api.POST('/api/v1/scrape/', options));
        return { scrape: await resultOf(events as ReadableStream<Uint8Array>, onProgress), error: null };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 401) throw error;
        return { scrape: scrapeInProblem(error), error };
      }
    },
    [['history'], ['session']],
    { settled: true, later: true },
  );

/** Reads the events of a scrape until its result. @throws ApiError if the scrape failed, or the connection was lost */
async function resultOf(
  events: ReadableStream<Uint8Array>,
  onProgress: RunRequest['onProgress'],
): Promise<Schema<'ScrapeResponse'>> {
  try {
    for await (const { type, data } of readEvents(events)) {
      if (type === 'progress') onProgress?.(JSON.parse(data));
      else if (type === 'result') return JSON.parse(data);
      else if (type === 'problem') throw ApiError.fromProblem(JSON.parse(data));
    }
  } catch (error) {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError'))
      throw error;
  }
  throw ApiError.noResponse();
}

/** The result of a scrape that failed; null: the error is about the request. */
function scrapeInProblem({ problem }: ApiError): Schema<'ScrapeProblem'> | null {
  return problem !== null && 'router' in problem ? (problem as unknown as Schema<'ScrapeProblem'>) : null;
}
