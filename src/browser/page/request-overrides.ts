import { portOf } from '../../base/url-patterns.ts';
import type { Task } from '../../domain/task.ts';
import type { RequestPausedEvent } from '../engine/cdp-session.ts';

/** What of the caller's request still applies to the next request of its navigation. Redirects take parts away. */
export interface CallerRequest {
  readonly url: string;
  readonly method: string;
  readonly hasBody: boolean;
  /** A redirect has changed the method to GET, so headers about a body are dropped. */
  readonly becameGet: boolean;
  /** No redirect has left the origin of the task's URL, so `Authorization` is still sent. */
  readonly keepsAuthorization: boolean;
}

export function initialCallerRequest({ url, method, body }: Task): CallerRequest {
  return { url, method, hasBody: body !== null, becameGet: false, keepsAuthorization: true };
}

/**
 * The request after a redirect: Fetch standard, "HTTP-redirect fetch"; contract §1 for `Authorization`.
 * @param to with the fragment, which may be inherited from `from`
 */
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

/** The first request of a popup, which the page that opened it sends in the popup's place. */
export interface PopupRequest {
  /** With its fragment. */
  readonly url: string;
  readonly referrer: string | null;
  /** null: a GET. */
  readonly post: {
    /** Headers about the body. */
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    /** Base64. */
    readonly body: string;
  } | null;
}

/** Headers about a body (Fetch, "request-body-header name"). */
const BODY_HEADERS = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

type HeaderEntries = { name: string; value: string }[];

/** Overrides of `Fetch.continueRequest` for a request of the caller, also for its redirects. */
export function callerOverrides(
  { request, redirectedRequestId }: Pick<RequestPausedEvent, 'request' | 'redirectedRequestId'>,
  task: Task,
  callerRequest: CallerRequest,
): { method?: string; headers?: HeaderEntries; postData?: string } {
  const { method, hasBody } = callerRequest;
  // Overriding headers, even with the same values, changes their order, which sites check.
  const isPlain = task.headers.length === 0 && !hasBody;
  if (isPlain && (redirectedRequestId !== undefined || method === 'GET')) return {};
  const headers = mergeCallerHeaders(request.headers, task, callerRequest);
  // After a redirect, the browser itself has set method and body.
  if (redirectedRequestId !== undefined) return { headers };
  if (!hasBody || task.body === null) return { method, headers };
  return { method, headers, postData: Buffer.from(task.body.bytes).toString('base64') };
}

export interface OriginAuthorization {
  readonly origin: string;
  /** `Basic …`. */
  readonly authorization: string;
}

/** Adds the credentials of a URL to a request to its origin. */
export function authorizationOverrides(
  { request }: Pick<RequestPausedEvent, 'request'>,
  credentials: OriginAuthorization | null,
): { headers?: HeaderEntries } {
  if (credentials === null || new URL(request.url).origin !== credentials.origin) return {};
  const browserHeaders = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return { headers: [...browserHeaders, { name: 'Authorization', value: credentials.authorization }] };
}

/** Overrides that turn the navigation of the page into the POST request of a popup. */
export function postOverrides(
  { request }: Pick<RequestPausedEvent, 'request'>,
  { headers, body }: PopupRequest['post'] & object,
): { method: string; headers: HeaderEntries; postData: string } {
  const browserHeaders = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return { method: 'POST', headers: [...browserHeaders, ...headers], postData: body };
}

/** The browser's headers, replaced and completed by the caller's. Each name is sent once, so repeated values are joined. */
function mergeCallerHeaders(
  browserHeaders: Readonly<Record<string, string>>,
  task: Task,
  { keepsAuthorization, becameGet, hasBody }: CallerRequest,
): HeaderEntries {
  const fields = new Map<string, { name: string; value: string }>();
  for (const [name, value] of Object.entries(browserHeaders)) fields.set(name.toLowerCase(), { name, value });
  const callerFields = new Map<string, { name: string; value: string }>();
  for (const [name, value] of task.headers) {
    const lower = name.toLowerCase();
    if (lower === 'authorization' && !keepsAuthorization) continue;
    if (BODY_HEADERS.has(lower) && becameGet) continue;
    const previous = callerFields.get(lower);
    const joined = previous === undefined ? value : `${previous.value}, ${value}`;
    callerFields.set(lower, { name, value: joined });
  }
  for (const [lower, field] of callerFields) fields.set(lower, field);
  if (hasBody && task.body?.contentType != null && !callerFields.has('content-type'))
    fields.set('content-type', { name: 'Content-Type', value: task.body.contentType });
  return [...fields.values()];
}

export function hostAndPort(text: string): [host: string, port: number] {
  const url = new URL(text);
  return [url.hostname, portOf(url)];
}
