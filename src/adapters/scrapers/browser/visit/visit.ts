import type { CDPSession } from 'playwright-core';
import { type Failure, failure } from '../../../../domain/failure.ts';
import type { HeaderList, Hop } from '../../../../domain/fetched.ts';
import { GATEWAY_HEADER, type GatewayTrip, type GatewayUse } from '../../../../egress/gateway/gateway.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { Answer, Ending } from './answer.ts';
import { withCallers } from './first-headers.ts';
import { fieldOf, headerLines } from './header-lines.ts';
import { netFailure } from './net-failure.ts';
import { readRaw } from './raw-body.ts';
import { kindOf } from './shown-type.ts';

/** As `Fetch.requestPaused` tells it; only what is used here. */
interface Paused {
  readonly requestId: string;
  readonly networkId?: string;
  readonly frameId: string;
  readonly redirectedRequestId?: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Record<string, string>;
  };
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
}

const DOCUMENTS = { resourceType: 'Document' } as const;
/** Pauses every navigation before it is sent and before it is shown. */
const PATTERNS = [
  { ...DOCUMENTS, requestStage: 'Request' },
  { ...DOCUMENTS, requestStage: 'Response' },
] as const;

/**
 * Follows the main frame from request to request: judges each before it is sent, gives the first what the caller adds,
 * notes the answers, and decides which are shown and which are taken as bytes.
 */
export class Visit {
  readonly redirects: Hop[] = [];
  requestHeaders: HeaderList | null = null;
  /** Names of cookies that an answer set. */
  readonly setNames = new Set<string>();
  /** Bytes of a request may be out. */
  sent = false;
  /** Of the last head that came. */
  status: number | null = null;
  ttfbMs: number | null = null;
  /** The answer whose document is shown. */
  shown: Answer | null = null;
  /** Why the body of the shown document is not whole. */
  cut: Failure | null = null;
  /** Settles when there will be no document to read: a failure, or bytes. */
  readonly ended: Promise<Ending>;
  /** Called when the head of the first page has come. */
  onHead: () => void = () => {};
  readonly #end: (ending: Ending) => void;
  readonly #cdp: CDPSession;
  readonly #order: FetchOrder;
  readonly #use: GatewayUse;
  readonly #mainFrame: string;
  /** Of navigations that are under way or shown, by loader. */
  readonly #answers = new Map<string, Answer>();
  /** What the network told of the newest answer of a loader. */
  readonly #heads = new Map<string, HeaderList>();
  readonly #states = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #firstLoader: string | null = null;
  #followed = 0;
  #lastUrl = '';
  #lastError = 'net::ERR_FAILED';
  #takesBytes = false;
  /** Loaders of the main frame. */
  readonly #pending = new Set<string>();
  #sentAt = 0;

  constructor(cdp: CDPSession, mainFrame: string, order: FetchOrder, use: GatewayUse) {
    this.#cdp = cdp;
    this.#mainFrame = mainFrame;
    this.#order = order;
    this.#use = use;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
  }

  async begin(): Promise<void> {
    const cdp = this.#cdp;
    cdp.on('Network.requestWillBeSentExtraInfo', (event) => this.#onSent(event.requestId, event.headers));
    cdp.on('Network.responseReceivedExtraInfo', ({ requestId, headers, headersText }) => {
      const lines = headerLines(headers, headersText);
      for (const [name, value] of lines)
        if (name === 'set-cookie') this.setNames.add(value.split('=', 1)[0]!.trim());
      if (this.#pending.has(requestId)) this.#heads.set(requestId, lines);
    });
    cdp.on('Network.loadingFailed', ({ requestId, errorText }) => {
      if (this.#pending.has(requestId)) this.#lastError = errorText;
      if (requestId !== this.shown?.loaderId) return;
      this.cut = /DECODING/.test(errorText)
        ? failure('content.decode_failed', 'The content coding of the answer is broken.')
        : failure('content.incomplete', `The document broke off (${errorText}).`);
    });
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#mainFrame) return;
      if (frame.unreachableUrl === undefined) this.#onNavigated(frame.loaderId);
      // A page that led to nowhere: what stands there now is the browser's own.
      else if (this.shown !== null) this.#end({ failure: this.#failureOf(this.#lastError) });
    });
    cdp.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (frameId === this.#mainFrame && loaderId === this.shown?.loaderId) this.#reach(name);
    });
    cdp.on('Fetch.requestPaused', (event) => {
      // A context that is closed meanwhile refuses what is asked of it.
      this.#onPaused(event as Paused).catch(() => {});
    });
    await Promise.all([
      cdp.send('Network.enable'),
      cdp.send('Page.enable'),
      cdp.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      cdp.send('Fetch.enable', { patterns: [...PATTERNS] }),
    ]);
  }

