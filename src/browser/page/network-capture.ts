import { isUtf8 } from 'node:buffer';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { MemoryReservation } from '../../base/memory-budget.ts';
import { type UrlGlob, urlGlob } from '../../base/url-patterns.ts';
import { orAborted } from '../../base/wait.ts';
import { decodeContent } from '../../content/charset/decode-content.ts';
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

/** Bytes that texts in UTF-8 normally do not contain, but UTF-16 (NUL) and ISO-2022-JP (ESC) do. */
const OTHER_CHARSET = /[\0\x1b]/;

/**
 * A body that a page received: as text, or as bytes if its content type is not textual.
 * @param whole from CDP: as it was received, or a text converted to UTF-8 by the process of the page
 * @param maxBytes the rest is cut off
 * @param undecoded its content coding could not be decoded
 */
export function capturedBody(
  whole: Buffer,
  headers: HeaderList,
  maxBytes: number,
  undecoded = false,
): { readonly body: CapturedBody; readonly length: number; readonly truncated: boolean } {
  const body = new Uint8Array(whole.subarray(0, maxBytes));
  const truncated = whole.length > maxBytes;
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
  const utf8 = isUtf8(whole) ? whole.toString('utf8') : null;
  const text = utf8 === null || OTHER_CHARSET.test(utf8) ? new TextDecoder().decode(content.bytes) : utf8;
  const cut = truncateText(text, maxBytes);
  return {
    body: { text: cut.text, bytes: null },
    length: cut.length,
    truncated: truncated || cut.text !== text,
  };
}

/** Cuts between two characters. */
function truncateText(text: string, maxBytes: number): { readonly text: string; readonly length: number } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, length: bytes.length };
  let end = Math.max(0, maxBytes);
  // Not before a continuation byte (RFC 3629 §3).
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return { text: bytes.toString('utf8', 0, end), length: end };
}

/** Limit of all URLs, headers and bodies of a capture together. */
const MAX_BYTES = 5 * 2 ** 20;
const MAX_EXCHANGES = 500;
/** How many bytes the browser keeps until they are read. It drops bodies that do not fit. */
const BUFFER_BYTES = 4 * MAX_BYTES;

type CaptureSession = Pick<CDPSession, 'send' | 'on' | 'off'>;

/** A request and its response, which may not be complete yet. Each redirect is an exchange of its own. */
interface PendingExchange {
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  requestHeaders: HeaderList;
  status: number | null;
  /** Status of a response that the page did not receive, because the service read it as bytes, or because it has no content. */
  hiddenStatus: number | null;
  headers: HeaderList;
  readonly wantsBody: boolean;
  /** It is a CORS preflight (Fetch, "CORS-preflight fetch"). */
  preflight: boolean;
  body: CapturedBody | null;
  /** Bytes of the body that the browser has received. */
  received: number;
  finished: boolean;
  truncated: boolean;
  /** In seconds, of the clock of the browser. */
  readonly startedAt: number;
  endedAt: number | null;
}

/** The exchanges of one request and its redirects. */
interface RequestChain {
  /** null: the exchange matches no filter. */
  readonly exchanges: (PendingExchange | null)[];
  /** From `ExtraInfo` events, which come in the order of the exchanges, but earlier or later than their other events. */
  requestHeaders: HeaderList[];
  responseHeads: { readonly status: number; readonly headers: HeaderList }[];
}

/** Records the requests and responses of a page that match a filter. To be created before the page loads anything. */
export class NetworkCapture {
  readonly #session: CaptureSession;
  readonly #filters: readonly (CaptureFilter & { readonly glob: UrlGlob })[];
  readonly #memory: MemoryReservation;
  readonly #chains = new Map<string, RequestChain>();
  readonly #exchanges: PendingExchange[] = [];
  /** Bytes that count towards `MAX_BYTES`. */
  #bytes = 0;
  /** An exchange was left out, because a limit was reached. */
  #incomplete = false;
  #ended = false;
  /** Settles when the bodies requested so far have been read. */
  #bodies: Promise<void> = Promise.resolve();

