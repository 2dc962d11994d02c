import { basicAuthFromUrl } from '../base/credentials.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { HttpRequest } from './request.ts';
import type { ResponseHead } from './response-head.ts';

/** Fields that are removed together with the body (Fetch standard, "request-body-header name"). */
const REQUEST_BODY_FIELDS = new Set([
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
]);

/** Whether the response has a redirect status and a `Location` that is not empty (browsers ignore an empty one). */
export function isRedirect(head: ResponseHead): boolean {
  return head.location !== null && isRedirectStatus(head.status);
}

export function isRedirectStatus(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * The next request after a redirect, or why there is none. By the Fetch standard, "HTTP-redirect fetch", and by contract §1
 * for the headers of the caller. Cookies are added by the cookie jar.
 * @param head `isRedirect(head)` must be true
 */
export function redirectedRequest(previous: HttpRequest, head: ResponseHead): HttpRequest | Failure {
  if (head.conflictingLocations) return invalidRedirect('The response has two different locations.');
  const location = escapeLocation(head.location!);
  const url = URL.parse(location, previous.url);
  if (url === null) return invalidRedirect(`The location ${quoteLocation(location)} is not a URL.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return invalidRedirect(`The location ${quoteLocation(location)} is neither http nor https.`);
  }
  // A location without a fragment inherits that of the previous URL. `hash` cannot tell an empty fragment from none.
  if (!url.href.includes('#') && previous.url.hash !== '') url.hash = previous.url.hash;
  const authorization = basicAuthFromUrl(url);
  url.username = '';
  url.password = '';

  const becomesGet = changesMethodToGet(head.status, previous.method);
  const crossOrigin = url.origin !== previous.url.origin;
  const headers = previous.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    if (lower === 'authorization') return !crossOrigin && authorization === null;
    return !(becomesGet && REQUEST_BODY_FIELDS.has(lower));
  });
  return {
    url,
    method: becomesGet ? 'GET' : previous.method,
    body: becomesGet ? null : previous.body,
    headers,
    // Credentials of an earlier location are kept within the same origin, as in browsers.
    authorization: authorization ?? (crossOrigin ? null : previous.authorization),
  };
}

/** Fetch standard, "HTTP-redirect fetch", step 12. */
export function changesMethodToGet(status: number, method: string): boolean {
  if (status === 301 || status === 302) return method === 'POST';
  return status === 303 && method !== 'GET' && method !== 'HEAD';
}

/** Percent-encodes each byte beyond ASCII, as Chromium does. Correct for Latin-1 and UTF-8. */
export function escapeLocation(location: string): string {
  return location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function quoteLocation(location: string): string {
  // Even a URL that cannot be parsed may contain credentials.
  return JSON.stringify(location.replace(/\/\/[^/?#]*@/, '//').slice(0, 200));
}

function invalidRedirect(message: string): Failure {
  return failure('redirect.invalid', message);
}

/**
 * Detects redirect loops: an identical request, with the same cookies, was redirected twice. Redirecting to the same URL
 * once is allowed: sites do so to set a cookie.
 */
export class RedirectLoopDetector {
  readonly #redirected = new Set<string>();

  /** To be called for each request that was redirected. @param details method and cookies of the request */
  check(url: URL | string, ...details: readonly (string | null)[]): Failure | null {
    const href = String(url).split('#', 1)[0]!;
    const key = JSON.stringify([href, ...details]);
    if (!this.#redirected.has(key)) {
      this.#redirected.add(key);
      return null;
    }
    return failure('redirect.too_many', `The redirects go in a loop: they lead back to ${href}.`, {
      details: { loop: href },
    });
  }

  /** Called when a cookie was set: requests for the same URL differ from the earlier ones. */
  clear(): void {
    this.#redirected.clear();
  }
}
