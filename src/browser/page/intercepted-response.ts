import { STATUS_CODES } from 'node:http';
import { SMALL_BYTES } from '../../base/memory-budget.ts';
import { sniffUnknown } from '../../content/mime-sniffing.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { FetchedPage, HeaderList, Page, TargetCookie } from '../../domain/fetch-result.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { CdpSession } from '../engine/cdp-session.ts';
import type { Navigation } from './navigation.ts';
import { headerValue, type NavigationResponse, type RawResponse, responseKind } from './response.ts';
import { readResponseBody } from './response-body.ts';

/** Answers a paused request. Rejects when the browser refuses. */
async function fulfillRequest(
  session: CdpSession,
  requestId: string,
  { status, headers, body }: { status: number; headers: HeaderList; body: Uint8Array },
): Promise<void> {
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    // Chromium fills in the phrase of the statuses that it knows, and refuses all others without one.
    responsePhrase: STATUS_CODES[status] ?? 'Unknown',
    responseHeaders: headers.map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  });
}

/**
 * The body of an answer that the browser does not show: where it passed in the clear, or else as the browser has it.
 * @param requestId of the pause; null: the browser has given the answer up
 */
export async function takeResponseBody(
  session: CdpSession,
  nav: Navigation,
  response: NavigationResponse,
  requestId: string | null,
  { job, reservation, deadline }: FetchRequest,
): Promise<RawResponse | Failure> {
  if (nav.tappedResponse?.takesBody === true) {
    const read = await nav.tappedResponse.result;
    if (read.failure !== null) return read.failure;
    const { bytes: body, undecoded } = read.body!;
    return { response, body, cut: read.cut, undecoded };
  }
  if (requestId === null) return failure('connect.reset', 'The response was lost.');
  const ask = { maxBytes: job.options.maxContentBytes, memory: reservation, signal: deadline.signal };
  const read = await readResponseBody(session, requestId, response, ask);
  return isFailure(read) ? read : { response, ...read, undecoded: false };
}

/** The browser reads no body of what redirects, and over TLS nobody else can. */
export function redirectWithoutBody(response: NavigationResponse): RawResponse {
  const none = headerValue(response.headers, 'content-length') === '0';
  const cut = none
    ? null
    : failure('content.incomplete', 'A browser does not read the body of a redirect over TLS.');
  return { response, body: new Uint8Array(0), cut, undecoded: false };
}

/** Whether it is one whose type is not told, and that browsers show as a page (WHATWG MIME Sniffing §7.1). */
export function isSniffedHtml({ response: { status, headers }, body }: RawResponse): boolean {
  if (responseKind(status, headers) !== 'unknown') return false;
  const nosniff =
    headerValue(headers, 'x-content-type-options')?.toLowerCase().startsWith('nosniff') === true;
  return sniffUnknown(body, !nosniff) === 'text/html';
}

/** What an answer is shown with whose body was taken: nothing that was said of the body as it came. */
const REPLACED_HEADERS = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'set-cookie',
]);

/** Has the browser show, as a page, the body that was taken from it. */
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
 * The body of the shown document as it was fetched, which its own process does not have to be asked for; null: it is not to be
 * had, or there is no memory for it.
 */
export async function readFetchedBody(
  session: CdpSession,
  { response, givenBody, loaderId, cut }: Navigation,
  { job, reservation, deadline }: FetchRequest,
): Promise<RawResponse | null> {
  const whole = givenBody ?? (await networkBody(session, loaderId));
  if (response === null || whole === null) return null;
  const limit = job.options.maxContentBytes;
  if (givenBody === null && whole.length > SMALL_BYTES) {
    const waits = reservation.reserve(whole.length, limit, deadline.signal);
    if (waits !== null && !(await waits)) return null;
    reservation.adopt(whole);
  }
  if (whole.length <= limit) return { response, body: whole, cut, undecoded: false };
  const truncated = failure('content.truncated', `The content was cut at ${limit} bytes.`);
  return { response, body: whole.subarray(0, limit), cut: truncated, undecoded: false };
}

async function networkBody(session: CdpSession, requestId: string): Promise<Uint8Array | null> {
  const got = await session.send('Network.getResponseBody', { requestId }).catch(() => null);
  return got === null ? null : new Uint8Array(Buffer.from(got.body, got.base64Encoded ? 'base64' : 'utf8'));
}

/** What was said of the body as it came; the cookies are in the context before. */
const BODY_FRAMING_HEADERS = new Set([
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'set-cookie',
]);

/** Gives the context of the page what the target set when the document was fetched. */
export async function setFetchedCookies(session: CdpSession, { page }: FetchedPage): Promise<void> {
  const { hostname, protocol } = new URL(page.finalUrl);
  // One that the browser does not take, it would not have taken from the target.
  const taken = page.cookies.map((cookie) =>
    session.send('Network.setCookie', toCookieParam(cookie, hostname, protocol)).catch(() => null),
  );
  await Promise.all(taken);
}

function toCookieParam(cookie: TargetCookie, host: string, protocol: string) {
  const { name, value, domain, path, secure, httpOnly, sameSite, expires } = cookie;
  const site = SAME_SITE.find((one) => one.toLowerCase() === sameSite?.toLowerCase());
  return {
    name,
    value,
    path,
    secure,
    httpOnly,
    url: `${secure ? 'https:' : protocol}//${domain}/`,
    // Of a domain above, it is for all hosts below that; else for its host alone.
    ...(host.endsWith(`.${domain}`) ? { domain } : {}),
    ...(site === undefined ? {} : { sameSite: site }),
    ...(expires === null ? {} : { expires }),
  };
}

const SAME_SITE = ['Strict', 'Lax', 'None'] as const;

/** Answers a paused navigation with a document that another scraper has fetched. */
export async function fulfillWithFetched(session: CdpSession, requestId: string, page: Page): Promise<void> {
  const headers = page.headers.filter(([name]) => !BODY_FRAMING_HEADERS.has(name));
  await fulfillRequest(session, requestId, { status: page.statusCode, headers, body: page.body });
}
