import { isUtf8 } from 'node:buffer';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { MemoryReservation } from '../../base/memory-budget.ts';
import { type UrlGlob, urlGlob } from '../../base/url-patterns.ts';
import { orAborted } from '../../base/wait.ts';
import { decodeContent } from '../../content/decode-content.ts';
import type { CapturedBody, CapturedExchange, CaptureFilter } from '../../domain/captures.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import { resourceType } from '../engine/cdp-session.ts';
import {
  headerValue,
  type RawResponse,
  toRequestHeaders,
  toResponseHeaders,
  withoutUserinfo,
} from './response.ts';

/** What texts hold, as a rule, only in another charset: NUL in UTF-16, ESC in ISO-2022-JP. */
const OTHER_CHARSET = /[\0\x1b]/;

/**
 * The body of a response that a page received: text, or bytes where its type is none of a text; at most `most` bytes of
 * it, `length` of them.
 * @param whole from DevTools: as it came, or, of a text that the process of the page has kept, in UTF-8
 * @param undecoded its content coding could not be decoded
 */
export function capturedBody(
  whole: Buffer,
  headers: HeaderList,
  most: number,
  undecoded = false,
): { readonly body: CapturedBody; readonly length: number; readonly truncated: boolean } {
  const body = new Uint8Array(whole.subarray(0, most));
  const truncated = whole.length > most;
  const { content } = decodeContent({
    body,
    headers,
    undecoded,
    cutAtLimit: truncated,
    noBody: false,
    want: 'auto',
  });
  if (content.encoding === 'base64')
    return { body: { text: null, bytes: content.bytes }, length: content.bytes.length, truncated };
  const asIs = isUtf8(whole) ? whole.toString('utf8') : null;
  const text = asIs === null || OTHER_CHARSET.test(asIs) ? new TextDecoder().decode(content.bytes) : asIs;
  const cut = truncateText(text, most);
  return {
    body: { text: cut.text, bytes: null },
    length: cut.length,
    truncated: truncated || cut.text !== text,
  };
}

/** Cut between two characters. */
function truncateText(text: string, most: number): { readonly text: string; readonly length: number } {
  const all = Buffer.from(text);
  if (all.length <= most) return { text, length: all.length };
  let end = Math.max(0, most);
  // A byte that goes on with a character (RFC 3629 §3) cannot begin one.
  while (end > 0 && (all[end]! & 0xc0) === 0x80) end--;
  return { text: all.toString('utf8', 0, end), length: end };
}

/** Of everything together: URLs, headers and bodies. */
const MAX_BYTES = 5 * 2 ** 20;
const MAX_EXCHANGES = 500;
/** What the browser keeps for us until it is fetched; a longer body it throws away. */
const BUFFER_BYTES = 4 * MAX_BYTES;

type CaptureSession = Pick<CDPSession, 'send' | 'on' | 'off'>;

/** An exchange under way. A redirect is one of its own. */
interface PendingExchange {
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  requestHeaders: HeaderList;
  status: number | null;
  /** That of an answer which the page was not given: one that is delivered as bytes, or that leaves it as it is. */
  hiddenStatus: number | null;
  headers: HeaderList;
  readonly wantsBody: boolean;
  /** It asks whether another origin takes a request (Fetch, "CORS-preflight fetch"). */
  preflight: boolean;
  body: CapturedBody | null;
  /** Bytes of it that the browser has read. */
  received: number;
  finished: boolean;
  truncated: boolean;
}

/** The exchanges of one request, redirect by redirect; null: one that nobody asked for. */
interface RequestChain {
  readonly exchanges: (PendingExchange | null)[];
  /** How many of the two kinds of late news have come: they are in the order of the hops, and may come before these. */
  requestHeaders: HeaderList[];
  responseHeads: { readonly status: number; readonly headers: HeaderList }[];
}