  constructor(session: CaptureSession, filters: readonly CaptureFilter[], memory: MemoryReservation) {
    this.#session = session;
    this.#filters = filters.map((filter) => ({ ...filter, glob: urlGlob(filter.url) }));
    this.#memory = memory;
  }

  async start(): Promise<void> {
    const session = this.#session;
    session.on(
      'Network.requestWillBeSent',
      ({ requestId, request, type, initiator, redirectResponse, timestamp }) => {
        const chain = this.#chainOf(requestId);
        const previous = chain.exchanges.at(-1);
        if (redirectResponse !== undefined && previous != null) {
          setResponse(previous, redirectResponse);
          previous.endedAt = timestamp;
        }
        const exchange = this.#add(request.url, request.method, resourceType(type), timestamp);
        if (exchange !== null) {
          exchange.requestHeaders = toRequestHeaders(request.headers);
          exchange.preflight = initiator.type === 'preflight';
        }
        chain.exchanges.push(exchange);
        applyExtraInfo(chain);
      },
    );
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
      const exchange = this.#chainOf(requestId).exchanges.at(-1);
      if (exchange != null) setResponse(exchange, response);
      applyExtraInfo(this.#chainOf(requestId));
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const exchange = this.#chainOf(requestId).exchanges.at(-1);
      if (exchange != null) exchange.received += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp }) => {
      const exchange = this.#chainOf(requestId).exchanges.at(-1);
      if (exchange == null) return;
      exchange.finished = true;
      exchange.endedAt = timestamp;
      if (exchange.wantsBody && !this.#ended) this.#fetchBody(requestId, exchange);
    });
    await session.send('Network.enable', {
      maxTotalBufferSize: BUFFER_BYTES,
      maxResourceBufferSize: MAX_BYTES,
    });
  }

  /** Sets a body that the service read, because the browser does not show it. */
  setRawBody({ response, body, cut, undecoded }: RawResponse): void {
    const exchange = this.#chains.get(response.loaderId)?.exchanges.at(-1);
    if (!exchange?.wantsBody) return;
    this.#setBody(exchange, Buffer.from(body), undecoded);
    exchange.truncated ||= cut !== null;
  }

  /** The exchanges so far. Waits for bodies that are being read, until the signal aborts. */
  async finish(
    signal: AbortSignal,
  ): Promise<{ network: readonly CapturedExchange[]; failure: Failure | null }> {
    await orAborted(this.#bodies, signal).catch(() => {});
    this.#ended = true;
    const start = this.#exchanges[0]?.startedAt ?? 0;
    const network = this.#exchanges.map((exchange) => finishExchange(exchange, start));
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

  #add(requestUrl: string, method: string, type: string, startedAt: number): PendingExchange | null {
    const url = withoutUserinfo(requestUrl);
    const matching = this.#filters.filter(
      (filter) =>
        (filter.method === null || filter.method === method) &&
        (filter.resourceType === null || filter.resourceType === type) &&
        filter.glob.matches(url),
    );
    if (matching.length === 0 || this.#ended) return null;
    if (this.#exchanges.length === MAX_EXCHANGES || !this.#reserve(url.length + HEADERS_BYTES)) {
      this.#incomplete = true;
      return null;
    }
    const exchange: PendingExchange = {
      url,
      method,
      resourceType: type,
      requestHeaders: [],
      status: null,
      hiddenStatus: null,
      headers: [],
      wantsBody: matching.some(({ body }) => body),
      preflight: false,
      body: null,
      received: 0,
      finished: false,
      truncated: false,
      startedAt,
      endedAt: null,
    };
    this.#exchanges.push(exchange);
    return exchange;
  }

  #fetchBody(requestId: string, exchange: PendingExchange): void {
    // One after the other, because each may be large.
    this.#bodies = this.#bodies.then(async () => {
      const result = await this.#session.send('Network.getResponseBody', { requestId }).catch(() => null);
      // null: it was too long for the browser to keep.
      if (!this.#ended && result !== null)
        this.#setBody(exchange, Buffer.from(result.body, result.base64Encoded ? 'base64' : 'utf8'));
    });
  }

  #setBody(exchange: PendingExchange, whole: Buffer, undecoded = false): void {
    const maxBytes = MAX_BYTES - this.#bytes;
    const { body, length, truncated } = capturedBody(whole, exchange.headers, maxBytes, undecoded);
    if (length > 0) exchange.body = body;
    else exchange.body = truncated ? null : NO_BODY;
    exchange.truncated = truncated;
    this.#reserve(length);
  }

  /** @returns false: the limit is reached */
  #reserve(bytes: number): boolean {
    if (this.#bytes + bytes > MAX_BYTES) return false;
    this.#bytes += bytes;
    this.#memory.countUnreserved(bytes);
    return true;
  }
}

