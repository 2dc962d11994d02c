import type { CDPSession } from 'playwright-core';
import type { ByteRoom } from '../../../../base/byte-room.ts';
import { type UrlGlob, urlGlob } from '../../../../base/url-glob.ts';
import type { CaptureFilter } from '../../../../domain/browser-options.ts';
import type { CapturedBody, CapturedExchange } from '../../../../domain/captured.ts';
import { type Failure, failure } from '../../../../domain/failure.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';
import type { RawAnswer } from '../visit/answer.ts';
import { fieldOf, headerLines, sentLines } from '../visit/header-lines.ts';
import { orAborted } from '../visit/raw-body.ts';
import { withoutCredentials } from '../visit/without-credentials.ts';
import { exchangeBody } from './exchange-body.ts';
import { resourceType } from './resource-type.ts';

/** Of everything together: URLs, headers and bodies. */
const MOST_BYTES = 5 * 2 ** 20;
const MOST_EXCHANGES = 500;
/** What the browser keeps for us until it is fetched; a longer body it throws away. */
const KEPT_BYTES = 4 * MOST_BYTES;

type Session = Pick<CDPSession, 'send' | 'on' | 'off'>;

/** An exchange under way. A redirect is one of its own. */
interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  requestHeaders: HeaderList;
  status: number | null;
  /** That of an answer which the page was not given: one that is delivered as bytes, or that leaves it as it is. */
  unseenStatus: number | null;
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
interface Chain {
  readonly hops: (Exchange | null)[];
  /** How many of the two kinds of late news have come: they are in the order of the hops, and may come before these. */
  sent: HeaderList[];
  received: { readonly status: number; readonly headers: HeaderList }[];
}

/** Notes what the page exchanges with its servers, as far as it fits a filter. To be made before the page loads anything. */
export class Capture {
  readonly #session: Session;
  readonly #filters: readonly (CaptureFilter & { readonly glob: UrlGlob })[];
  readonly #room: ByteRoom;
  readonly #chains = new Map<string, Chain>();
  readonly #exchanges: Exchange[] = [];
  #bytes = 0;
  #left = false;
  #ended = false;
  #bodies: Promise<void> = Promise.resolve();

  constructor(session: Session, filters: readonly CaptureFilter[], room: ByteRoom) {
    this.#session = session;
    this.#filters = filters.map((filter) => ({ ...filter, glob: urlGlob(filter.url) }));
    this.#room = room;
  }