/** Notes what the page exchanges with its servers, as far as it fits a filter. To be made before the page loads anything. */
export class NetworkCapture {
  readonly #session: CaptureSession;
  readonly #filters: readonly (CaptureFilter & { readonly glob: UrlGlob })[];
  readonly #memory: MemoryReservation;
  readonly #chains = new Map<string, RequestChain>();
  readonly #exchanges: PendingExchange[] = [];
  #bytes = 0;
  #incomplete = false;
  #ended = false;
  #bodies: Promise<void> = Promise.resolve();

  constructor(session: CaptureSession, filters: readonly CaptureFilter[], room: MemoryReservation) {
    this.#session = session;
    this.#filters = filters.map((filter) => ({ ...filter, glob: urlGlob(filter.url) }));
    this.#memory = room;
  }

  async start(): Promise<void> {
    const session = this.#session;
    session.on('Network.requestWillBeSent', ({ requestId, request, type, initiator, redirectResponse }) => {
      const chain = this.#chainOf(requestId);
      const before = chain.exchanges.at(-1);
      if (redirectResponse !== undefined && before != null) setResponse(before, redirectResponse);
      const hop = this.#add(request.url, request.method, resourceType(type));
      if (hop !== null) {
        hop.requestHeaders = toRequestHeaders(request.headers);
        hop.preflight = initiator.type === 'preflight';
      }
      chain.exchanges.push(hop);
      applyExtraInfo(chain);
    });
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
      const chain = this.#chainOf(requestId);
      chain.requestHeaders.push(toRequestHeaders(headers));
      applyExtraInfo(chain);
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers, headersText }) => {
      const chain = this.#chainOf(requestId);
      chain.responseHeads.push({ status: statusCode, headers: toResponseHeaders(headers, headersText) });
      applyExtraInfo(chain);
    });
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const hop = this.#chainOf(requestId).exchanges.at(-1);
      if (hop != null) setResponse(hop, response);
      applyExtraInfo(this.#chainOf(requestId));
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const hop = this.#chainOf(requestId).exchanges.at(-1);
      if (hop != null) hop.received += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId }) => {
      const hop = this.#chainOf(requestId).exchanges.at(-1);
      if (hop == null) return;
      hop.finished = true;
      if (hop.wantsBody && !this.#ended) this.#fetchBody(requestId, hop);
    });
    await session.send('Network.enable', {
      maxTotalBufferSize: BUFFER_BYTES,
      maxResourceBufferSize: MAX_BYTES,
    });
  }

  /** The body of an answer that the browser does not show was read elsewhere. */
  setRawBody({ response, body, cut, undecoded }: RawResponse): void {
    const exchange = this.#chains.get(response.loaderId)?.exchanges.at(-1);
    if (!exchange?.wantsBody) return;
    this.#setBody(exchange, Buffer.from(body), undecoded);
    exchange.truncated ||= cut !== null;
  }

  /** What came of it. Bodies that are under way are waited for, until the signal. */
  async finish(
    signal: AbortSignal,
  ): Promise<{ network: readonly CapturedExchange[]; failure: Failure | null }> {
    await orAborted(this.#bodies, signal).catch(() => {});
    this.#ended = true;
    const network = this.#exchanges.map(finishExchange);
    const missing = this.#incomplete || network.some(({ truncated }) => truncated);
    return { network, failure: missing ? CAPTURE_TRUNCATED : null };
  }

  #chainOf(requestId: string): RequestChain {
    const known = this.#chains.get(requestId);
    if (known !== undefined) return known;
    const chain: RequestChain = { exchanges: [], requestHeaders: [], responseHeads: [] };
    this.#chains.set(requestId, chain);
    return chain;
  }

  #add(given: string, method: string, type: string): PendingExchange | null {
    const url = withoutUserinfo(given);
    const fitting = this.#filters.filter(
      (filter) =>
        (filter.method === null || filter.method === method) &&
        (filter.resourceType === null || filter.resourceType === type) &&
        filter.glob.matches(url),
    );
    if (fitting.length === 0 || this.#ended) return null;
    if (this.#exchanges.length === MAX_EXCHANGES || !this.#reserve(url.length + HEADERS_BYTES)) {
      this.#incomplete = true;
      return null;
    }
    const exchange: PendingExchange = {
      ...{
        url,
        method,
        resourceType: type,
        requestHeaders: [],
        status: null,
        hiddenStatus: null,
        headers: [],
      },
      ...{ wantsBody: fitting.some(({ body }) => body), preflight: false, body: null },
      ...{ received: 0, finished: false, truncated: false },
    };
    this.#exchanges.push(exchange);
    return exchange;
  }

  #fetchBody(requestId: string, exchange: PendingExchange): void {
    // One after the other: each may be large.
    this.#bodies = this.#bodies.then(async () => {
      const got = await this.#session.send('Network.getResponseBody', { requestId }).catch(() => null);
      // The browser does not keep what is too long.
      if (!this.#ended && got !== null)
        this.#setBody(exchange, Buffer.from(got.body, got.base64Encoded ? 'base64' : 'utf8'));
    });
  }

  #setBody(exchange: PendingExchange, whole: Buffer, undecoded = false): void {
    const most = MAX_BYTES - this.#bytes;
    const { body, length, truncated } = capturedBody(whole, exchange.headers, most, undecoded);
    if (length > 0) exchange.body = body;
    else exchange.body = truncated ? null : NO_BODY;
    exchange.truncated = truncated;
    this.#reserve(length);
  }

  /** False: there is no more room. */
  #reserve(bytes: number): boolean {
    if (this.#bytes + bytes > MAX_BYTES) return false;
    this.#bytes += bytes;
    this.#memory.countUnreserved(bytes);
    return true;
  }
}

