import { orTimeout } from '../../base/wait.ts';
import { isAttachment } from '../../content/charset/file-name.ts';
import { type Failure, isFailure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import type { Egress } from '../../egress/egress.ts';
import type { ConnectionLog, GatewaySession } from '../../egress/gateway/gateway.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import {
  type CdpSession,
  isPausedNavigation,
  type PausedNavigation,
  pausedResponseHeaders,
  pausedUrl,
  protocolErrorOf,
  type RequestPausedEvent,
} from '../engine/cdp-session.ts';
import {
  fulfillWithBody,
  fulfillWithFetched,
  isHstsRedirect,
  isSniffedHtml,
  redirectWithoutBody,
  takeResponseBody,
} from './intercepted-response.ts';
import { Navigation, type NavigationTracker } from './navigation.ts';
import { nextRedirect } from './next-redirect.ts';
import {
  authorizationOverrides,
  type CallerRequest,
  callerOverrides,
  hostAndPort,
  type OriginAuthorization,
  type PopupRequest,
  postOverrides,
} from './request-overrides.ts';
import {
  type NavigationOutcome,
  type NavigationResponse,
  type RawResponse,
  redirectLocation,
  responseHandling,
  responseKind,
} from './response.ts';
import { TappedResponse } from './response-body.ts';
import { navigationFailure, protocolFailure } from './scrape-failure.ts';

/** How long the browser may take to pause a response whose body the gateway has read. It may also drop the response. */
const PAUSE_TIMEOUT_MS = 500;
/** Codes of failures that are also reported when the browser itself has blocked the URL, for example its port. */
const CONNECTION_FAILURE = /^(?:connect\.|http\.protocol)/;
const NO_CONTENT_STATUSES = new Set([204, 205]);

const isPolicyFailure = ({ code }: Failure): boolean => code.startsWith('policy.');

/**
 * Intercepts the requests of the main frame and their responses. Each request is checked before it is sent, and the caller's
 * method, headers and body are added. Each response is followed as a redirect, shown, or read as bytes.
 */
export class RequestInterceptor {
  /** Settles if the scrape ends without a document: with a failure, or with a body that the browser does not show. */
  readonly outcome: Promise<NavigationOutcome>;
  /** Status of the last response. */
  status: number | null = null;
  /** The browser rejected the certificate, so no request was sent. */
  tlsRefused = false;
  /** A body is being read that the browser does not show, such as JSON or a PDF. */
  isReadingBody = false;
  /** Called for the response to the caller's request; from then on, `FetchRequest.attemptDeadline` no longer applies. */
  onResponseHead: () => void = () => {};
  /**
   * Set while an action navigates. Called when that navigation fails and the shown document stays. A navigation to a forbidden
   * URL ends the scrape instead.
   */
  onNavigationFailed: ((reason: Failure) => void) | null = null;
  /** Credentials in the URL that an action navigates to; sent to its origin only. */
  credentials: OriginAuthorization | null = null;
  /** Called for a download that the page starts; its document stays. */
  onDownload: (url: string) => void = () => {};
  /** The browser saves downloads that the page starts. Otherwise they are aborted. */
  savesDownloads = false;
  /** The page may not navigate any more, because its document is being read. */
  blocksNavigation = false;
  readonly #resolveOutcome: (outcome: NavigationOutcome) => void;
  readonly #session: CdpSession;
  readonly #request: FetchRequest;
  readonly #gateway: GatewaySession;
  readonly #checkTarget: Egress['checkTarget'];
  readonly #navigations: NavigationTracker;
  /** The browser shows the document that another scraper has fetched (`FetchRequest.document`). */
  usedFetchedDocument = false;
  /** The result of `Page.navigate` for the caller's navigation. */
  #navigateResult: Promise<{ errorText?: string; loaderId?: string }> | null = null;
  /** The caller's navigation until its first request is paused, and the navigation that it continues. */
  #starting: { readonly callerRequest: CallerRequest; readonly continues: Navigation | null } | null = null;
  /** What a popup wanted to load, until this page sends the request. */
  #popupRequest: PopupRequest | null = null;

