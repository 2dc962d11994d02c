import { BASE_PATH } from '../app/page-config.ts';

/** A picture inside a response. These are the types that the service creates. */
const DATA_URL = /^data:image\/(png|jpeg|webp);base64,/;

export const isDataUrl = (address: string): boolean => DATA_URL.test(address);

/** The URL of a stored screenshot, for the signed-in user. */
export const screenshotUrl = (id: string): string =>
  `${BASE_PATH}/api/v1/scrape/${encodeURIComponent(id)}/screenshot`;

const SCREENSHOT_PATH = /^\/api\/v1\/scrape\/[0-9a-f-]{36}\/screenshot(\/\d+)?$/;

/**
 * The path on this page's own service for the URL of a picture in a response; null for other URLs. So a response cannot lead
 * the browser to another site, and the service may be reached under another host name than in its links. The signature,
 * which would expire, is left out, because the session is sufficient.
 */
export function sameServiceUrl(address: string): string | null {
  if (isDataUrl(address)) return address;
  const path = URL.parse(address)?.pathname ?? '';
  return path.startsWith(BASE_PATH) && SCREENSHOT_PATH.test(path.slice(BASE_PATH.length)) ? path : null;
}

const FILE_PATH = /^\/api\/v1\/scrape\/[0-9a-f-]{36}\/files\/\d+\/$/;

/** The same for the URL of a file in a response. A data URL is only downloaded, never shown. */
export function ownFileUrl(address: string): string | null {
  if (address.startsWith('data:')) return address;
  const path = URL.parse(address)?.pathname ?? '';
  return path.startsWith(BASE_PATH) && FILE_PATH.test(path.slice(BASE_PATH.length)) ? path : null;
}

/** The file name for a download of a data URL. For others, the service sends the name. */
export function fileName(address: string, name: string): string {
  const type = DATA_URL.exec(address)?.[1];
  return type === undefined ? '' : `${name}.${type}`;
}
