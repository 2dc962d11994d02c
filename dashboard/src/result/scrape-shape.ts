import type { Schema } from '../api/client.ts';

/** A scrape as any call tells it: just done, ended by a problem, or stored. */
export type ScrapeShape = Schema<'ScrapeResponse'> | Schema<'ScrapeProblem'> | Schema<'ScrapeRecord'>;

export type RouterShape = ScrapeShape['router'];
export type Trouble = Schema<'ErrorEntry'> | Schema<'WarningEntry'>;

/** The status that we answered with; undefined when the shape does not tell it. */
export function httpStatusOf(scrape: ScrapeShape): number | null | undefined {
  if ('http_status' in scrape.router) return scrape.router.http_status;
  return 'status' in scrape ? scrape.status : undefined;
}

/** When it began, RFC 3339; null while only the answer is known. */
export function createdAtOf(scrape: ScrapeShape): string | null {
  return 'created_at' in scrape.router ? scrape.router.created_at : null;
}

/** A `Content-Type` without its parameters, lower-case; '' when the target sent none. */
export function mediaTypeOf(scrape: ScrapeShape): string {
  return (scrape.headers['content-type'] ?? '').split(/[;,]/, 1)[0]!.trim().toLowerCase();
}