  constructor(
    session: CdpSession,
    request: FetchRequest,
    { gateway, checkTarget }: { gateway: GatewaySession; checkTarget: Egress['checkTarget'] },
    navigations: NavigationTracker,
  ) {
    this.#session = session;
    this.#request = request;
    this.#gateway = gateway;
    this.#checkTarget = checkTarget;
    this.#navigations = navigations;
    const { promise, resolve } = Promise.withResolvers<NavigationOutcome>();
    this.outcome = promise;
    this.#resolveOutcome = resolve;
  }

  /**
   * Starts a navigation of the caller. Settles when a document is shown, or cannot be. Rejects when the browser ends.
   * @param continues the navigation whose chain of redirects this one continues; null: none
   */
  async navigate(callerRequest: CallerRequest, continues: Navigation | null = null): Promise<void> {
    this.#starting = { callerRequest, continues };
    const { url } = callerRequest;
    this.#navigateResult = this.#session.send('Page.navigate', { url });
    const { errorText, loaderId } = await this.#navigateResult;
    if (errorText === undefined) return;
    const nav = loaderId === undefined ? undefined : this.#navigations.byLoaderId(loaderId);
    if (nav !== undefined) await this.navigationAborted(nav, errorText);
    else this.#failNavigation(null, await this.#explainFailure(errorText, url));
  }