/** What the headers of an exchange count for. */
const HEADERS_BYTES = 2_048;

const CAPTURE_TRUNCATED = failure(
  'content.truncated',
  'The capture is incomplete: it holds at most 500 exchanges and 5 MiB, and only complete bodies.',
  { pointer: '/scraper_options/capture' },
);

const NO_BODY: CapturedBody = { text: '', bytes: null };

function finishExchange(exchange: PendingExchange): CapturedExchange {
  const { wantsBody, preflight, hiddenStatus, received, finished, ...one } = exchange;
  const status = one.status ?? hiddenStatus;
  if (!wantsBody || one.body !== null || status === null) return { ...one, status };
  const length = headerValue(one.headers, 'content-length');
  // The body of a preflight's answer is read by nobody, so that none was received says nothing of it.
  const nothing = finished && received === 0 && !preflight && !(Number(length) > 0);
  if (nothing || one.method === 'HEAD' || BODILESS_STATUSES.has(status) || length === '0')
    return { ...one, status, body: NO_BODY };
  // Of an answer that has not ended there is more to come. Those of redirects, and what is kept from the page, nobody reads.
  const isRead = !preflight && one.status !== null && (status < 300 || status >= 400);
  return { ...one, status, truncated: isRead };
}

/** Answers that have no body (RFC 9110 §15). */
const BODILESS_STATUSES = new Set([204, 205, 304]);

function setResponse(
  exchange: PendingExchange,
  { status, headers }: { readonly status: number; readonly headers: Record<string, string> },
): void {
  exchange.status = status;
  if (exchange.headers.length === 0) exchange.headers = toResponseHeaders(headers, undefined);
}

/** The news of what really went over the wire, to the hops that they are about. */
function applyExtraInfo({ exchanges, requestHeaders, responseHeads }: RequestChain): void {
  exchanges.forEach((hop, at) => {
    if (hop === null) return;
    hop.requestHeaders = requestHeaders[at] ?? hop.requestHeaders;
    hop.hiddenStatus = responseHeads[at]?.status ?? null;
    hop.headers = responseHeads[at]?.headers ?? hop.headers;
  });
}

/** null: nothing is to be captured. Its session has limits of its own for what the browser keeps. */
export async function startCapture(
  full: { readonly page: Page; readonly context: BrowserContext } | null,
  { job, reservation }: FetchRequest,
): Promise<NetworkCapture | null> {
  const { capture: filters } = job.options;
  if (filters.length === 0 || full === null) return null;
  const capture = new NetworkCapture(await full.context.newCDPSession(full.page), filters, reservation);
  await capture.start();
  return capture;
}
