import { Type } from 'typebox';
import { retryAfterMs as pauseOf } from '../../../base/retry-after.ts';
import type { HeaderList, TargetCookie } from '../../../domain/fetch-result.ts';
import { closed, isObject } from '../../../domain/json-schema.ts';
import type { CallerCookie, Method, ProxyType, Task } from '../../../domain/task.ts';
import type { VendorReason, VendorSettings } from '../../../domain/vendors.ts';
import type { VendorPage, VendorReply, VendorRequest, VendorTrouble } from '../vendor-kind.ts';

/** Methods of services that send any request. */
export const ALL_METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Members that only a browser honours: a service that renders pages gets a request with one of them only if it renders. */
export const RENDER_OPTION = Type.Optional(
  Type.Boolean({ default: true, description: 'The service runs the scripts of pages.' }),
);

export const NO_OPTIONS = closed({});

export const rendersPages = ({ options }: VendorSettings): boolean => options.render !== false;

/** An answer without a page. */
export function trouble(
  reason: VendorReason,
  message: string,
  rest: Partial<Omit<VendorTrouble, 'trouble' | 'message'>> = {},
): VendorTrouble {
  return {
    trouble: reason,
    message,
    statusCode: null,
    retryAfterMs: null,
    credits: null,
    isCharged: false,
    requestId: null,
    ...rest,
  };
}

/** A page of which only the body is told, and what `rest` has. */
export function page(body: Uint8Array, rest: Partial<Omit<VendorPage, 'trouble' | 'body'>>): VendorPage {
  return {
    trouble: null,
    statusCode: null,
    headers: null,
    finalUrl: null,
    cookies: null,
    redirects: [],
    body,
    isRendered: false,
    screenshot: null,
    credits: null,
    isCharged: true,
    requestId: null,
    ...rest,
  };
}

const MAX_DETAIL = 200;

/** `answered 429: Too many requests`, with what the service says about it. */
export const answered = (status: number, detail: string | null): string =>
  `answered ${status}${detail === null || detail === '' ? '' : `: ${detail.slice(0, MAX_DETAIL)}`}`;

/** A request with a JSON body. */
export const postJson = (
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): VendorRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** The header with a key; none if there is no key. */
export const bearer = ({ key }: VendorSettings): Readonly<Record<string, string>> =>
  key === null ? {} : { authorization: `Bearer ${key}` };

/** The pause that `Retry-After` asks for, in ms; null: none. */
export const retryAfterMs = ({ headers, receivedAt }: VendorReply): number | null =>
  pauseOf(headers, receivedAt);

/** The caller's headers, with the `User-Agent` and the `Content-Type` of the request, as one entry a name. */
export function headersOf({ headers, options, body }: Task): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  const names = new Map<string, string>();
  const add = (name: string, value: string) => {
    const known = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), known);
    all[known] = all[known] === undefined ? value : `${all[known]}, ${value}`;
  };
  for (const [name, value] of headers) add(name, value);
  if (options.userAgent !== null && !names.has('user-agent')) add('User-Agent', options.userAgent);
  if (body?.contentType != null && !names.has('content-type')) add('Content-Type', body.contentType);
  return all;
}

/** `name=value; …` of the caller's cookies for the URL (RFC 6265 §5.4); null: there are none. */
export function cookieHeader(task: Task): string | null {
  const cookies = task.cookies.filter((cookie) => isSentTo(task, cookie));
  return cookies.length === 0 ? null : cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

function isSentTo({ url, host }: Task, { domain, hostOnly, path, secure }: CallerCookie): boolean {
  const { protocol, pathname } = new URL(url);
  const name = (domain ?? host).replace(/^\./, '').toLowerCase();
  const below = (path ?? '/').endsWith('/') ? (path ?? '/') : `${path}/`;
  return (
    (host === name || (hostOnly !== true && host.endsWith(`.${name}`))) &&
    (pathname === path || pathname.startsWith(below)) &&
    (!secure || protocol === 'https:')
  );
}

/** Headers of a connection, which are not those of the request behind the service. */
const CONNECTION_HEADERS =
  /^(host|connection|content-length|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** The caller's headers and cookies, for services that pass on the headers of the call itself. */
export function passedHeaders(task: Task): Readonly<Record<string, string>> {
  const cookie = cookieHeader(task);
  const all = { ...headersOf(task), ...(cookie !== null && { Cookie: cookie }) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !CONNECTION_HEADERS.test(name)));
}

/** The parameters that are set, as a query without the `?`. */
export function queryOf(
  parameters: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined) query.append(name, String(value));
  return query.toString();
}

