import { isAttachment, responseFileName } from '../content/charset/file-name.ts';
import type { Page } from '../domain/fetch-result.ts';

/** Whether the page itself is a complete file that the target has sent for saving (`Content-Disposition`). */
export function isMainDownload({ headers, statusCode, method, body, cut, undecoded }: Page): boolean {
  if (statusCode < 200 || statusCode > 299 || method === 'HEAD' || body.length === 0) return false;
  return cut === null && !undecoded && isAttachment(headers);
}

/** The page, with itself as the first download if it is one. @param essence of its media type */
export function withMainDownload(page: Page, essence: string): Page {
  if (!isMainDownload(page)) return page;
  const { body: bytes, headers, finalUrl: from } = page;
  const main = { bytes, name: responseFileName(headers, from), type: essence, from };
  return { ...page, downloads: [main, ...(page.downloads ?? [])] };
}
