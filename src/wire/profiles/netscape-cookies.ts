import type { StorageStateSchema } from '../../domain/storage-state.ts';

type CookieOfState = NonNullable<StorageStateSchema['cookies']>[number];

export interface NetscapeCookie {
  /** From 1. */
  readonly line: number;
  readonly cookie: CookieOfState;
}

const HTTP_ONLY = '#HttpOnly_';

/**
 * Reads a file of cookies in the format of Netscape, as curl, yt-dlp and extensions of browsers write it: lines of seven fields,
 * separated by tabs.
 * @returns `line`: the number of the first line that is none
 */
export function readNetscapeCookies(
  text: string,
): { readonly cookies: readonly NetscapeCookie[] } | { readonly line: number } {
  const cookies: NetscapeCookie[] = [];
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const httpOnly = raw.startsWith(HTTP_ONLY);
    if (raw.trim() === '' || (raw.startsWith('#') && !httpOnly)) continue;
    const fields = (httpOnly ? raw.slice(HTTP_ONLY.length) : raw).split('\t');
    const [domain, subdomains, path, secure, expires, name, value = ''] = fields;
    const seconds = Number(expires);
    const isCookie =
      name !== undefined &&
      fields.length <= 7 &&
      isFlag(subdomains!) &&
      isFlag(secure!) &&
      expires!.trim() !== '' &&
      Number.isFinite(seconds);
    if (!isCookie) return { line: i + 1 };
    const host = domain!.replace(/^\./, '');
    const cookie: CookieOfState = {
      name,
      value,
      domain: subdomains!.toUpperCase() === 'TRUE' ? `.${host}` : host,
      path: path!,
      // 0 and less: until the browser is closed.
      expires: seconds <= 0 ? -1 : seconds,
      secure: secure!.toUpperCase() === 'TRUE',
      httpOnly,
    };
    cookies.push({ line: i + 1, cookie });
  }
  return { cookies };
}

const isFlag = (text: string): boolean => /^(?:true|false)$/i.test(text);
