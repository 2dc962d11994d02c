import { basicCredentials } from '../../../base/basic-credentials.ts';
import type { Failure } from '../../../domain/failure.ts';
import { failure } from '../../../domain/failure.ts';
import type { AnswerHead } from './answer-head.ts';
import type { Outgoing } from './outgoing.ts';

/** What goes with the body (Fetch, "request-body-header name"). */
const BODY_FIELDS = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/** A status that redirects, with somewhere to go (as browsers: an empty `Location` is none). */
export function isRedirect(head: AnswerHead): boolean {
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
export function redirected(from: Outgoing, head: AnswerHead): Outgoing | Failure {
  if (head.twoLocations) return invalid('The response has two different locations.');
  const location = escaped(head.location!);
  const url = URL.parse(location, from.url);
  if (url === null) return invalid(`The location ${quoted(location)} is not a URL.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return invalid(`The location ${quoted(location)} is neither http nor https.`);
  }
  // Only a location without any fragment takes over the one before; `hash` cannot tell none from an empty one.
  if (!url.href.includes('#') && from.url.hash !== '') url.hash = from.url.hash;
  const authorization = basicCredentials(url);
  url.username = '';
  url.password = '';

  const toGet = becomesGet(head.status, from.method);
  const otherOrigin = url.origin !== from.url.origin;
  const headers = from.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    if (lower === 'authorization') return !otherOrigin && authorization === null;
    return !(toGet && BODY_FIELDS.has(lower));
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
export function becomesGet(status: number, method: string): boolean {
  if (status === 301 || status === 302) return method === 'POST';
  return status === 303 && method !== 'GET' && method !== 'HEAD';
}

/** Bytes beyond ASCII percent-encoded one by one, as Chromium does: right for Latin-1 and UTF-8 alike. */
export function escaped(location: string): string {
  return location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function quoted(location: string): string {
  // Credentials may stand in what could not be parsed.
  return JSON.stringify(location.replace(/\/\/[^/?#]*@/, '//').slice(0, 200));
}

function invalid(message: string): Failure {
  return failure('redirect.invalid', message);
}
