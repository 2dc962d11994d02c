import { type Failure, failure } from '../../domain/failure.ts';
import { isRepeatable } from '../../domain/job.ts';
import type { Egress } from '../../egress/egress.ts';
import type { ConnectionLog, GatewaySession } from '../../egress/gateway/gateway.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import { type CdpSession, enableDomains } from '../engine/cdp-session.ts';
import { NonUtf8Cookies, SetCookieLog } from './cookies.ts';
import { setFetchedCookies } from './intercepted-response.ts';
import { Navigation, NavigationTracker, NavigationWaiter } from './navigation.ts';
import { RequestInterceptor } from './request-interception.ts';
import { initialCallerRequest, type OriginAuthorization, type PopupRequest } from './request-overrides.ts';
import {
  type NavigationOutcome,
  type NavigationResponse,
  toRequestHeaders,
  toResponseHeaders,
  withoutUserinfo,
} from './response.ts';

/** How far the document that is shown has come. */
class DocumentLifecycle {
  readonly #states = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Another document is shown. */
  reset(): void {
    this.#states.clear();
    this.record('commit');
  }

  record(state: string): void {
    this.#states.add(state);
    for (const go of this.#waiting.get(state) ?? []) go();
    this.#waiting.delete(state);
  }

  /** Settles when the document has reached the state: `commit`, `DOMContentLoaded`, `load`. */
  waitFor(state: string): Promise<void> {
    if (this.#states.has(state)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(state);
      if (waiting === undefined) this.#waiting.set(state, [resolve]);
      else waiting.push(resolve);
    });
  }
}

/** So many are told. */
const MAX_DOWNLOADS = 20;

/** Follows the main frame of a page: where it goes, what is answered, and which document is shown. */
export class MainFrame {
  readonly navigations = new NavigationTracker();
  /** Only where the caller gave cookies, which these are to be told from. */
  readonly setCookies = new SetCookieLog();
  readonly nonUtf8Cookies = new NonUtf8Cookies();
  /** URLs of files that the page wanted to be kept: of those that leave it shown. */
  readonly downloads = new Set<string>();
  /**
   * Called when the attempt's share of the time counts no more: a page has begun to come, or bytes of a request that is
   * sent once are out.
   */
  readonly #onHead: () => void;
  readonly #session: CdpSession;
  readonly #request: FetchRequest;
  readonly #mainFrame: string;
  readonly #interceptor: RequestInterceptor;
  readonly #lifecycle = new DocumentLifecycle();
  /** Of the document that stands in the main frame, whose states count. */
  #loaderId = '';
  readonly #navigationWaiter: NavigationWaiter;

  constructor(
    session: CdpSession,
    mainFrame: string,
    order: FetchRequest,
    {
      gateway,
      judge,
      onResponseHead,
    }: { gateway: GatewaySession; judge: Egress['judge']; onResponseHead: () => void },
  ) {
    this.#session = session;
    this.#mainFrame = mainFrame;
    this.#request = order;
    this.#onHead = onResponseHead;
    this.#interceptor = new RequestInterceptor(session, order, { gateway, judge }, this.navigations);
    this.#interceptor.onResponseHead = onResponseHead;
    this.#interceptor.onDownload = (url) => this.#addDownload(url);
    this.#navigationWaiter = new NavigationWaiter(session, mainFrame, this.navigations);
  }

