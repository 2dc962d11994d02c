import { isAttachment } from '../../content/charset/file-name.ts';
import { extractContentType } from '../../content/charset/mime-type.ts';
import type { Failure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';

/** The response to a navigation of the main frame, without its body. */
export interface NavigationResponse {
  /** Identifies the request and its document: the same in `Network`, `Fetch` and `Page`. */
  readonly loaderId: string;
  /** Without credentials, with the fragment of the request. */
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly headers: HeaderList;
}

/** A response whose body was read as bytes, because the browser does not show it. */
export interface RawResponse {
  readonly response: NavigationResponse;
  readonly body: Uint8Array;
  readonly cut: Failure | null;
  /** The content coding could not be decoded: `body` has the bytes as they were received. */
  readonly undecoded: boolean;
}

/** How a navigation ends without a document. */
export type NavigationOutcome = RawResponse | { readonly failure: Failure };

/**
 * The header lines as they were received, each value a byte string, as HTTP scrapers return them.
 * @param headers of `Network.responseReceivedExtraInfo`: by name, repeated values joined by line feeds
 * @param text the raw head, for the order of its lines; Chromium removes bytes from it that are not UTF-8
 */
export function toResponseHeaders(
  headers: Readonly<Record<string, string>>,
  text: string | undefined,
): HeaderList {
  const values = new Map<string, string[]>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const lines = value.split('\n').map(byteString);
    values.set(lower, [...(values.get(lower) ?? []), ...lines]);
  }
  const lines: [string, string][] = [];
  for (const name of headerNames(text ?? '')) {
    const value = values.get(name)?.shift();
    if (value !== undefined) lines.push([name, value]);
  }
  for (const [name, rest] of values) for (const value of rest) lines.push([name, value]);
  return lines;
}

const headerNames = (head: string): readonly string[] =>
  head
    .split(/\r?\n/)
    .slice(1)
    .map((line) =>
      line
        .slice(0, Math.max(0, line.indexOf(':')))
        .trim()
        .toLowerCase(),
    );

/** Chromium decodes header values as windows-1252. Maps its characters beyond Latin-1 back to bytes. */
const WINDOWS_1252_BYTES = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, n) => 0x80 + n)),
    (char, n) => [char, String.fromCharCode(0x80 + n)],
  ),
);

/** The bytes of a header value that Chromium has decoded, each as a character. */
export const byteString = (value: string): string =>
  value.replace(/[^\x00-\xff]/g, (char) => WINDOWS_1252_BYTES.get(char) ?? char);

/**
 * The request headers as in HTTP/1.1: `:authority` of HTTP/2 becomes `host`. `Proxy-Connection`, which browsers send to a proxy,
 * becomes `connection`, as which the gateway passes it on.
 */
export function toRequestHeaders(headers: Readonly<Record<string, string>>): HeaderList {
  const lines: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower === ':authority') lines.unshift(['host', value]);
    else if (lower === 'proxy-connection') lines.push(['connection', value]);
    else if (!lower.startsWith(':')) lines.push([lower, value]);
  }
  return lines;
}

export function headerValue(headers: HeaderList, name: string): string | null {
  const values = headers.filter(([key]) => key === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** The location of a redirect: the first `Location` that is not empty. null: the response is not a redirect. */
export function redirectLocation(status: number, headers: HeaderList): string | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  return headers.find(([name, value]) => name === 'location' && value !== '')?.[1] ?? null;
}

export function withoutUserinfo(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '')) return text;
  url.username = '';
  url.password = '';
  return url.href;
}

/** The URL of the shown document. Documents that a page makes itself (`about:blank`, `blob:`) have the URL of that page's response. */
export function documentUrl(shownUrl: string, response: NavigationResponse): string {
  return /^https?:/.test(shownUrl) ? withoutUserinfo(shownUrl) : response.url;
}

const DISPLAYED_TYPES = new Set(['text/html', 'application/xhtml+xml']);
const BODILESS_STATUSES = new Set([204, 205, 304]);
/** Content types that are treated as unknown (WHATWG MIME Sniffing §7). */
const UNKNOWN_TYPES = new Set(['unknown/unknown', 'application/unknown', '*/*']);

/**
 * How a response is delivered. `document`: the browser shows it, and the document is read. `bytes`: its body is delivered as it
 * was received. `unknown`: the first bytes of the body decide (`isSniffedHtml`).
 */
export function responseKind(status: number, headers: HeaderList): 'document' | 'bytes' | 'unknown' {
  if (
    BODILESS_STATUSES.has(status) ||
    headerValue(headers, 'content-length') === '0' ||
    isAttachment(headers)
  )
    return 'bytes';
  const type = extractContentType(headers.filter(([name]) => name === 'content-type').map(([, v]) => v));
  if (type === null || UNKNOWN_TYPES.has(type.essence)) return 'unknown';
  return DISPLAYED_TYPES.has(type.essence) ? 'document' : 'bytes';
}

/**
 * `take`: the service reads the body, not the browser. `show`: the browser shows it. `pass`: the browser handles it without
 * showing it: a redirect to follow, or a file to save.
 */
export type ResponseHandling = 'take' | 'show' | 'pass';

/**
 * Decides how to handle a response, from its head.
 * @param redirectIsResult redirects are not followed
 * @param mayBeCached the browser may have revalidated a cached document, which it shows after a 304
 */
export function responseHandling(
  { status, headers }: { readonly status: number; readonly headers: HeaderList },
  { redirectIsResult, mayBeCached }: { readonly redirectIsResult: boolean; readonly mayBeCached: boolean },
): ResponseHandling {
  if (status === 304 && mayBeCached) return 'show';
  if (redirectLocation(status, headers) !== null) return redirectIsResult ? 'take' : 'pass';
  return responseKind(status, headers) === 'document' ? 'show' : 'take';
}