  /** Starts the navigation; settles when a document is shown, or cannot be. Rejects with the browser. */
  async go(): Promise<void> {
    const { url } = this.#order.job;
    const { errorText, loaderId } = await this.#cdp.send('Page.navigate', { url });
    if (errorText === undefined) return;
    const answer = loaderId === undefined ? undefined : this.#answers.get(loaderId);
    if (answer !== undefined && /RESPONSE_CODE_FAILURE/.test(errorText))
      // An error without a body, in place of which the browser shows a page of its own.
      this.#end({ answer, body: new Uint8Array(0), cut: null });
    else if (!this.#takesBytes) this.#end({ failure: this.#failureOf(errorText) });
  }

  /** Settles when the document shown has reached the state: `DOMContentLoaded`, `load`. */
  reached(state: string): Promise<void> {
    if (this.#states.has(state)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(state, resolve));
  }

  /** The connection that the newest request of the main frame went over. */
  get trip(): GatewayTrip | null {
    return this.#tripTo(this.shown?.url ?? this.#lastUrl);
  }

  #tripTo(url: string): GatewayTrip | null {
    if (!URL.canParse(url)) return null;
    const { hostname, port, protocol } = new URL(url);
    return this.#use.tripTo(hostname, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));
  }

  #failureOf(errorText: string): Failure {
    const trip = this.#tripTo(this.#lastUrl);
    if (trip !== null && trip.remoteIp === null) this.sent = this.redirects.length > 0;
    const cause = netFailure(errorText, this.#lastUrl, trip);
    if (cause.code === 'tls.invalid') this.sent = this.redirects.length > 0;
    return cause;
  }

  #onSent(requestId: string, headers: Readonly<Record<string, string>>): void {
    if (!this.#pending.has(requestId)) return;
    const list = Object.entries(headers).map(([name, value]): [string, string] => [
      name.toLowerCase(),
      value,
    ]);
    this.requestHeaders = list.filter(([name]) => name !== 'proxy-connection');
  }

  #onNavigated(loaderId: string): void {
    const answer = this.#answers.get(loaderId);
    if (answer === undefined) return;
    if (this.shown !== null && this.shown !== answer)
      this.redirects.push({ url: this.shown.url, statusCode: null });
    this.shown = answer;
    this.cut = null;
    this.#states.clear();
    this.#reach('commit');
  }