  /** @param told the browser tells of the page already: see `startTelling` */
  async start(told: boolean): Promise<void> {
    const session = this.#session;
    const { navigations } = this;
    const { cookies, options } = this.#request.job;
    if (cookies.length > 0 || options.storageState !== null) this.setCookies.listen(session);
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
      const nav = navigations.find(requestId);
      if (nav === undefined) return;
      nav.requestHeaders = toRequestHeaders(headers);
      if (nav.callerRequest !== null && !isRepeatable(this.#request.job.method)) this.#onHead();
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers, headersText }) => {
      navigations.find(requestId)?.setResponseHead(statusCode, headers, headersText);
      this.nonUtf8Cookies.record(headers);
    });
    session.on('Network.responseReceived', ({ requestId, frameId, type, response }) => {
      if (type !== 'Document' || frameId !== this.#mainFrame) return;
      // What a page made itself (`blob:`, `about:`) belongs to the answer that made the page.
      if (!response.url.startsWith('http')) return;
      const nav = navigations.find(requestId) ?? this.#addUnseen(requestId, response);
      const { sslStart = -1, sslEnd = -1 } = response.timing ?? {};
      if (sslStart >= 0) nav.tlsMs = sslEnd - sslStart;
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const nav = navigations.find(requestId);
      if (nav !== undefined) nav.receivedBytes += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId }) => navigations.find(requestId)?.bodyFinished());
    session.on('Network.loadingFailed', ({ requestId, errorText }) => {
      const nav = navigations.find(requestId);
      if (nav !== undefined) this.#onLoadingFailed(nav, errorText);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#mainFrame) return;
      if (frame.unreachableUrl === undefined) this.#onNavigated(frame.loaderId);
      // A page that led to nowhere: what stands there now is the browser's own.
      else if (navigations.committed !== null && navigations.latest !== null)
        void this.#interceptor.navigationAborted(navigations.latest, navigations.latest.error);
    });
    session.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (frameId === this.#mainFrame && loaderId === this.#loaderId) this.#lifecycle.record(name);
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.#mainFrame) this.#onStoppedLoading();
    });
    session.on('Page.downloadWillBegin', ({ url }) => this.#addDownload(url));
    session.on('Fetch.requestPaused', (event) => {
      // Only where something is blocked; see `Blocker`.
      if (event.resourceType !== 'Document') return;
      if (event.frameId === this.#mainFrame) void this.#interceptor.onRequestPaused(event);
      // A frame that is gone meanwhile needs nothing.
      else session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {});
    });
    // Nobody is there to sign in: the page that asks for it is the answer.
    session.on('Fetch.authRequired', ({ requestId }) => {
      const authChallengeResponse = { response: 'CancelAuth' } as const;
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
    });
    if (!told) await enableDomains(session);
  }

  /** Starts the navigation; settles when a document is shown, or cannot be. Rejects with the browser. */
  async navigate(): Promise<void> {
    const { job, document } = this.#request;
    const first = initialCallerRequest(job);
    if (document == null) return await this.#interceptor.navigate(first, null);
    this.setCookies.add(document.page.cookies);
    await setFetchedCookies(this.#session, document);
    const { finalUrl } = document.page;
    const keepsAuthorization = new URL(finalUrl).origin === new URL(job.url).origin;
    await this.#interceptor.navigate({ ...first, url: finalUrl, keepsAuthorization }, null);
  }

  /** The document that was fetched before has been shown, in place of being fetched again. */
  get usedFetchedDocument(): boolean {
    return this.#interceptor.usedFetchedDocument;
  }

  /** Settles when there will be no document to read: a failure, or bytes. */
  get outcome(): Promise<NavigationOutcome> {
    return this.#interceptor.outcome;
  }

  /** See `RequestInterceptor`. */
  set onLost(told: ((why: Failure) => void) | null) {
    this.#interceptor.onLost = told;
  }

  /** See `RequestInterceptor`. */
  set credentials(of: OriginAuthorization | null) {
    this.#interceptor.credentials = of;
  }

  /** The body of an answer is being read as bytes: when the time is up, what came of it is a page. */
  get isReadingBody(): boolean {
    return this.#interceptor.isReadingBody;
  }

  /** Settles when the document shown has reached the state: `commit`, `DOMContentLoaded`, `load`. */
  waitForLoadState(state: string): Promise<void> {
    return this.#lifecycle.waitFor(state);
  }

  /** The page may be on its way to another one: settles when it leads nowhere any more. true: another one is shown. */
  waitForNavigation(signal: AbortSignal): Promise<boolean> {
    return this.#navigationWaiter.waitForNavigation(signal);
  }

  /** The page is on its way to another one. */
  get isNavigating(): boolean {
    const { committed, latest } = this.navigations;
    return latest !== committed && latest !== null && !latest.abandoned;
  }

  /** The scrape may not go there. */
  isForbidden(url: string): boolean {
    const { allowUrl } = this.#request;
    return allowUrl !== null && URL.canParse(url) && allowUrl(new URL(url)) !== null;
  }

  /** Goes where a window of the page was to go. Settles when that is shown, or will not be. Rejects with the browser. */
  followPopup(request: PopupRequest): Promise<void> {
    return this.#interceptor.followPopup(request);
  }

  /** See `NavigationWaiter`: `moved` waits for that. */
  expectNavigation(loadedMs: number): void {
    this.#navigationWaiter.expectNavigation(loadedMs);
  }

  /** From now on the page that is shown cannot be left. */
  blockNavigation(): void {
    this.#interceptor.blocksNavigation = true;
  }

  /**
   * The time for following the page is up: what it leads to and has not answered yet is given up. Until then browsers do not let
   * the page that is shown be read.
   */
  stopNavigation(): void {
    const { committed, latest } = this.navigations;
    if (
      committed === null ||
      latest === null ||
      latest === committed ||
      latest.abandoned ||
      this.isReadingBody
    )
      return;
    this.blockNavigation();
    this.#session.send('Page.stopLoading').catch(() => {});
  }

  /** The answer whose document is shown. */
  get response(): NavigationResponse | null {
    return this.navigations.committed?.response ?? null;
  }

  /** Why the body of the shown document is not whole. */
  get cut(): Failure | null {
    return this.navigations.committed?.cut ?? null;
  }

  /** All of the source of the shown document has come. */
  get isComplete(): boolean {
    return this.navigations.committed !== null && this.navigations.committed.downloadMs !== null;
  }

  /** Of the shown document not a byte came: all that is in it was made by the browser. */
  get isEmpty(): boolean {
    const { committed } = this.navigations;
    return (
      committed !== null &&
      committed.receivedBytes === 0 &&
      committed.downloadMs !== null &&
      this.cut === null
    );
  }

  /** Status of the last head that came. */
  get status(): number | null {
    return this.#interceptor.status;
  }

  /** The connection that the decisive request went over. */
  get connection(): ConnectionLog | null {
    const nav = this.navigations.decisive;
    return nav === null ? null : this.#interceptor.connectionTo(nav.url);
  }

  /** Bytes of a request may be out. */
  get requestSent(): boolean {
    const { latest, committed } = this.navigations;
    if (latest === null) return false;
    if (committed !== null || latest.redirects.length > 0) return true;
    return !this.#interceptor.tlsRefused && this.#interceptor.hadConnection(latest.url);
  }

  dispose(): void {
    this.navigations.dispose();
  }

  #addDownload(url: string): void {
    if (this.downloads.size < MAX_DOWNLOADS) this.downloads.add(withoutUserinfo(url));
  }

  #onLoadingFailed(nav: Navigation, errorText: string): void {
    nav.error = errorText;
    const undecodable = /DECODING/.test(errorText);
    if (undecodable)
      nav.setTruncated(failure('content.decode_failed', 'The content coding of the response is broken.'));
    if (undecodable && nav.receivedBytes === 0) void this.#interceptor.navigationAborted(nav, errorText);
    else if (nav === this.navigations.committed) {
      nav.bodyFinished();
      this.#endLoading();
      nav.setTruncated(failure('content.incomplete', `The document ended early (${errorText}).`));
    } else if (this.navigations.committed !== null && errorText === 'net::ERR_ABORTED')
      this.#navigationWaiter.navigationAborted(nav);
  }

  /**
   * The browser loads no more: mostly because all is there. It also stops for good in the midst of a document, by
   * `window.stop()` and when the page leads to what cannot be shown (`mailto:`, a download).
   */
  #onStoppedLoading(): void {
    const { committed, latest } = this.navigations;
    if (committed !== null && (latest === committed || latest?.abandoned === true)) this.#endLoading();
  }

  /** Browsers do not call such a document loaded, however long they are waited for. */
  #endLoading(): void {
    for (const state of ['DOMContentLoaded', 'load']) this.#lifecycle.record(state);
  }

  /** A document that came from the page's own worker: no request of it went out. */
  #addUnseen(
    loaderId: string,
    { url, status, headers }: { url: string; status: number; headers: Record<string, string> },
  ): Navigation {
    const nav = new Navigation(loaderId, null, url, 'GET');
    nav.response = { loaderId, url, method: 'GET', status, headers: toResponseHeaders(headers, undefined) };
    this.navigations.add(nav);
    return nav;
  }

  #onNavigated(loaderId: string): void {
    const nav = this.navigations.find(loaderId);
    if (nav === undefined && this.navigations.committed !== null) {
      // What a page made itself (`blob:`, `about:`): it has states of its own, and the answer of what made it.
      if (loaderId !== this.#loaderId) this.#lifecycle.reset();
      this.#loaderId = loaderId;
      return;
    }
    if (nav === undefined || nav.response === null || !this.navigations.commit(nav)) return;
    this.#loaderId = loaderId;
    this.#lifecycle.reset();
    this.#navigationWaiter.navigationCommitted();
  }
}
