import type { TargetCookie } from '../../domain/fetched.ts';
import { SCREENSHOT } from '../../domain/pictures.ts';
import type { Delivered, Scrape } from '../../domain/scrape.ts';
import { actionsJson } from './actions-json.ts';
import { errorsJson } from './errors-json.ts';
import { headersJson } from './headers-json.ts';
import { networkJson } from './network-json.ts';
import { pictureMark } from './picture-marks.ts';
import { routerJson } from './router-json.ts';

/**
 * The scrape response object of the interface as JSON text, without `content`, which `reply.ts` puts in its place after
 * `headers`; addresses of pictures are marks. Every other member is always there. Built as text: this is made for each scrape.
 * @param headersKept false: response headers and what was made of the content are withheld, like the content itself (`retain: metadata`)
 */
export function answerJson(scrape: Scrape, headersKept = true): string {
  const { delivered } = scrape;
  const page = delivered?.page ?? null;
  const encoding = delivered?.content?.encoding ?? null;
  const id = scrape.id === null ? 'null' : `"${scrape.id}"`;
  const encodingText = encoding === null || !headersKept ? 'null' : `"${encoding}"`;
  return `{"id":${id},"status_code":${page === null ? 'null' : page.statusCode},"final_url":${page === null ? 'null' : JSON.stringify(page.finalUrl)},"headers":${headersKept && page !== null ? headersJson(page.headers, false) : '{}'},"content_encoding":${encodingText},"cookies":${page === null ? '[]' : cookiesJson(page.cookies)},"errors":${errorsJson(scrape.errors, scrape.sentOnce)},"screenshot_url":${headersKept ? pictureMark(scrape, SCREENSHOT) : 'null'},"scraper_data":${delivered === null ? '{}' : dataJson(scrape, delivered, headersKept)},"router":${routerJson(scrape)}}`;
}

function dataJson(scrape: Scrape, { charset, data, page }: Delivered, kept: boolean): string {
  let text = charset === null ? '{' : `{"charset":${JSON.stringify(charset)}`;
  if (kept) for (const [name, json] of data) text += `${text === '{' ? '' : ','}"${name}":${json}`;
  if (kept && page.network !== undefined)
    text += `${text === '{' ? '' : ','}"network":${networkJson(page.network)}`;
  if (page.actions !== undefined)
    text += `${text === '{' ? '' : ','}"actions":${actionsJson(scrape, page.actions, kept)}`;
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