  #reach(state: string): void {
    this.#states.add(state);
    this.#waiting.get(state)?.();
    this.#waiting.delete(state);
  }

  async #onPaused(event: Paused): Promise<void> {
    const { requestId } = event;
    if (event.frameId !== this.#mainFrame) {
      await this.#cdp.send('Fetch.continueRequest', { requestId });
    } else if (event.responseErrorReason !== undefined) {
      await this.#cdp.send('Fetch.continueRequest', { requestId });
    } else if (event.responseStatusCode === undefined) await this.#onRequest(event);
    else await this.#onAnswer(event, event.responseStatusCode);
  }

  async #onRequest(event: Paused): Promise<void> {
    const { requestId, request } = event;
    const loader = event.networkId ?? requestId;
    const url = new URL(request.url);
    this.#firstLoader ??= loader;
    this.#lastUrl = request.url;
    this.#pending.add(loader);
    const refusal = this.#order.allowUrl?.(url) ?? null;
    if (refusal !== null) {
      this.#end({ failure: refusal });
      await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    this.sent = true;
    this.#sentAt = performance.now();
    const own = loader === this.#firstLoader ? this.#callersPart(event, url) : {};
    await this.#cdp.send('Fetch.continueRequest', { requestId, ...own });
  }

  /** What the caller adds to the first navigation and its redirects. */
  #callersPart({ request, redirectedRequestId }: Paused, url: URL) {
    const { job } = this.#order;
    const first = redirectedRequestId === undefined;
    const method = first ? job.method : request.method;
    const hasBody = job.body !== null && (first || method === job.method) && method !== 'GET';
    const keepsOrigin = url.origin === new URL(job.url).origin;
    const headers = withCallers(request.headers, job, { keepsOrigin, hasBody });
    if (!first) return { headers };
    return {
      method,
      headers,
      ...(job.body === null ? {} : { postData: Buffer.from(job.body.bytes).toString('base64') }),
    };
  }

  async #onAnswer(event: Paused, status: number): Promise<void> {
    const { requestId, request } = event;
    const loaderId = event.networkId ?? requestId;
    const paused = (event.responseHeaders ?? []).map(({ name, value }): [string, string] => [
      name.toLowerCase(),
      value,
    ]);
    if (fieldOf(paused, GATEWAY_HEADER) === this.#use.nonce) {
      const cause = this.#tripTo(request.url)?.cause;
      this.sent = this.redirects.length > 0;
      this.#end({ failure: cause ?? failure('connect.reset', 'The target gave no answer.') });
      await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
      return;
    }
    this.status = status;
    this.ttfbMs = (this.ttfbMs ?? 0) + performance.now() - this.#sentAt;
    const headers = this.#heads.get(loaderId) ?? paused;
    const answer: Answer = { loaderId, url: request.url, method: request.method, status, headers };
    const location = fieldOf(headers, 'location');
    if (location !== null && location !== '' && [301, 302, 303, 307, 308].includes(status)) {
      await this.#onRedirect(requestId, answer, location);
      return;
    }
    this.onHead();
    this.#answers.set(loaderId, answer);
    const kind = kindOf(status, headers);
    const first = this.shown === null;
    const attached = /^\s*attachment/i.test(fieldOf(headers, 'content-disposition') ?? '');
    // What a page starts while it is shown, and what leaves it shown, is not what was asked for.
    if (!first && kind !== 'document' && (attached || status === 204 || status === 205)) {
      await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    } else if (kind === 'bytes') await this.#takeBytes(requestId, answer);
    else await this.#cdp.send('Fetch.continueRequest', { requestId });
  }

  async #onRedirect(requestId: string, answer: Answer, location: string): Promise<void> {
    const { job } = this.#order;
    if (!job.allowRedirects && answer.loaderId === this.#firstLoader) {
      this.onHead();
      this.#takesBytes = true;
      this.#end({ answer, body: new Uint8Array(0), cut: null });
      await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    this.redirects.push({ url: answer.url, statusCode: answer.status });
    const next = URL.parse(location, answer.url);
    const wrong =
      next === null || (next.protocol !== 'http:' && next.protocol !== 'https:')
        ? failure('redirect.invalid', 'The location of a redirect is not a URL of http or https.')
        : ++this.#followed > job.options.maxRedirects
          ? failure('redirect.too_many', `There were more than ${job.options.maxRedirects} redirects.`)
          : null;
    if (wrong === null) await this.#cdp.send('Fetch.continueRequest', { requestId });
    else {
      this.#end({ failure: wrong });
      await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    }
  }

  async #takeBytes(requestId: string, answer: Answer): Promise<void> {
    this.#takesBytes = true;
    const { room, deadline, job } = this.#order;
    const ask = { limit: job.options.maxContentBytes, room, signal: deadline.signal };
    const read = await readRaw(this.#cdp, requestId, answer, ask);
    this.#end('code' in read ? { failure: read } : { answer, ...read });
    await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }
}
