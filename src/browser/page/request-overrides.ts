import { portOf } from '../../base/url-patterns.ts';
import type { Job } from '../../domain/job.ts';
import type { RequestPausedEvent } from '../engine/cdp-session.ts';

/** What the caller adds to a navigation of theirs; it changes from redirect to redirect. */
export interface CallerRequest {
  readonly url: string;
  readonly method: string;
  readonly hasBody: boolean;
  /** A redirect made it a GET: what described a body is gone with it. */
  readonly becameGet: boolean;
  /** It has not left the origin that the caller's credentials are for. */
  readonly keepsAuthorization: boolean;
}

export function initialCallerRequest({ url, method, body }: Job): CallerRequest {
  return { url, method, hasBody: body !== null, becameGet: false, keepsAuthorization: true };
}

/** Fetch standard, "HTTP-redirect fetch"; contract §1 for `Authorization`. @param to with the fragment that it inherits */
export function redirectCallerRequest(from: CallerRequest, to: URL, method: string): CallerRequest {
  const becameGet = from.becameGet || (method === 'GET' && from.method !== 'GET');
  return {
    url: to.href,
    method,
    hasBody: from.hasBody && !becameGet,
    becameGet,
    keepsAuthorization: from.keepsAuthorization && to.origin === new URL(from.url).origin,
  };
}

/** What a window of the page was about to send, for the page to send in its place. */
export interface PopupRequest {
  /** With its fragment. */
  readonly url: string;
  readonly referrer: string | null;
  /** null: a GET. */
  readonly post: {
    /** What goes with the body. */
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    /** Base64. */
    readonly body: string;
  } | null;
}

/** What goes with the body (Fetch, "request-body-header name"). */
const BODY_HEADERS = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

type HeaderEntries = { name: string; value: string }[];

/** What the caller adds to a request of theirs, for `Fetch.continueRequest`: to the redirects as well. */
export function callerOverrides(
  { request, redirectedRequestId }: Pick<RequestPausedEvent, 'request' | 'redirectedRequestId'>,
  job: Job,
  outgoing: CallerRequest,
): { method?: string; headers?: HeaderEntries; postData?: string } {
  const { method, hasBody } = outgoing;
  // Fields that are given, even the browser's own, go out in another order than browsers have: sites look at that.
  const plain = job.headers.length === 0 && !hasBody;
  if (plain && (redirectedRequestId !== undefined || method === 'GET')) return {};
  const headers = mergeCallerHeaders(request.headers, job, outgoing);
  // The browser knows by itself what becomes of method and body.
  if (redirectedRequestId !== undefined) return { headers };
  if (!hasBody || job.body === null) return { method, headers };
  return { method, headers, postData: Buffer.from(job.body.bytes).toString('base64') };
}

export interface OriginAuthorization {
  readonly origin: string;
  /** `Basic …`. */
  readonly authorization: string;
}

/** What the credentials of a URL add to a request to its origin. */
export function authorizationOverrides(
  { request }: Pick<RequestPausedEvent, 'request'>,
  credentials: OriginAuthorization | null,
): { headers?: HeaderEntries } {
  if (credentials === null || new URL(request.url).origin !== credentials.origin) return {};
  const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return { headers: [...own, { name: 'Authorization', value: credentials.authorization }] };
}

/** Makes a request the POST that a window of the page was about to send. */
export function postOverrides(
  { request }: Pick<RequestPausedEvent, 'request'>,
  { headers, body }: PopupRequest['post'] & object,
): { method: string; headers: HeaderEntries; postData: string } {
  const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return { method: 'POST', headers: [...own, ...headers], postData: body };
}

/** The browser's own fields, with the caller's in place of and beside them. It sends a name once only: values that repeat are joined. */
function mergeCallerHeaders(
  own: Readonly<Record<string, string>>,
  job: Job,
  { keepsAuthorization, becameGet, hasBody }: CallerRequest,
): HeaderEntries {
  const fields = new Map<string, { name: string; value: string }>();
  for (const [name, value] of Object.entries(own)) fields.set(name.toLowerCase(), { name, value });
  const callers = new Map<string, { name: string; value: string }>();
  for (const [name, value] of job.headers) {
    const lower = name.toLowerCase();
    if (lower === 'authorization' && !keepsAuthorization) continue;
    if (BODY_HEADERS.has(lower) && becameGet) continue;
    const before = callers.get(lower);
    callers.set(lower, before === undefined ? { name, value } : { name, value: `${before.value}, ${value}` });
  }
  for (const [lower, field] of callers) fields.set(lower, field);
  if (hasBody && job.body?.contentType != null && !callers.has('content-type'))
    fields.set('content-type', { name: 'Content-Type', value: job.body.contentType });
  return [...fields.values()];
}

/** Where the requests to a URL go. */
export function hostAndPort(text: string): [host: string, port: number] {
  const url = new URL(text);
  return [url.hostname, portOf(url)];
}
