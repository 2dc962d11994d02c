import type { FastifyReply, FastifyRequest } from 'fastify';
import { disconnectSignal } from '../base/disconnect.ts';
import { traceHeaders } from '../base/trace-context.ts';
import type { ApiReply } from '../ports/api.ts';
import type { DialectDeps } from './dialect.ts';

/** The members of our answer to a scrape that dialects read (contract §4). */
export interface ScrapedPage {
  readonly id: string;
  readonly status_code: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly final_url: string | null;
  readonly content: string | null;
  readonly content_encoding: 'utf-8' | 'base64' | null;
  readonly cookies: readonly ScrapedCookie[];
  readonly errors: readonly ScrapeError[];
  readonly screenshot_url: string | null;
  readonly scraper_data: Readonly<Record<string, unknown>>;
  readonly router: {
    readonly outcome: string;
    readonly request_cost: number | null;
    readonly redirects?: readonly { readonly status_code: number | null }[];
  };
}

export interface ScrapedCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly expires: number | null;
  readonly secure: boolean;
  readonly http_only: boolean;
  readonly same_site: string | null;
}

export interface ScrapeError {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
}

/** An answer of ours that is not 200. */
export interface ScrapeRefusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** JSON pointer (RFC 6901) of the member of the scrape request that is at fault. */
  readonly pointer: string | null;
  readonly retryAfter: string | null;
  /** null: there is no record. */
  readonly scrapeId: string | null;
}

/**
 * Sends a scrape request to our API for the caller of a dialect. It ends when the caller hangs up.
 * @param key null: the caller has none
 * @returns null: the caller has hung up, so that nothing can be sent
 */
export async function callScrape(
  { callApi }: DialectDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string | null,
  body: unknown,
): Promise<ScrapedPage | ScrapeRefusal | null> {
  const signal = disconnectSignal(reply.raw);
  try {
    const answer = await callApi({
      method: 'POST',
      path: '/api/v1/scrape/',
      key,
      body,
      headers: { ...traceHeaders(request.headers), 'x-request-id': request.id },
      remoteAddress: request.ip,
      signal,
    });
    return readAnswer(answer);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function readAnswer({ status, headers, body }: ApiReply): ScrapedPage | ScrapeRefusal {
  const json = JSON.parse(body.toString('utf8')) as ScrapedPage & {
    readonly code?: string;
    readonly detail?: string;
    readonly errors?: readonly ScrapeError[];
  };
  if (status === 200) return json;
  return {
    status,
    code: json.code ?? '',
    detail: json.detail ?? '',
    pointer: json.errors?.[0]?.pointer ?? null,
    retryAfter: headers['retry-after'] ?? null,
    scrapeId: headers['x-scrape-id'] ?? null,
  };
}

export const isRefusal = (answer: ScrapedPage | ScrapeRefusal): answer is ScrapeRefusal => 'detail' in answer;

/** The content of a page as bytes; text as UTF-8. */
export const contentOf = ({ content, content_encoding: encoding }: ScrapedPage): Buffer =>
  Buffer.from(content ?? '', encoding === 'base64' ? 'base64' : 'utf8');

/** The picture of a scrape; null: there is none. */
export async function screenshotOf(
  { callApi, baseUrl }: DialectDeps,
  { screenshot_url: url }: ScrapedPage,
): Promise<Buffer | null> {
  if (url === null) return null;
  // What is not kept has its picture in the URL.
  if (url.startsWith('data:')) return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  // The link is signed, so that a key which may scrape but not read gets the picture, too.
  const { status, body } = await callApi({ method: 'GET', path: url.slice(baseUrl().length), key: null });
  return status === 200 ? body : null;
}

/** What the page sent in the end is not what was asked for; null: it is. `allowed`: errors that do not count. */
export const failedPart = ({ errors }: ScrapedPage, allowed: readonly string[]): ScrapeError | null =>
  errors.find(({ code }) => !allowed.includes(code)) ?? null;

/**
 * What is wrong, in the words of a dialect.
 * @param sources JSON pointer into the scrape request → the member of the dialect that it comes from
 */
export function inTheirWords(
  { pointer, detail }: ScrapeRefusal,
  sources: ReadonlyMap<string, string>,
): { readonly name: string | null; readonly detail: string } {
  for (const [source, name] of sources)
    if (pointer !== null && (`${pointer}/`.startsWith(`${source}/`) || source.startsWith(`${pointer}/`)))
      return { name, detail: detail.replaceAll(`\`${source}`, `\`${name}`) };
  return { name: null, detail };
}
