import type { HeaderList } from '../domain/fetch-result.ts';
import type { Method, Task, TaskBody } from '../domain/task.ts';
import { toByteString } from './byte-string.ts';

/** A request of a fetch: the first one, or one after a redirect. */
export interface HttpRequest {
  /** Without credentials, but with the fragment. */
  readonly url: URL;
  readonly method: Method;
  readonly body: TaskBody | null;
  /** The caller's headers, without those that a redirect has removed. */
  readonly headers: Task['headers'];
  /** `Basic …` from the credentials in a `Location`. */
  readonly authorization: string | null;
}

export function firstRequest(task: Task): HttpRequest {
  return {
    url: new URL(task.url),
    method: task.method,
    body: task.body,
    headers: task.headers,
    authorization: null,
  };
}

/**
 * The header fields in the order in which they are sent: Host, the caller's fields unchanged, defaults that the caller has
 * not set, Cookie, and those of the body.
 * @param defaults the default `User-Agent` (null: none), and whether `Accept` and `Accept-Encoding` have defaults
 */
export function requestFields(
  request: HttpRequest,
  defaults: { readonly userAgent: string | null; readonly accepts: boolean },
  cookie: string | null,
): HeaderList {
  const fields: [string, string][] = [['Host', request.url.host]];
  const { userAgent } = defaults;
  let missing = USER_AGENT | CONTENT_TYPE | (defaults.accepts ? ACCEPT | ACCEPT_ENCODING : 0);
  for (const [name, value] of request.headers) {
    fields.push([name, toByteString(value)]);
    missing &= ~defaultFieldBit(name);
  }
  if ((missing & USER_AGENT) !== 0 && userAgent !== null)
    fields.push(['User-Agent', toByteString(userAgent)]);
  if ((missing & ACCEPT) !== 0) fields.push(['Accept', '*/*']);
  if ((missing & ACCEPT_ENCODING) !== 0) fields.push(['Accept-Encoding', 'gzip, deflate, br, zstd']);
  if (request.authorization !== null) fields.push(['Authorization', request.authorization]);
  if (cookie !== null) fields.push(['Cookie', toByteString(cookie)]);
  const { body, method } = request;
  if (body !== null) {
    if ((missing & CONTENT_TYPE) !== 0 && body.contentType !== null) {
      fields.push(['Content-Type', toByteString(body.contentType)]);
    }
    fields.push(['Content-Length', String(body.bytes.length)]);
  } else if (method === 'POST' || method === 'PUT' || method === 'PATCH') {
    // Methods that define a meaning for a body say so when there is none (RFC 9110 §8.6).
    fields.push(['Content-Length', '0']);
  }
  return fields;
}

/** The fields with lower-case names, as HTTP/2 sends them and as results show them. */
export function lowerCaseNames(fields: HeaderList): HeaderList {
  return fields.map(([name, value]) => [name.toLowerCase(), value]);
}

/** The length of a request without header compression: an estimate of the bytes that HTTP/2 sends. */
export function requestLength({ url, method, body }: HttpRequest, fields: HeaderList): number {
  // 13 and 4: separators, version and line ends of HTTP/1.1.
  let length = method.length + requestTarget(url).length + 13 + (body?.bytes.length ?? 0);
  for (const [name, value] of fields) length += name.length + value.length + 4;
  return length;
}

/** Path and query as in the serialised URL. An empty query keeps its `?`, which `URL.search` drops. */
export function requestTarget(url: URL): string {
  const { href, hash } = url;
  const from = href.indexOf('/', url.protocol.length + 2);
  if (hash !== '') return href.slice(from, href.length - hash.length);
  return href.endsWith('#') ? href.slice(from, -1) : href.slice(from);
}

/** Bits of a set: the fields that have a default. */
const USER_AGENT = 1;
const ACCEPT = 2;
const ACCEPT_ENCODING = 4;
const CONTENT_TYPE = 8;

/** Compares the length first, because this runs for every header of every request. */
function defaultFieldBit(name: string): number {
  switch (name.length) {
    case 6:
      return name.toLowerCase() === 'accept' ? ACCEPT : 0;
    case 10:
      return name.toLowerCase() === 'user-agent' ? USER_AGENT : 0;
    case 12:
      return name.toLowerCase() === 'content-type' ? CONTENT_TYPE : 0;
    case 15:
      return name.toLowerCase() === 'accept-encoding' ? ACCEPT_ENCODING : 0;
    default:
      return 0;
  }
}
