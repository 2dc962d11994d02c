import { extractContentType } from '../../../../content/content-type.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';
import { fieldOf, locationOf } from './header-lines.ts';

const SHOWN = new Set(['text/html', 'application/xhtml+xml']);
const NO_BODY = new Set([204, 205, 304]);
/** Types that say nothing (WHATWG MIME Sniffing §7). */
const UNKNOWN = new Set(['unknown/unknown', 'application/unknown', '*/*']);

/**
 * What becomes of an answer: `document` is shown and read when it has settled; `bytes` are delivered as they are; of
 * `unknown` the beginning of the body decides.
 */
export function kindOf(status: number, headers: HeaderList): 'document' | 'bytes' | 'unknown' {
  if (NO_BODY.has(status) || fieldOf(headers, 'content-length') === '0' || isAttached(headers))
    return 'bytes';
  const type = extractContentType(headers.filter(([name]) => name === 'content-type').map(([, v]) => v));
  if (type === null || UNKNOWN.has(type.essence)) return 'unknown';
  return SHOWN.has(type.essence) ? 'document' : 'bytes';
}

/** What becomes of an answer: its body is read in place of the browser, or shown, or it is followed where it leads. */
export type Purpose = 'take' | 'show' | 'follow';

/**
 * @param redirectIsResult redirects are not followed
 * @param mayHaveKept the browser may have asked whether what it has kept is unchanged, and shows that then
 */
export function purposeOf(
  { status, headers }: { readonly status: number; readonly headers: HeaderList },
  redirectIsResult: boolean,
  mayHaveKept: boolean,
): Purpose {
  if (status === 304 && mayHaveKept) return 'show';
  if (locationOf(status, headers) !== null) return redirectIsResult ? 'take' : 'follow';
  return kindOf(status, headers) === 'document' ? 'show' : 'take';
}

/** Whether a browser would keep it as a file (RFC 6266 §4.2: what it does not know is as `attachment`). */
export function isAttached(headers: HeaderList): boolean {
  const type = /^\s*([^\s;=]+)\s*(?:;|$)/.exec(fieldOf(headers, 'content-disposition') ?? '')?.[1];
  return type !== undefined && type.toLowerCase() !== 'inline';
}
