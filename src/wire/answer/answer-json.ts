import type { TargetCookie } from '../../domain/fetched.ts';
import type { Delivered, Scrape } from '../../domain/scrape.ts';
import { errorsJson } from './errors-json.ts';
import { headersJson } from './headers-json.ts';
import { routerJson } from './router-json.ts';

/**
 * The scrape response object of the interface as JSON text, without `content`, which `reply.ts` puts in its place after
 * `headers`. Every other member is always there. Built as text: this is made for each scrape.
 * @param headersKept false: response headers and what was made of the content are withheld, like the content itself (`retain: metadata`)
 */
export function answerJson(scrape: Scrape, headersKept = true): string {
  const { delivered } = scrape;
  const page = delivered?.page ?? null;
  const encoding = delivered?.content?.encoding ?? null;
  const id = scrape.id === null ? 'null' : `"${scrape.id}"`;
  const encodingText = encoding === null || !headersKept ? 'null' : `"${encoding}"`;
  return `{"id":${id},"status_code":${page === null ? 'null' : page.statusCode},"final_url":${page === null ? 'null' : JSON.stringify(page.finalUrl)},"headers":${headersKept && page !== null ? headersJson(page.headers, false) : '{}'},"content_encoding":${encodingText},"cookies":${page === null ? '[]' : cookiesJson(page.cookies)},"errors":${errorsJson(scrape.errors, scrape.sentOnce)},"screenshot_url":null,"scraper_data":${delivered === null ? '{}' : dataJson(delivered, headersKept)},"router":${routerJson(scrape)}}`;
}

function dataJson({ charset, data }: Delivered, kept: boolean): string {
  let text = charset === null ? '{' : `{"charset":${JSON.stringify(charset)}`;
  if (kept) for (const [name, json] of data) text += `${text === '{' ? '' : ','}"${name}":${json}`;
  return `${text}}`;
}

function cookiesJson(cookies: readonly TargetCookie[]): string {
  if (cookies.length === 0) return '[]';
  return JSON.stringify(
    cookies.map(({ name, value, domain, path, expires, secure, httpOnly, sameSite }) => ({
      name,
      value,
      domain,
      path,
      expires,
      secure,
      http_only: httpOnly,
      same_site: sameSite,
    })),
  );
}
