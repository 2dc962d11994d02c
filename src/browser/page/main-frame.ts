import { type Failure, failure } from '../../domain/failure.ts';
import { MAX_DOWNLOADS } from '../../domain/files.ts';
import { isRepeatable } from '../../domain/task.ts';
import type { Egress } from '../../egress/egress.ts';
import type { ConnectionLog, GatewaySession } from '../../egress/gateway/gateway.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { BrowserProxy } from '../engine/browser-network.ts';
import { type CdpSession, enableDomains } from '../engine/cdp-session.ts';
import { NonUtf8Cookies, SetCookieLog } from './cookies.ts';
import { DownloadRequests } from './downloads.ts';
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

/** The load states that the shown document has reached. */
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
    for (const resolve of this.#waiting.get(state) ?? []) resolve();
    this.#waiting.delete(state);
  }

  /** @param state `commit`, `DOMContentLoaded` or `load` */
  waitFor(state: string): Promise<void> {
    if (this.#states.has(state)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(state);
      if (waiting === undefined) this.#waiting.set(state, [resolve]);
      else waiting.push(resolve);
    });
  }
}

/** Tracks the main frame of a page: its navigations, their responses, and which document is shown. */
export class MainFrame {
  readonly navigations = new NavigationTracker();
  /** Filled only if the caller has set cookies, to tell the target's cookies from the caller's. */
  readonly setCookies = new SetCookieLog();
  readonly nonUtf8Cookies = new NonUtf8Cookies();
  /** URLs of downloads that the page has started, while its document stayed. */
  readonly downloads = new Set<string>();
  readonly downloadRequests = new DownloadRequests();
  /**
   * Called when no other attempt can follow any more: for the response to the caller's request, or when a request that must not be
   * repeated is sent. From then on, `FetchRequest.attemptDeadline` no longer applies.
   */
  readonly #onResponseHead: () => void;
  readonly #session: CdpSession;
  readonly #request: FetchRequest;
  readonly #frameId: string;
  readonly #proxy: BrowserProxy | null;
  readonly #interceptor: RequestInterceptor;
  readonly #lifecycle = new DocumentLifecycle();
  /** The loader of the shown document. */
  #loaderId = '';
  readonly #navigationWaiter: NavigationWaiter;

  constructor(
    session: CdpSession,
    frameId: string,
    request: FetchRequest,
    {
      gateway,
      checkTarget,
      onResponseHead,
      proxy,
    }: {
      gateway: GatewaySession;
      checkTarget: Egress['checkTarget'];
      onResponseHead: () => void;
      proxy: BrowserProxy | null;
    },
  ) {
    this.#proxy = proxy;
    this.#session = session;
    this.#frameId = frameId;
    this.#request = request;
    this.#onResponseHead = onResponseHead;
    this.#interceptor = new RequestInterceptor(session, request, { gateway, checkTarget }, this.navigations);
    this.#interceptor.onResponseHead = onResponseHead;
    this.#interceptor.onDownload = (url) => this.#addDownload(url);
    this.#navigationWaiter = new NavigationWaiter(session, frameId, this.navigations);
  }

  /** Starts listening to the session. @param cdpDomainsEnabled `enableDomains` has been called for the session already */
  async start(cdpDomainsEnabled: boolean): Promise<void> {
    const { cookies, options } = this.#request.task;
    if (cookies.length > 0 || options.storageState !== null) this.setCookies.listen(this.#session);
    this.#listenToNetwork();
    this.#listenToPage();
    this.#listenToFetch();
    if (!cdpDomainsEnabled) await enableDomains(this.#session);
  }

  #listenToNetwork(): void {
    const session = this.#session;
    const { navigations } = this;
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
      const nav = navigations.byLoaderId(requestId);
      if (nav === undefined) return;
      nav.requestHeaders = toRequestHeaders(headers);
      // A request that must not be repeated is being sent: no other attempt can follow.
      if (nav.callerRequest !== null && !isRepeatable(this.#request.task.method)) this.#onResponseHead();
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers, headersText }) => {
      navigations.byLoaderId(requestId)?.setResponseHead(statusCode, headers, headersText);
      this.nonUtf8Cookies.record(headers);
    });
    session.on('Network.responseReceived', ({ requestId, frameId, type, response }) => {
      if (type !== 'Document' || frameId !== this.#frameId) return;
      // Documents that a page makes itself (`blob:`, `about:`) have no response of their own.
      if (!response.url.startsWith('http')) return;
      const nav = navigations.byLoaderId(requestId) ?? this.#addFromServiceWorker(requestId, response);
      const { sslStart = -1, sslEnd = -1 } = response.timing ?? {};
      if (sslStart >= 0) nav.tlsMs = sslEnd - sslStart;
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const nav = navigations.byLoaderId(requestId);
      if (nav !== undefined) nav.receivedBytes += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId }) =>
      navigations.byLoaderId(requestId)?.bodyFinished(),
    );
    session.on('Network.loadingFailed', ({ requestId, errorText }) => {
      const nav = navigations.byLoaderId(requestId);
      if (nav !== undefined) this.#onLoadingFailed(nav, errorText);
    });
  }

