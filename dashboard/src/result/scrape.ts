import type { Schema } from '../api/client.ts';

/** A scrape as any call tells it: just done, ended by a problem, or stored. */
export type AnyScrape = Schema<'ScrapeResponse'> | Schema<'ScrapeProblem'> | Schema<'ScrapeRecord'>;

export type ScrapeRouter = AnyScrape['router'];
export type ScrapeIssue = Schema<'ErrorEntry'> | Schema<'WarningEntry'>;

/** The status that we answered with; undefined when the shape does not tell it. */
export function httpStatusOf(scrape: AnyScrape): number | null | undefined {
  if ('http_status' in scrape.router) return scrape.router.http_status;
  return 'status' in scrape ? scrape.status : undefined;
}

/** When it began, RFC 3339; null while only the answer is known. */
export function createdAtOf(scrape: AnyScrape): string | null {
  return 'created_at' in scrape.router ? scrape.router.created_at : null;
}

/** A `Content-Type` without its parameters, lower-case; '' when the target sent none. */
export function mediaTypeOf(scrape: AnyScrape): string {
  return (scrape.headers['content-type'] ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
}

/** A request as it was sent or kept: whatever fits the schema of a request; undefined when it was not kept. */
export type SentRequest = Readonly<Record<string, unknown>> | undefined;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const requestsScreenshot = (request: SentRequest): boolean => request?.screenshot === true;

/** The page actions as they were asked for. */
export const requestedActions = (request: SentRequest): readonly unknown[] =>
  Array.isArray(request?.page_actions) ? request.page_actions : [];
