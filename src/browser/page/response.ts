import { extractContentType } from '../../content/mime-type.ts';
import type { Failure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';

/** The head of an answer to a navigation of the main frame. */
export interface NavigationResponse {
  /** Of the request and of the document that it becomes: the same in `Network`, `Fetch` and `Page`. */
  readonly loaderId: string;
  /** Without credentials, with the fragment that it was asked for with. */
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly headers: HeaderList;
}

/** A body that the browser does not show: read as bytes. */
export interface RawResponse {
  readonly response: NavigationResponse;
  readonly body: Uint8Array;
  readonly cut: Failure | null;
  /** No coding could be undone: the bytes as they came. */
  readonly undecoded: boolean;
}

/** How a visit ends before there is a document to be read, or in place of one. */
export type NavigationOutcome = RawResponse | { readonly failure: Failure };

/**
 * The field lines as they came, each value a byte string, as HTTP scrapers have them.
 * @param headers `Network.responseReceivedExtraInfo`: by name, values that repeat joined by line ends
 * @param text the head, in the order of its lines, where there is one; Chromium leaves bytes out of it that are no UTF-8
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
  for (const [name, left] of values) for (const value of left) lines.push([name, value]);
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

/** Chromium tells the bytes of a value as windows-1252: of the code points beyond Latin-1, the byte each stands for. */
const WINDOWS_1252_BYTES = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, n) => 0x80 + n)),
    (char, n) => [char, String.fromCharCode(0x80 + n)],
  ),
);

const byteString = (value: string): string =>
  value.replace(/[^\x00-\xff]/g, (char) => WINDOWS_1252_BYTES.get(char) ?? char);

/**
 * What was sent, as HTTP/1 has it: the `:authority` of HTTP/2 is the host, and of what browsers write for a proxy in place
 * of `Connection` the gateway makes that again.
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
  const values = headers.filter(([one]) => one === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** Where a redirect leads; null: it is none. An empty `Location` is none, and of several alike the first counts. */
export function redirectLocation(status: number, headers: HeaderList): string | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  return headers.find(([name, value]) => name === 'location' && value !== '')?.[1] ?? null;
}

/** The address as it may be told. */
export function withoutUserinfo(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '')) return text;
  url.username = '';
  url.password = '';
  return url.href;
}

/** Where the document is that is shown. Documents that a page made of itself (`about:blank`, `blob:`) have the address of what made them. */
export function documentUrl(shown: string, answer: NavigationResponse): string {
  return /^https?:/.test(shown) ? withoutUserinfo(shown) : answer.url;
}

const DISPLAYED_TYPES = new Set(['text/html', 'application/xhtml+xml']);
const BODILESS_STATUSES = new Set([204, 205, 304]);
/** Types that say nothing (WHATWG MIME Sniffing §7). */
const UNKNOWN_TYPES = new Set(['unknown/unknown', 'application/unknown', '*/*']);

/**
 * What becomes of an answer: `document` is shown and read when it has settled; `bytes` are delivered as they are; of
 * `unknown` the beginning of the body decides.
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

/** What becomes of an answer: its body is read in place of the browser, or shown, or it is followed where it leads. */
export type ResponseHandling = 'take' | 'show' | 'follow';

/**
 * @param redirectIsResult redirects are not followed
 * @param mayHaveKept the browser may have asked whether what it has kept is unchanged, and shows that then
 */
export function responseHandling(
  { status, headers }: { readonly status: number; readonly headers: HeaderList },
  redirectIsResult: boolean,
  mayHaveKept: boolean,
): ResponseHandling {
  if (status === 304 && mayHaveKept) return 'show';
  if (redirectLocation(status, headers) !== null) return redirectIsResult ? 'take' : 'follow';
  return responseKind(status, headers) === 'document' ? 'show' : 'take';
}

/** Whether a browser would keep it as a file (RFC 6266 §4.2: what it does not know is as `attachment`). */
export function isAttachment(headers: HeaderList): boolean {
  const type = /^\s*([^\s;=]+)\s*(?:;|$)/.exec(headerValue(headers, 'content-disposition') ?? '')?.[1];
  return type !== undefined && type.toLowerCase() !== 'inline';
}
