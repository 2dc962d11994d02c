import { basicAuthFromUrl } from '../base/credentials.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { HttpRequest } from './request.ts';
import type { ResponseHead } from './response-head.ts';

/** What goes with the body (Fetch, "request-body-header name"). */
const REQUEST_BODY_FIELDS = new Set([
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
]);

/** A status that redirects, with somewhere to go (as browsers: an empty `Location` is none). */
export function isRedirect(head: ResponseHead): boolean {
  return head.location !== null && isRedirectStatus(head.status);
}

export function isRedirectStatus(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * The request that a redirect asks for, or why there can be none: Fetch standard, "HTTP-redirect fetch", and contract
 * §1 for what of the caller's goes on. Cookies are the jar's matter.
 * @param head one for which `isRedirect` holds
 */
export function redirectedRequest(from: HttpRequest, head: ResponseHead): HttpRequest | Failure {
  if (head.conflictingLocations) return invalidRedirect('The response has two different locations.');
  const location = escapeLocation(head.location!);
  const url = URL.parse(location, from.url);
  if (url === null) return invalidRedirect(`The location ${quoteLocation(location)} is not a URL.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return invalidRedirect(`The location ${quoteLocation(location)} is neither http nor https.`);
  }
  // Only a location without any fragment takes over the one before; `hash` cannot tell none from an empty one.
  if (!url.href.includes('#') && from.url.hash !== '') url.hash = from.url.hash;
  const authorization = basicAuthFromUrl(url);
  url.username = '';
  url.password = '';

  const toGet = changesMethodToGet(head.status, from.method);
  const otherOrigin = url.origin !== from.url.origin;
  const headers = from.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    if (lower === 'authorization') return !otherOrigin && authorization === null;
    return !(toGet && REQUEST_BODY_FIELDS.has(lower));
  });
  return {
    url,
    method: toGet ? 'GET' : from.method,
    body: toGet ? null : from.body,
    headers,
    // Credentials of a location before go on within the same origin, as a browser's would.
    authorization: authorization ?? (otherOrigin ? null : from.authorization),
  };
}

/** Fetch standard, "HTTP-redirect fetch", step 12. */
export function changesMethodToGet(status: number, method: string): boolean {
  if (status === 301 || status === 302) return method === 'POST';
  return status === 303 && method !== 'GET' && method !== 'HEAD';
}

/** Bytes beyond ASCII percent-encoded one by one, as Chromium does: right for Latin-1 and UTF-8 alike. */
export function escapeLocation(location: string): string {
  return location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function quoteLocation(location: string): string {
  // Credentials may stand in what could not be parsed.
  return JSON.stringify(location.replace(/\/\/[^/?#]*@/, '//').slice(0, 200));
}

function invalidRedirect(message: string): Failure {
  return failure('redirect.invalid', message);
}

/**
 * Redirects that go in a circle. A site may redirect to the same URL once it has set a cookie, or once by itself: a loop is a
 * request that was redirected, was sent again just the same, and was redirected again.
 */
export class RedirectLoopDetector {
  readonly #redirected = new Set<string>();

  /** A request was redirected. @param sent what made it what it was, beside its URL: method and cookies */
  check(url: URL | string, ...sent: readonly (string | null)[]): Failure | null {
    const href = String(url).split('#', 1)[0]!;
    const key = JSON.stringify([href, ...sent]);
    if (!this.#redirected.has(key)) {
      this.#redirected.add(key);
      return null;
    }
    return failure('redirect.too_many', `The redirects go in a loop: they lead back to ${href}.`, {
      details: { loop: href },
    });
  }

  /** A cookie was set: the same request is another one now. */
  clear(): void {
    this.#redirected.clear();
  }
}
