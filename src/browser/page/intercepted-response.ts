import { SMALL_BYTES } from '../../base/memory-budget.ts';
import { sniffUnknown } from '../../content/charset/mime-sniffing.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { FetchedPage, HeaderList, Page, TargetCookie } from '../../domain/fetch-result.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import type { Navigation } from './navigation.ts';
import { headerValue, type NavigationResponse, type RawResponse, responseKind } from './response.ts';
import { readResponseBody } from './response-body.ts';

/** Answers a paused request in place of the target. Rejects if the browser rejects the command. */
async function fulfillRequest(
  session: CdpSession,
  requestId: string,
  { status, headers, body }: { status: number; headers: HeaderList; body: Uint8Array },
): Promise<void> {
  // An import at the top would load Node's own `fetch` at each start.
  const { STATUS_CODES } = await import('node:http');
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    // For a status that Chromium does not know, it requires a reason phrase.
    responsePhrase: STATUS_CODES[status] ?? 'Unknown',
    responseHeaders: headers.map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  });
}

/**
 * Reads the body of a response that the browser does not show: from the gateway if it reads the body there (`TappedResponse`),
 * else from the browser.
 * @param requestId of the paused response; null: the browser has dropped it
 */
export async function takeResponseBody(
  session: CdpSession,
  nav: Navigation,
  response: NavigationResponse,
  requestId: string | null,
  { task, reservation, deadline }: FetchRequest,
): Promise<RawResponse | Failure> {
  if (nav.tappedResponse?.takesBody === true) {
    const read = await nav.tappedResponse.result;
    if (read.failure !== null) return read.failure;
    const { bytes: body, undecoded } = read.body!;
    return { response, body, cut: read.cut, undecoded };
  }
  if (requestId === null) return failure('connect.reset', 'The response was lost.');
  const options = { maxBytes: task.options.maxContentBytes, memory: reservation, signal: deadline.signal };
  const read = await readResponseBody(session, requestId, response, options);
  return isFailure(read) ? read : { response, ...read, undecoded: false };
}

/** Browsers do not read the bodies of redirects, and over TLS the gateway cannot. */
export function redirectWithoutBody(response: NavigationResponse): RawResponse {
  const isEmpty = headerValue(response.headers, 'content-length') === '0';
  const cut = isEmpty
    ? null
    : failure('content.incomplete', 'A browser does not read the body of a redirect over TLS.');
  return { response, body: new Uint8Array(0), cut, undecoded: false };
}

/**
 * Whether the browser itself redirects to https (HSTS, RFC 6797 §8.3): the gateway has seen no response of the target, and
 * Chromium adds the header `Non-Authoritative-Reason`.
 */
export function isHstsRedirect(
  { url, tappedResponse }: Navigation,
  status: number,
  headers: HeaderList,
): boolean {
  return (
    status === 307 &&
    tappedResponse !== null &&
    tappedResponse.head === null &&
    headerValue(headers, 'non-authoritative-reason') !== null &&
    URL.parse(headerValue(headers, 'location') ?? '', url)?.protocol === 'https:'
  );
}

/** Whether browsers show the response as HTML, although it has no content type (WHATWG MIME Sniffing §7.1). */
export function isSniffedHtml({ response: { status, headers }, body }: RawResponse): boolean {
  if (responseKind(status, headers) !== 'unknown') return false;
  const nosniff =
    headerValue(headers, 'x-content-type-options')?.toLowerCase().startsWith('nosniff') === true;
  return sniffUnknown(body, !nosniff) === 'text/html';
}

/** Headers that do not fit the decoded body; the browser has stored the cookies already. */
const REPLACED_HEADERS = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'set-cookie',
]);

/** Lets the browser show, as HTML, a body that was read in its place. */
export async function fulfillWithBody(
  session: CdpSession,
  requestId: string,
  { response, body }: RawResponse,
): Promise<void> {
  const headers: HeaderList = [
    ...response.headers.filter(([name]) => !REPLACED_HEADERS.has(name)),
    ['Content-Type', 'text/html'],
  ];
  await fulfillRequest(session, requestId, { status: response.status, headers, body });
}

/**
 * The body of the shown document as it was received; it can also be read while the page is busy. null: the browser has dropped
 * it, or there is no memory for it.
 */
export async function readFetchedBody(
  session: CdpSession,
  { response, suppliedBody, loaderId, cut }: Navigation,
  { task, reservation, deadline }: FetchRequest,
): Promise<RawResponse | null> {
  const fetched = suppliedBody ?? (await networkBody(session, loaderId));
  if (response === null || fetched === null) return null;
  const limit = task.options.maxContentBytes;
  if (suppliedBody === null && fetched.length > SMALL_BYTES) {
    const reserved = reservation.reserve(fetched.length, limit, deadline.signal);
    if (reserved !== null && !(await reserved)) return null;
    reservation.adopt(fetched);
  }
  if (fetched.length <= limit) return { response, body: fetched, cut, undecoded: false };
  const truncated = failure('content.truncated', `The content was cut at ${limit} bytes.`);
  return { response, body: fetched.subarray(0, limit), cut: truncated, undecoded: false };
}

async function networkBody(session: CdpSession, requestId: string): Promise<Uint8Array | null> {
  const result = await session.send('Network.getResponseBody', { requestId }).catch(() => null);
  if (result === null) return null;
  return new Uint8Array(Buffer.from(result.body, result.base64Encoded ? 'base64' : 'utf8'));
}

/** Headers that do not fit a decoded body, and cookies, which `setFetchedCookies` has set. */
const BODY_FRAMING_HEADERS = new Set([
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'set-cookie',
]);

/** Sets the cookies in the page's context that the target set when the document was fetched. */
export async function setFetchedCookies(session: CdpSession, { page }: FetchedPage): Promise<void> {
  const { hostname, protocol } = new URL(page.finalUrl);
  // A cookie that the browser rejects would also have been rejected from the target.
  await Promise.all(
    page.cookies.map((cookie) =>
      session.send('Network.setCookie', toCookieParam(cookie, hostname, protocol)).catch(() => null),
    ),
  );
}

function toCookieParam(cookie: TargetCookie, host: string, protocol: string) {
  const { name, value, domain, path, secure, httpOnly, sameSite, expires } = cookie;
  const site = SAME_SITE.find((value) => value.toLowerCase() === sameSite?.toLowerCase());
  return {
    name,
    value,
    path,
    secure,
    httpOnly,
    url: `${secure ? 'https:' : protocol}//${domain}/`,
    // With `domain`, a cookie applies to all hosts of that domain; without it, only to this host.
    ...(host.endsWith(`.${domain}`) ? { domain } : {}),
    ...(site === undefined ? {} : { sameSite: site }),
    ...(expires === null ? {} : { expires }),
  };
}

const SAME_SITE = ['Strict', 'Lax', 'None'] as const;

/** Fulfills a paused navigation with a document that another scraper has fetched. */
export async function fulfillWithFetched(session: CdpSession, requestId: string, page: Page): Promise<void> {
  const headers = page.headers.filter(([name]) => !BODY_FRAMING_HEADERS.has(name));
  await fulfillRequest(session, requestId, { status: page.statusCode, headers, body: page.body });
}
