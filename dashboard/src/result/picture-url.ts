import { BASE_PATH } from '../app/page-config.ts';

/** A picture inside of an answer, of the kinds that the service makes. */
const DATA_URL = /^data:image\/(png|jpeg|webp);base64,/;

export const isDataUrl = (address: string): boolean => DATA_URL.test(address);

/** The picture of a stored scrape, for who is signed in. */
export const screenshotUrl = (id: string): string =>
  `${BASE_PATH}/api/v1/scrape/${encodeURIComponent(id)}/screenshot`;

const SCREENSHOT_PATH = /^\/api\/v1\/scrape\/[0-9a-f-]{36}\/screenshot(\/\d+)?$/;

/**
 * The address of a picture as an answer tells it, as one of this page's own service; null when it is none. No answer
 * leads the browser elsewhere, the service may be reached by another name than the one in its links, and who is signed in
 * needs no signature, which ends before the record does.
 */
export function sameServiceUrl(address: string): string | null {
  if (isDataUrl(address)) return address;
  const path = URL.parse(address)?.pathname ?? '';
  return path.startsWith(BASE_PATH) && SCREENSHOT_PATH.test(path.slice(BASE_PATH.length)) ? path : null;
}

/** How a downloaded picture is called; the service names those that it sends itself. */
export function fileName(address: string, name: string): string {
  const type = DATA_URL.exec(address)?.[1];
  return type === undefined ? '' : `${name}.${type}`;
}
