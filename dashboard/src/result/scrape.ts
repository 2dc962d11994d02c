import type { Schema } from '../api/client.ts';

/** A scrape in any form of the API: a response, a problem, or a stored record. */
export type AnyScrape = Schema<'ScrapeResponse'> | Schema<'ScrapeProblem'> | Schema<'ScrapeRecord'>;

export type ScrapeRouter = AnyScrape['router'];
export type ScrapeIssue = Schema<'ErrorEntry'> | Schema<'WarningEntry'>;

/** The HTTP status of Sluice's response; null: there was none; undefined: this form of the scrape does not contain it. */
export function httpStatusOf(scrape: AnyScrape): number | null | undefined {
  if ('http_status' in scrape.router) return scrape.router.http_status;
  return 'status' in scrape ? scrape.status : undefined;
}

/** The start, RFC 3339; null if only the response is known. */
export function createdAtOf(scrape: AnyScrape): string | null {
  return 'created_at' in scrape.router ? scrape.router.created_at : null;
}

/** `Content-Type` without parameters, lower-case; '' if the target sent none. */
export function mediaTypeOf(scrape: AnyScrape): string {
  return (scrape.headers['content-type'] ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
}

/** The request of the scrape; undefined if it was not stored. */
export type SentRequest = Readonly<Record<string, unknown>> | undefined;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const requestsScreenshot = (request: SentRequest): boolean => request?.screenshot === true;

/** The page actions of the request. */
export const requestedActions = (request: SentRequest): readonly unknown[] =>
  Array.isArray(request?.page_actions) ? request.page_actions : [];