  async begin(): Promise<void> {
    const session = this.#session;
    session.on('Network.requestWillBeSent', ({ requestId, request, type, initiator, redirectResponse }) => {
      const chain = this.#chainOf(requestId);
      const before = chain.hops.at(-1);
      if (redirectResponse !== undefined && before != null) answered(before, redirectResponse);
      const hop = this.#add(request.url, request.method, resourceType(type));
      if (hop !== null) {
        hop.requestHeaders = sentLines(request.headers);
        hop.preflight = initiator.type === 'preflight';
      }
      chain.hops.push(hop);
      settle(chain);
    });
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
      const chain = this.#chainOf(requestId);
      chain.sent.push(sentLines(headers));
      settle(chain);
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers, headersText }) => {
      const chain = this.#chainOf(requestId);
      chain.received.push({ status: statusCode, headers: headerLines(headers, headersText) });
      settle(chain);
    });
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const hop = this.#chainOf(requestId).hops.at(-1);
      if (hop != null) answered(hop, response);
      settle(this.#chainOf(requestId));
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const hop = this.#chainOf(requestId).hops.at(-1);
      if (hop != null) hop.received += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId }) => {
      const hop = this.#chainOf(requestId).hops.at(-1);
      if (hop == null) return;
      hop.finished = true;
      if (hop.wantsBody && !this.#ended) this.#fetchBody(requestId, hop);
    });
    await session.send('Network.enable', {
      maxTotalBufferSize: KEPT_BYTES,
      maxResourceBufferSize: MOST_BYTES,
    });
  }

  /** The body of an answer that the browser does not show was read elsewhere. */
  took({ answer, body, cut, undecoded }: RawAnswer): void {
    const exchange = this.#chains.get(answer.loaderId)?.hops.at(-1);
    if (!exchange?.wantsBody) return;
    this.#keep(exchange, Buffer.from(body), undecoded);
    exchange.truncated ||= cut !== null;
  }

  /** What came of it. Bodies that are under way are waited for, until the signal. */
  async end(signal: AbortSignal): Promise<{ network: readonly CapturedExchange[]; failure: Failure | null }> {
    await orAborted(this.#bodies, signal).catch(() => {});
    this.#ended = true;
    const network = this.#exchanges.map(asTold);
    const missing = this.#left || network.some(({ truncated }) => truncated);
    return { network, failure: missing ? CUT : null };
  }

  #chainOf(requestId: string): Chain {
    const known = this.#chains.get(requestId);
    if (known !== undefined) return known;
    const chain: Chain = { hops: [], sent: [], received: [] };
    this.#chains.set(requestId, chain);
    return chain;
  }

  #add(given: string, method: string, type: string): Exchange | null {
    const url = withoutCredentials(given);
    const fitting = this.#filters.filter(
      (filter) =>
        (filter.method === null || filter.method === method) &&
        (filter.resourceType === null || filter.resourceType === type) &&
        filter.glob.matches(url),
    );
    if (fitting.length === 0 || this.#ended) return null;
    if (this.#exchanges.length === MOST_EXCHANGES || !this.#count(url.length + HEADERS_BYTES)) {
      this.#left = true;
      return null;
    }
    const exchange: Exchange = {
      ...{
        url,
        method,
        resourceType: type,
        requestHeaders: [],
        status: null,
        unseenStatus: null,
        headers: [],
      },
      ...{ wantsBody: fitting.some(({ body }) => body), preflight: false, body: null },
      ...{ received: 0, finished: false, truncated: false },
    };
    this.#exchanges.push(exchange);
    return exchange;
  }

  #fetchBody(requestId: string, exchange: Exchange): void {
    // One after the other: each may be large.
    this.#bodies = this.#bodies.then(async () => {
      const got = await this.#session.send('Network.getResponseBody', { requestId }).catch(() => null);
      // The browser does not keep what is too long.
      if (!this.#ended && got !== null)
        this.#keep(exchange, Buffer.from(got.body, got.base64Encoded ? 'base64' : 'utf8'));
    });
  }

  #keep(exchange: Exchange, whole: Buffer, undecoded = false): void {
    const most = MOST_BYTES - this.#bytes;
    const { body, length, truncated } = exchangeBody(whole, exchange.headers, most, undecoded);
    if (length > 0) exchange.body = body;
    else exchange.body = truncated ? null : NONE;
    exchange.truncated = truncated;
    this.#count(length);
  }

  /** False: there is no more room. */
  #count(bytes: number): boolean {
    if (this.#bytes + bytes > MOST_BYTES) return false;
    this.#bytes += bytes;
    this.#room.count(bytes);
    return true;
  }
}

/** What the headers of an exchange count for. */
const HEADERS_BYTES = 2_048;

const CUT = failure(
  'content.truncated',
  'The capture is incomplete: it holds at most 500 exchanges and 5 MiB, and only complete bodies.',
  { pointer: '/scraper_options/capture' },
);

const NONE: CapturedBody = { text: '', bytes: null };

function asTold(exchange: Exchange): CapturedExchange {
  const { wantsBody, preflight, unseenStatus, received, finished, ...one } = exchange;
  const status = one.status ?? unseenStatus;
  if (!wantsBody || one.body !== null || status === null) return { ...one, status };
  const length = fieldOf(one.headers, 'content-length');
  // The body of a preflight's answer is read by nobody, so that none was received says nothing of it.
  const nothing = finished && received === 0 && !preflight && !(Number(length) > 0);
  if (nothing || one.method === 'HEAD' || BARE.has(status) || length === '0')
    return { ...one, status, body: NONE };
  // Of an answer that has not ended there is more to come. Those of redirects, and what is kept from the page, nobody reads.
  const isRead = !preflight && one.status !== null && (status < 300 || status >= 400);
  return { ...one, status, truncated: isRead };
}

/** Answers that have no body (RFC 9110 §15). */
const BARE = new Set([204, 205, 304]);

function answered(
  exchange: Exchange,
  { status, headers }: { readonly status: number; readonly headers: Record<string, string> },
): void {
  exchange.status = status;
  if (exchange.headers.length === 0) exchange.headers = headerLines(headers, undefined);
}

/** The news of what really went over the wire, to the hops that they are about. */
function settle({ hops, sent, received }: Chain): void {
  hops.forEach((hop, at) => {
    if (hop === null) return;
    hop.requestHeaders = sent[at] ?? hop.requestHeaders;
    hop.unseenStatus = received[at]?.status ?? null;
    hop.headers = received[at]?.headers ?? hop.headers;
  });
}
