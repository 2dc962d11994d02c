import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { TRACE_HEADERS } from '../base/trace-context.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import { isBrowser, SCRAPER_NAMES } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';
import { maskedRequestJson } from '../wire/request/masked-request.ts';
import { parseTask } from '../wire/request/parse-task.ts';
import { readOptions, type ScrapeMembers } from './options.ts';

const MIB = 2 ** 20;
/** Limit of a request body, in bytes. */
export const MAX_BODY_BYTES = 64 * MIB;
/** Limit of a request body that a browser sends, and of one that is stored with the record. */
const SMALL_BODY_BYTES = 5 * MIB;
/** The longest response that the scrape request allows: a proxy should not cut pages. */
const MAX_CONTENT_BYTES = 50 * MIB;

/** The tunnel (CONNECT) that a request came through. */
export interface Tunnel {
  /** Host and port of the CONNECT request, as in a URL. */
  readonly authority: string;
  readonly isSecure: boolean;
  /** `Proxy-Authorization` of the CONNECT request. */
  readonly authorization: string | undefined;
  /** Address of the caller. */
  readonly ip: string;
}

export interface ProxyCredentials {
  readonly key: string;
  /** See `readOptions`. */
  readonly options: string;
}

/** The user name and the password of `Proxy-Authorization: Basic …`; null: there are none. */
export function readCredentials(authorization: string | undefined): ProxyCredentials | null {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  const key = colon === -1 ? text : text.slice(0, colon);
  return key === '' ? null : { key, options: colon === -1 ? '' : text.slice(colon + 1) };
}

/** The URL that a request asks for. */
export function targetUrl({ url = '', headers }: IncomingMessage, tunnel: Tunnel | null): string | Failure {
  if (/^https?:\/\//i.test(url)) return url;
  if (tunnel === null)
    return failure(
      'request.validation',
      'This is a proxy: the request needs an absolute URL or CONNECT. The API has another port.',
    );
  const scheme = tunnel.isSecure ? 'https' : 'http';
  const host = headers.host?.toLowerCase();
  const target = new URL(`${scheme}://${tunnel.authority}`);
  if (host !== undefined && host !== '' && host !== target.host && host !== tunnel.authority.toLowerCase())
    return failure('request.validation', 'The header Host differs from the host of the CONNECT request.');
  return `${scheme}://${target.host}${url.startsWith('/') ? url : `/${url}`}`;
}

/** Fields of the connection between client and proxy, and of the caller's trace: they are not sent to the target. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...TRACE_HEADERS,
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
  ...['expect', 'host', 'content-length', 'sluice-options'],
]);

/** What libraries set by themselves. It would give a browser away that is not one, so only the scraper `http` sends it. */
const isOfLibrary = (name: string, value: string): boolean =>
  name === 'user-agent' || name === 'accept-encoding' || (name === 'accept' && value === '*/*');

/** The fields for the target in the form of the scrape request. @param keep by name in lower case and value */
function targetHeaders(
  { rawHeaders, headers }: IncomingMessage,
  keep: (name: string, value: string) => boolean,
): Readonly<Record<string, string | string[]>> {
  const nominated = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const fields = new Map<string, string | string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const value = rawHeaders[index + 1]!;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || lower.startsWith('proxy-') || nominated.has(lower)) continue;
    if (!keep(lower, value)) continue;
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  // Unlike an assignment, this takes `__proto__` as a name.
  return Object.fromEntries(fields);
}

/** A request as the members of a scrape request, without its body. */
export function requestMembers(
  request: IncomingMessage,
  tunnel: Tunnel | null,
  options: string,
): ScrapeMembers | Failure {
  const url = targetUrl(request, tunnel);
  if (isFailure(url)) return url;
  const members: ScrapeMembers = {
    url,
    method: request.method,
    scraper: 'http',
    allow_redirects: false,
    scraper_options: { max_content_bytes: MAX_CONTENT_BYTES },
    router: { trace: false },
  };
  const header = request.headersDistinct['sluice-options']?.join('&') ?? '';
  const problem =
    readOptions(options, members, 'The password of the proxy') ??
    readOptions(header, members, 'The header Sluice-Options');
  if (problem !== null) return problem;
  const ownAgent = (members.scraper_options as ScrapeMembers).user_agent !== undefined;
  members.headers = targetHeaders(request, (name, value) =>
    members.scraper === 'http' ? !ownAgent || name !== 'user-agent' : !isOfLibrary(name, value),
  );
  return members;
}

/** How long the body of the request may be, in bytes. */
export const bodyLimitOf = ({ scraper }: ScrapeMembers): number =>
  SCRAPER_NAMES.some((name) => name === scraper && isBrowser(name)) ? SMALL_BODY_BYTES : MAX_BODY_BYTES;

/** @returns problems of the request */
export function proxyTask(
  members: ScrapeMembers,
  body: Uint8Array | null,
):
  | { readonly task: Task; readonly problems: null }
  | { readonly task: null; readonly problems: readonly Failure[] } {
  const parsed = parseTask(members);
  if (parsed.task === null) return parsed;
  const { router } = parsed.task;
  const isLarge = body !== null && body.length > SMALL_BODY_BYTES;
  const browsers = SCRAPER_NAMES.filter(isBrowser).map((scraper) => ({ scraper, proxyType: null }));
  const task: Task = {
    ...parsed.task,
    isProxied: true,
    router: isLarge ? { ...router, ignore: [...router.ignore, ...browsers] } : router,
    body: body === null ? null : { type: 'binary', bytes: body, contentType: null },
    requestJson: () => maskedRequestJson(body === null ? members : { ...members, data: recordedBody(body) }),
  };
  return { task: Object.freeze(task), problems: null };
}

/** The body in the form of the scrape request. In place of a large one is its length, in a form that cannot be sent again. */
function recordedBody(body: Uint8Array): object {
  if (body.length > SMALL_BODY_BYTES) return { $base64: null, omitted_bytes: body.length };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return isUtf8(bytes) ? { $raw: bytes.toString() } : { $base64: bytes.toString('base64') };
}