/** The headers of an exchange count as so many bytes. */
const HEADERS_BYTES = 2_048;

const CAPTURE_TRUNCATED = failure(
  'content.truncated',
  'The capture is incomplete: it holds at most 500 exchanges and 5 MiB, and only complete bodies.',
  { pointer: '/scraper_options/capture' },
);

const NO_BODY: CapturedBody = { text: '', bytes: null };

/** The exchange in its final form. `start`: when the first one began. Decides whether a missing body is empty, incomplete, or was never expected. */
function finishExchange(exchange: PendingExchange, start: number): CapturedExchange {
  const { wantsBody, preflight, hiddenStatus, received, finished, startedAt, endedAt, ...told } = exchange;
  const ms = (seconds: number) => Math.max(0, Math.round(seconds * 1_000));
  const durationMs = endedAt === null ? null : ms(endedAt - startedAt);
  const rest = { ...told, startedMs: ms(startedAt - start), durationMs };
  const status = rest.status ?? hiddenStatus;
  if (!wantsBody || rest.body !== null || status === null) return { ...rest, status };
  const length = headerValue(rest.headers, 'content-length');
  // Browsers do not read the body of a preflight response, so `received` is 0 in any case.
  const isEmpty = finished && received === 0 && !preflight && !(Number(length) > 0);
  if (isEmpty || rest.method === 'HEAD' || BODILESS_STATUSES.has(status) || length === '0')
    return { ...rest, status, body: NO_BODY };
  // Bodies of redirects, and of responses that the page did not receive, are never read. Any other body is still incomplete.
  const isIncomplete = !preflight && rest.status !== null && (status < 300 || status >= 400);
  return { ...rest, status, truncated: isIncomplete };
}

/** Responses without a body (RFC 9110 §15). */
const BODILESS_STATUSES = new Set([204, 205, 304]);

/** @param headers without cookies; used until the `ExtraInfo` event comes */
function setResponse(
  exchange: PendingExchange,
  { status, headers }: { readonly status: number; readonly headers: Record<string, string> },
): void {
  exchange.status = status;
  if (exchange.headers.length === 0) exchange.headers = toResponseHeaders(headers, undefined);
}

/** Replaces headers by those of the `ExtraInfo` events, which were really sent and received. */
function applyExtraInfo({ exchanges, requestHeaders, responseHeads }: RequestChain): void {
  exchanges.forEach((exchange, index) => {
    if (exchange === null) return;
    exchange.requestHeaders = requestHeaders[index] ?? exchange.requestHeaders;
    exchange.hiddenStatus = responseHeads[index]?.status ?? null;
    exchange.headers = responseHeads[index]?.headers ?? exchange.headers;
  });
}

/** Starts the capture, in a CDP session of its own because its buffer limits differ; null: the caller has set no filter. */
export async function startCapture(
  playwright: { readonly page: Page; readonly context: BrowserContext } | null,
  { task, reservation }: FetchRequest,
): Promise<NetworkCapture | null> {
  const { capture: filters } = task.options;
  if (filters.length === 0 || playwright === null) return null;
  const capture = new NetworkCapture(
    await playwright.context.newCDPSession(playwright.page),
    filters,
    reservation,
  );
  await capture.start();
  return capture;
}