  /** Navigates this page to where a popup of it wanted to go, with the popup's referrer and body. Settles as `navigate`. */
  async navigateToPopupUrl(request: PopupRequest): Promise<void> {
    const { url, referrer } = request;
    this.#popupRequest = request;
    try {
      await this.#session.send('Page.navigate', {
        url,
        // The browser has applied the page's referrer policy already, when the popup was opened.
        ...(referrer === null ? {} : { referrer, referrerPolicy: 'unsafeUrl' }),
        transitionType: 'link',
      });
    } finally {
      this.#popupRequest = null;
    }
  }

  /** The browser has aborted the navigation: by itself, or because `Fetch.failRequest` has ended its request. */
  async navigationAborted(nav: Navigation, errorText: string): Promise<void> {
    if (nav.abandoned) return;
    const { response } = nav;
    const gatewayReadsBody = nav.tappedResponse?.takesBody === true;
    // There is a response: an error status without a body, for which the browser shows an error page, or a body that the browser
    // cannot decode. The gateway may still be able to decode it.
    const bodilessErrors = gatewayReadsBody ? /RESPONSE_CODE_FAILURE/ : /RESPONSE_CODE_FAILURE|DECODING/;
    if (response !== null && bodilessErrors.test(errorText))
      this.#endScrapeWith(nav, { response, body: new Uint8Array(0), cut: nav.cut, undecoded: false });
    // `#onBodyWithheld` delivers the body; it need not wait for the browser.
    else if (gatewayReadsBody) nav.responseDropped();
    else {
      const cause = await this.#explainFailure(errorText, nav.url);
      if (nav.abandoned) return;
      this.tlsRefused = cause.code === 'tls.invalid';
      if (cause.code === 'redirect.invalid') nav.addInvalidRedirect();
      this.#failNavigation(nav, cause);
    }
  }

  /**
   * Why a navigation failed. Without any connection, the browser itself has blocked the URL, for example because of its port.
   * Then the address policy is still checked, so that its failure is the same as with other scrapers. Never rejects.
   */
  async #explainFailure(error: string, url: string): Promise<Failure> {
    const connection = this.connectionTo(url);
    const cause = navigationFailure(error, url, connection);
    if (connection !== null || !CONNECTION_FAILURE.test(cause.code)) return cause;
    const [host, port] = hostAndPort(url);
    const { lease, deadline } = this.#request;
    return (
      (await this.#checkTarget({ host, port, signal: deadline.signal, upstream: lease.upstream })) ?? cause
    );
  }

  /** The newest connection to the host and port of this URL. */
  connectionTo(url: string): ConnectionLog | null {
    if (!URL.canParse(url)) return null;
    return this.#gateway.connectionTo(...hostAndPort(url));
  }

  /** Whether any connection to the host and port of this URL was opened, so that bytes may have been sent. */
  hadConnection(url: string): boolean {
    if (!URL.canParse(url)) return false;
    const [host, port] = hostAndPort(url);
    return this.#gateway.connections.some(
      (connection) => connection.host === host && connection.port === port && connection.connectMs !== null,
    );
  }

  /**
   * The gateway has refused a connection. If the address policy forbids where the navigation goes, the scrape ends at once: the
   * browser reports it only when it has made an error page, which a busy machine may not do in time. Other failures may be those of
   * another request to the same host, and the browser may try again.
   */
  connectionRefused({ host, port, cause }: ConnectionLog): void {
    const nav = this.#navigations.pending;
    if (nav === null || nav.response !== null || cause === null || !isPolicyFailure(cause)) return;
    const [navHost, navPort] = hostAndPort(nav.url);
    if (host === navHost && port === navPort) this.#failNavigation(nav, cause);
  }

  /** Handles a paused request or response of the main frame. Never rejects. */
  async onRequestPaused(event: RequestPausedEvent): Promise<void> {
    await this.#abortOnProtocolError(event, this.#onPaused(event));
  }

  async #onPaused(event: RequestPausedEvent): Promise<void> {
    const { responseErrorReason, responseStatusCode: status } = event;
    if (!isPausedNavigation(event)) await this.#continueRequest(event);
    else if (responseErrorReason !== undefined) await this.#onError(event, responseErrorReason);
    else if (status === undefined) await this.#onRequest(event);
    else await this.#onResponse(event, status);
  }

  /** If the browser rejects a command for the paused request, aborts the request: it would stay paused. Never rejects. */
  async #abortOnProtocolError(event: RequestPausedEvent, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const refusal = protocolErrorOf(error);
      if (refusal === null) return;
      const nav = this.#navigations.byLoaderId(event.networkId ?? '') ?? null;
      this.#failNavigation(nav, protocolFailure(refusal));
      await this.#abortRequest(event, 'Aborted').catch(() => {});
    }
  }

  async #onRequest(event: PausedNavigation): Promise<void> {
    const { networkId: loaderId, requestId, redirectedRequestId, request } = event;
    const { task, allowUrl } = this.#request;
    const nav = this.#navigations.byLoaderId(loaderId) ?? this.#addNavigation(loaderId, event);
    const { callerRequest } = nav;
    if (nav.isStartedByPage && this.blocksNavigation) {
      nav.abandoned = true;
      return await this.#abortRequest(event, 'Aborted');
    }
    const post =
      nav.isStartedByPage && redirectedRequestId === undefined ? this.#takePopupPost(request.url) : null;
    // After a redirect, the browser has chosen the method already.
    const callerMethod = redirectedRequestId === undefined ? callerRequest?.method : undefined;
    const method = post === null ? (callerMethod ?? request.method) : 'POST';
    nav.requestSent(pausedUrl(event), method);
    const url = new URL(request.url);
    const refusal = allowUrl?.(url) ?? null;
    if (refusal !== null) {
      this.#failNavigation(nav, refusal);
      await this.#abortRequest(event, 'BlockedByClient');
      return;
    }
    if (await this.#fulfillFetched(event, nav)) return;
    // Over TLS, the gateway sees no plain bytes.
    if (url.protocol === 'http:') {
      const tapped = new TappedResponse(method, this.#request, {
        handling: (head) =>
          this.#isSaved(head.headers)
            ? 'pass'
            : responseHandling(head, {
                redirectIsResult: this.#redirectIsResult(nav),
                mayBeCached: nav.isStartedByPage,
              }),
        onTaken: () => void this.#abortOnProtocolError(event, this.#onBodyWithheld(nav, tapped)),
      });
      nav.tappedResponse = tapped;
      this.#gateway.tap(request.url, tapped.open);
    }
    const overrides = () => {
      if (post !== null) return postOverrides(event, post);
      return callerRequest === null
        ? authorizationOverrides(event, this.credentials)
        : callerOverrides(event, task, callerRequest);
    };
    await this.#session.send('Fetch.continueRequest', { requestId, ...overrides() });
  }

  /** The body and headers of a popup's POST, if this is the request of `navigateToPopupUrl`: `Page.navigate` sends GET only. */
  #takePopupPost(url: string): PopupRequest['post'] {
    const popup = this.#popupRequest;
    if (popup === null || popup.url.split('#', 1)[0] !== url) return null;
    this.#popupRequest = null;
    return popup.post;
  }

  /** Answers the caller's navigation with `FetchRequest.document`. @returns false: that is not the document of this URL */
  async #fulfillFetched({ requestId }: RequestPausedEvent, nav: Navigation): Promise<boolean> {
    const { document } = this.#request;
    if (document == null || this.usedFetchedDocument || nav.callerRequest?.url !== document.page.finalUrl)
      return false;
    this.usedFetchedDocument = true;
    this.status = document.page.statusCode;
    nav.setFetchedResponse(document);
    this.onResponseHead();
    await fulfillWithFetched(this.#session, requestId, document.page);
    return true;
  }

  #addNavigation(loaderId: string, event: RequestPausedEvent): Navigation {
    const starting = this.#starting;
    this.#starting = null;
    const nav = new Navigation(
      loaderId,
      starting?.callerRequest ?? null,
      pausedUrl(event),
      event.request.method,
    );
    if (starting?.continues != null) nav.redirects.push(...starting.continues.redirects);
    this.#navigations.add(nav);
    return nav;
  }

  async #onResponse(event: PausedNavigation, status: number): Promise<void> {
    const pausedHeaders = pausedResponseHeaders(event);
    const nav = this.#navigations.byLoaderId(event.networkId);
    if (nav === undefined || isHstsRedirect(nav, status, pausedHeaders))
      return await this.#continueRequest(event);
    // `#onBodyWithheld` handles the response.
    if (nav.tappedResponse?.takesBody === true) return nav.setPausedResponse(event);
    // The gateway has not seen the response: it comes from the browser's cache.
    if (nav.tappedResponse?.head === null) nav.dispose();
    this.status = status;
    const response = nav.responseReceived(status, pausedHeaders);
    const location = redirectLocation(status, response.headers);
    if (location !== null) return await this.#onRedirect(event, nav, response, location);
    if (!nav.isStartedByPage) this.onResponseHead();
    nav.response = response;
    if (responseKind(status, response.headers) === 'document') return await this.#continueRequest(event);
    if (this.#isSaved(response.headers)) {
      nav.abandoned = true;
      this.onDownload(response.url);
      return await this.#continueRequest(event);
    }
    this.isReadingBody = true;
    await this.#takeBody(event, nav, response);
  }

  /** The gateway reads the body and withholds it from the browser, which therefore reports the response late or not at all. */
  async #onBodyWithheld(nav: Navigation, tapped: TappedResponse): Promise<void> {
    const { status, headers } = tapped.head!;
    // A body that is declared as gzip but is not is withheld only after its first byte. Then the browser may have the head already.
    const isShown = nav.response !== null;
    if (isShown && this.#navigations.latest !== nav) return;
    this.status = status;
    this.isReadingBody = true;
    nav.response ??= nav.responseReceived(status, headers);
    if (!nav.isStartedByPage) this.onResponseHead();
    await tapped.result;
    // Wait until the browser has paused the response: then it has stored the cookies, which the scrape reads at its end.
    const event = isShown ? null : await orTimeout(nav.pausedResponse, PAUSE_TIMEOUT_MS, null);
    await this.#takeBody(event, nav, nav.response);
  }

  /** Whether the caller wants redirects as the result. Those of the page's own navigations are followed. */
  #redirectIsResult({ isStartedByPage }: Navigation): boolean {
    return !isStartedByPage && !this.#request.task.allowRedirects;
  }

  async #onRedirect(
    event: RequestPausedEvent,
    nav: Navigation,
    response: NavigationResponse,
    location: string,
  ): Promise<void> {
    if (this.#redirectIsResult(nav)) {
      this.onResponseHead();
      nav.abandoned = true;
      this.#endScrapeWith(nav, redirectWithoutBody(response));
      return await this.#abortRequest(event, 'Aborted');
    }
    nav.redirects.push({ url: response.url, statusCode: response.status });
    const next = nextRedirect(nav, response, location, this.#request.task);
    if (isFailure(next)) {
      this.#failNavigation(nav, next);
      return await this.#abortRequest(event, 'Aborted');
    }
    if (!next.needsNewNavigation) {
      nav.callerRequest = next.callerRequest;
      nav.followedRedirects++;
      return await this.#continueRequest(event);
    }
    nav.abandoned = true;
    await this.#abortRequest(event, 'Aborted');
    // Starting another navigation before this one has ended would abort both.
    await this.#navigateResult;
    await this.navigate(next.callerRequest!, nav);
  }

  /** Whether the browser saves the response as a file, and the shown document stays. */
  #isSaved(headers: HeaderList): boolean {
    return this.savesDownloads && this.#navigations.committed !== null && isAttachment(headers);
  }

  /** Reads a body that the browser does not show. @param event the paused response; null: the browser has dropped it */
  async #takeBody(
    event: RequestPausedEvent | null,
    nav: Navigation,
    response: NavigationResponse,
  ): Promise<void> {
    nav.abandoned = true;
    const { status, headers } = response;
    // The page has started a download, or has received no content: its document stays, and is the result.
    if (this.#navigations.committed !== null && (NO_CONTENT_STATUSES.has(status) || isAttachment(headers))) {
      this.isReadingBody = false;
      if (isAttachment(headers)) this.onDownload(response.url);
      if (event !== null) await this.#abortRequest(event, 'Aborted');
      return;
    }
    const raw = await takeResponseBody(this.#session, nav, response, event?.requestId ?? null, this.#request);
    nav.bodyFinished();
    if (isFailure(raw)) this.#failNavigation(nav, raw);
    else if (event !== null && raw.cut === null && isSniffedHtml(raw)) {
      // The body is HTML after all: the browser shows it.
      nav.abandoned = false;
      this.isReadingBody = false;
      nav.suppliedBody = raw.body;
      return await fulfillWithBody(this.#session, event.requestId, raw);
    } else this.#endScrapeWith(nav, raw);
    if (event !== null) await this.#abortRequest(event, 'Aborted');
  }

  /** The request failed without a response. During an action it is aborted: an error page would replace the shown document. */
  async #onError(event: PausedNavigation, reason: string): Promise<void> {
    const nav = this.#navigations.byLoaderId(event.networkId);
    if (nav !== undefined && this.onNavigationFailed !== null && this.#navigations.committed !== null) {
      const cause = await this.#explainFailure(reason, nav.url);
      return await this.#abortRequest(event, this.#failNavigation(nav, cause) ? 'Aborted' : 'Failed');
    }
    await this.#continueRequest(event);
  }

  /**
   * Ends the scrape with this failure, or only the navigation if an action has started it.
   * @param nav null: the browser has not reported it
   * @returns whether the shown document stays
   */
  #failNavigation(nav: Navigation | null, cause: Failure): boolean {
    if (
      nav !== null &&
      this.onNavigationFailed !== null &&
      this.#navigations.committed !== null &&
      !isPolicyFailure(cause)
    ) {
      nav.abandoned = true;
      this.onNavigationFailed(cause);
      return true;
    }
    this.#navigations.scrapeEndedBy(nav);
    this.#resolveOutcome({ failure: cause });
    return false;
  }

  /** Ends the scrape with a response that is not a document. */
  #endScrapeWith(nav: Navigation, raw: RawResponse): void {
    nav.response = raw.response;
    this.#navigations.scrapeEndedBy(nav);
    this.#resolveOutcome(raw);
  }

  async #continueRequest({ requestId }: RequestPausedEvent): Promise<void> {
    await this.#session.send('Fetch.continueRequest', { requestId });
  }

  async #abortRequest(
    { requestId }: RequestPausedEvent,
    errorReason: 'Aborted' | 'BlockedByClient' | 'Failed',
  ): Promise<void> {
    await this.#session.send('Fetch.failRequest', { requestId, errorReason });
  }
}