/** Two-letter code, as most services write it. */
export const countryOf = ({ proxy }: Task): string | undefined => proxy.country?.toLowerCase();

/**
 * A number from 0 to below `count`, for services that number their sessions. Two users have the same one by accident: then they share
 * an exit, and nothing else.
 */
export const sessionNumber = (session: string | null, count: number): number | undefined =>
  session === null ? undefined : Number.parseInt(session.slice(0, 12), 16) % count;

/** Time that the service may take, within its bounds, ms. */
export const timeoutWithin = (ms: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, ms));

interface CreditTable {
  readonly plain: number;
  readonly rendered: number;
  readonly residential: number;
  readonly residentialRendered: number;
}

/** The price in credits by proxy type and rendering, as most services have it. */
export function creditsOf(proxyType: ProxyType, settings: VendorSettings, table: CreditTable): number {
  if (proxyType === 'datacenter') return rendersPages(settings) ? table.rendered : table.plain;
  return rendersPages(settings) ? table.residentialRendered : table.residential;
}

/** A header with a number; null: there is none. */
export function numberHeader(reply: VendorReply, name: string): number | null {
  const text = reply.header(name)?.trim() ?? '';
  return text === '' ? null : numberOrNull(Number(text));
}

/** The headers that begin with a prefix, without it. */
export const headersBehind = ({ headers }: VendorReply, prefix: string): HeaderList =>
  headers
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]): [string, string] => [name.slice(prefix.length), value]);

/** A member of a JSON object of another service; undefined: there is none, or this is no object. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** An HTTP status; null: this is none. Some services write it as text. */
export function statusOrNull(value: unknown): number | null {
  const status = typeof value === 'string' ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599
    ? status
    : null;
}

/** `{name: value}` or `{name: [value]}` as a list; null: this is neither. */
export function headerList(value: unknown): HeaderList | null {
  if (!isObject(value) || Array.isArray(value)) return null;
  return Object.entries(value).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one])
      .filter((text) => typeof text === 'string' || typeof text === 'number')
      .map((text): [string, string] => [name.toLowerCase(), String(text)]),
  );
}

/** Bytes of a text in Base64; null: this is none. */
export const base64OrNull = (value: unknown): Uint8Array | null =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : null;

/** Cookies as browsers and their drivers write them; null: this is no list. */
export function cookieList(value: unknown): readonly TargetCookie[] | null {
  if (!Array.isArray(value)) return null;
  return value.flatMap((one): TargetCookie[] => {
    const text = (name: string) => textOrNull(member(one, name));
    const name = text('name');
    if (name === null) return [];
    const expires = numberOrNull(member(one, 'expires') ?? member(one, 'expiry'));
    return [
      {
        name,
        value: text('value') ?? '',
        domain: text('domain') ?? '',
        path: text('path') ?? '/',
        expires: expires !== null && expires < 0 ? null : expires,
        secure: member(one, 'secure') === true,
        httpOnly: (member(one, 'httpOnly') ?? member(one, 'http_only')) === true,
        sameSite: text('sameSite') ?? text('same_site'),
      },
    ];
  });
}

/** The caller's cookies for the URL, for services that send all that they get. */
export const cookiesFor = (task: Task): readonly CallerCookie[] =>
  task.cookies.filter((cookie) => isSentTo(task, cookie));