  #listenToPage(): void {
    const session = this.#session;
    const { navigations } = this;
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#frameId) return;
      if (frame.unreachableUrl === undefined) this.#onNavigated(frame.loaderId);
      // A navigation of the page failed, and the browser shows an error page.
      else if (navigations.committed !== null && navigations.latest !== null)
        void this.#interceptor.navigationAborted(navigations.latest, navigations.latest.error);
    });
    session.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (frameId === this.#frameId && loaderId === this.#loaderId) this.#lifecycle.record(name);
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.#frameId) this.#onStoppedLoading();
    });
    session.on('Page.downloadWillBegin', ({ url }) => this.#addDownload(url));
  }

  #listenToFetch(): void {
    const session = this.#session;
    session.on('Fetch.requestPaused', (event) => {
      // Requests of other types are paused only for `RequestBlocker`.
      if (event.resourceType !== 'Document') return;
      this.downloadRequests.onPaused(event);
      const { requestId, networkId, responseStatusCode, request } = event;
      // Without a `networkId` it is a download, which may be delivered.
      if (networkId === undefined && responseStatusCode === undefined && this.isForbidden(request.url)) {
        session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {});
        return;
      }
      if (event.frameId === this.#frameId) void this.#interceptor.onRequestPaused(event);
      // The frame may be gone meanwhile.
      else session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {});
    });
    // Nobody can enter a password, so the page gets the 401 response.
    session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
      // Only the guard has a password, for remote browsers.
      const { username, password } = this.#proxy ?? {};
      const authChallengeResponse =
        authChallenge.source === 'Proxy' && username !== undefined && password !== undefined
          ? ({ response: 'ProvideCredentials', username, password } as const)
          : ({ response: 'CancelAuth' } as const);
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
    });
  }

  /** Navigates to the URL of the task. Settles when a document is shown, or no document can be. Rejects when the browser ends. */
  async navigate(): Promise<void> {
    const { task, document } = this.#request;
    const initialRequest = initialCallerRequest(task);
    if (document == null) return await this.#interceptor.navigate(initialRequest);
    this.setCookies.add(document.page.cookies);
    await setFetchedCookies(this.#session, document);
    const { finalUrl } = document.page;
    // The caller's credentials must not reach another origin, even if the fetched document was redirected there.
    const keepsAuthorization = new URL(finalUrl).origin === new URL(task.url).origin;
    await this.#interceptor.navigate({ ...initialRequest, url: finalUrl, keepsAuthorization });
  }

  /** The browser shows the document that another scraper has fetched (`FetchRequest.document`). */
  get usedFetchedDocument(): boolean {
    return this.#interceptor.usedFetchedDocument;
  }

  /** Settles if there is no document to read: with a failure, or with a body that the browser does not show. */
  get outcome(): Promise<NavigationOutcome> {
    return this.#interceptor.outcome;
  }

  /** See `RequestInterceptor`. */
  set onNavigationFailed(callback: ((reason: Failure) => void) | null) {
    this.#interceptor.onNavigationFailed = callback;
  }

  /** See `RequestInterceptor`. */
  set credentials(credentials: OriginAuthorization | null) {
    this.#interceptor.credentials = credentials;
  }

  /** The browser saves downloads that the page starts. */
  saveDownloads(): void {
    this.#interceptor.savesDownloads = true;
  }

  /** A body that the browser does not show is being read. At the deadline, the received part is delivered. */
  get isReadingBody(): boolean {
    return this.#interceptor.isReadingBody;
  }

  /** Settles when the shown document has reached the state. @param state `commit`, `DOMContentLoaded` or `load` */
  waitForLoadState(state: string): Promise<void> {
    return this.#lifecycle.waitFor(state);
  }

  /** Waits while the page is going to navigate. @returns true: another document is shown */
  waitForNavigation(signal: AbortSignal): Promise<boolean> {
    return this.#navigationWaiter.waitForNavigation(signal);
  }

  get isNavigating(): boolean {
    return this.navigations.pending !== null;
  }

  /** See `RequestInterceptor`. */
  connectionRefused(refusal: ConnectionLog): void {
    this.#interceptor.connectionRefused(refusal);
  }

  /** `FetchRequest.allowUrl` refuses this URL. */
  isForbidden(url: string): boolean {
    const { allowUrl } = this.#request;
    return allowUrl !== null && URL.canParse(url) && allowUrl(new URL(url)) !== null;
  }

  /** Navigates the page to the URL of a popup. Settles when its document is shown, or cannot be. Rejects when the browser ends. */
  navigateToPopupUrl(request: PopupRequest): Promise<void> {
    return this.#interceptor.navigateToPopupUrl(request);
  }

  /** `waitForNavigation` waits for a navigation soon after the page was loaded; see `NavigationWaiter`. */
  expectNavigation(loadedMs: number): void {
    this.#navigationWaiter.expectNavigation(loadedMs);
  }

  /** From now on the page cannot navigate. */
  blockNavigation(): void {
    this.#interceptor.blocksNavigation = true;
  }

  /** Aborts a navigation without a response. As long as it lasts, browsers do not let the shown document be read. */
  stopNavigation(): void {
    const { committed, pending } = this.navigations;
    if (committed === null || pending === null || this.isReadingBody) return;
    this.blockNavigation();
    this.#session.send('Page.stopLoading').catch(() => {});
  }

  /** The response whose document is shown. */
  get response(): NavigationResponse | null {
    return this.navigations.committed?.response ?? null;
  }

  /** Why the shown document is incomplete; null: no reason is known. */
  get cut(): Failure | null {
    return this.navigations.committed?.cut ?? null;
  }

  /** The source of the shown document has been received completely. */
  get isComplete(): boolean {
    return this.navigations.committed !== null && this.navigations.committed.downloadMs !== null;
  }

  /** The response of the shown document had no body: the browser has made the document. */
  get isEmpty(): boolean {
    const { committed } = this.navigations;
    return (
      committed !== null &&
      committed.receivedBytes === 0 &&
      committed.downloadMs !== null &&
      this.cut === null
    );
  }

  /** HTTP status of the last response. */
  get status(): number | null {
    return this.#interceptor.status;
  }

  /** The connection of the request whose response is the result. */
  get connection(): ConnectionLog | null {
    const nav = this.navigations.decisive;
    return nav === null ? null : this.#interceptor.connectionTo(nav.url);
  }

  /** Bytes of a request may have been sent. */
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
    const isUndecodable = /DECODING/.test(errorText);
    if (isUndecodable)
      nav.setCut(failure('content.decode_failed', 'The content coding of the response is broken.'));
    if (isUndecodable && nav.receivedBytes === 0) void this.#interceptor.navigationAborted(nav, errorText);
    else if (nav === this.navigations.committed) {
      nav.bodyFinished();
      this.#endLoading();
      nav.setCut(failure('content.incomplete', `The document ended early (${errorText}).`));
    } else if (this.navigations.committed !== null && errorText === 'net::ERR_ABORTED')
      this.#navigationWaiter.navigationAborted(nav);
  }

  /**
   * The browser has stopped loading, mostly because it is finished. It also stops in the middle of a document, after
   * `window.stop()` and when the page navigates to something that cannot be shown (`mailto:`, a download).
   */
  #onStoppedLoading(): void {
    const { committed, latest } = this.navigations;
    if (committed !== null && (latest === committed || latest?.abandoned === true)) this.#endLoading();
  }

  /** Browsers never report `load` for a document whose loading was stopped. */
  #endLoading(): void {
    for (const state of ['DOMContentLoaded', 'load']) this.#lifecycle.record(state);
  }

  /** A document from a service worker: there was no request that could be paused. */
  #addFromServiceWorker(
    loaderId: string,
    { url, status, headers }: { url: string; status: number; headers: Record<string, string> },
  ): Navigation {
    const nav = new Navigation(loaderId, null, url, 'GET');
    nav.response = { loaderId, url, method: 'GET', status, headers: toResponseHeaders(headers, undefined) };
    this.navigations.add(nav);
    return nav;
  }

  #onNavigated(loaderId: string): void {
    const nav = this.navigations.byLoaderId(loaderId);
    if (nav === undefined && this.navigations.committed !== null) {
      // A document that a page has made itself (`blob:`, `about:`) has its own load states, and the response of that page.
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
