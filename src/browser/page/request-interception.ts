import { orTimeout } from '../../base/wait.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import type { Job } from '../../domain/job.ts';
import type { Egress } from '../../egress/egress.ts';
import type { ConnectionLog, GatewaySession } from '../../egress/gateway/gateway.ts';
import { changesMethodToGet, escapeLocation } from '../../http-client/redirects.ts';
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
  isSniffedHtml,
  redirectWithoutBody,
  takeResponseBody,
} from './intercepted-response.ts';
import { Navigation, type NavigationTracker } from './navigation.ts';
import {
  authorizationOverrides,
  type CallerRequest,
  callerOverrides,
  hostAndPort,
  type OriginAuthorization,
  type PopupRequest,
  postOverrides,
  redirectCallerRequest,
} from './request-overrides.ts';
import {
  headerValue,
  isAttachment,
  type NavigationOutcome,
  type NavigationResponse,
  type RawResponse,
  redirectLocation,
  responseHandling,
  responseKind,
} from './response.ts';
import { TappedResponse } from './response-body.ts';
import { navigationFailure, protocolFailure } from './scrape-failure.ts';

/** Chromium follows 20 in one navigation, and at the next says no more than that: before, the rest is begun anew. */
const MAX_BROWSER_REDIRECTS = 19;

/** Where the redirect leads: `anew`: by a navigation of its own. */
interface NextRedirect {
  readonly callerRequest: CallerRequest | null;
  readonly needsNewNavigation: boolean;
}

/** What is to be done with a redirect that is followed, or why it cannot be. */
function nextRedirect(
  nav: Navigation,
  { status, method, headers }: NavigationResponse,
  location: string,
  { options }: Job,
): NextRedirect | Failure {
  const url = URL.parse(escapeLocation(location), nav.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return failure('redirect.invalid', 'The location of a redirect is not an http or https URL.');
  // Only a location without any fragment takes over the one before; `hash` cannot tell none from an empty one.
  if (!url.href.includes('#')) url.hash = new URL(nav.url).hash;
  if (nav.redirects.length > options.maxRedirects)
    return failure('redirect.too_many', `There were more than ${options.maxRedirects} redirects.`);
  if (headerValue(headers, 'set-cookie') !== null) nav.redirectLoop.clear();
  const circle = nav.redirectLoop.check(nav.url, method);
  if (circle !== null) return circle;
  const { callerRequest } = nav;
  if (callerRequest === null) return { callerRequest: null, needsNewNavigation: false };
  const next = redirectCallerRequest(callerRequest, url, changesMethodToGet(status, method) ? 'GET' : method);
  return { callerRequest: next, needsNewNavigation: nav.followedRedirects >= MAX_BROWSER_REDIRECTS };
}

/** A redirect to https that the browser made by itself (RFC 6797 §8.3): no target gave it. */
function isHstsRedirect({ url, tappedResponse }: Navigation, status: number, headers: HeaderList): boolean {
  return (
    status === 307 &&
    tappedResponse !== null &&
    tappedResponse.head === null &&
    headerValue(headers, 'non-authoritative-reason') !== null &&
    URL.parse(headerValue(headers, 'location') ?? '', url)?.protocol === 'https:'
  );
}

/** How long a browser may need to notice an answer that has come. */
const PAUSE_TIMEOUT_MS = 500;
const CONNECTION_FAILURE = /^(?:connect\.|http\.protocol)/;
const NO_CONTENT_STATUSES = new Set([204, 205]);

const isForbidden = ({ code }: Failure): boolean => code.startsWith('policy.');

/**
 * The requests of the main frame and their answers: each is judged before it is sent, the caller's get what the caller
 * adds, and of each answer it is decided whether it is followed, shown, or taken as bytes.
 */
export class RequestInterceptor {
  /** Settles when there will be no document to read: a failure, or bytes. */
  readonly outcome: Promise<NavigationOutcome>;
  /** Of the last head that came. */
  status: number | null = null;
  /** The TLS connection was refused: nothing was sent on it. */
  tlsRefused = false;
  /** The body of an answer is being read as bytes. */
  isReadingBody = false;
  /** Called when the attempt's share of the time counts no more. */
  onResponseHead: () => void = () => {};
  /**
   * While an action goes somewhere: told why that leads nowhere, and the document that is shown stays. Not of what is
   * forbidden, which ends the visit.
   */
  onLost: ((why: Failure) => void) | null = null;
  /** Of the URL that an action goes to; for that origin alone. */
  credentials: OriginAuthorization | null = null;
  /** Told the URL of a file that leaves the page shown. */
  onDownload: (url: string) => void = () => {};
  /** The page that is shown leads nowhere any more. */
  blocksNavigation = false;
  readonly #resolveOutcome: (ending: NavigationOutcome) => void;
  readonly #session: CdpSession;
  readonly #request: FetchRequest;
  readonly #gateway: GatewaySession;
  readonly #judge: Egress['judge'];
  readonly #navigations: NavigationTracker;
  /** The document that was fetched before has been shown. */
  usedFetchedDocument = false;
  /** What the browser says to the caller's navigation, once that is over or shown. */
  #navigateResult: Promise<{ errorText?: string; loaderId?: string }> | null = null;
  /** The caller's navigation that was asked for and has not come by yet, and what it goes on from. */
  #starting: { readonly outgoing: CallerRequest; readonly from: Navigation | null } | null = null;

  /** What a window was about to send, until the page sends it. */
  #popupRequest: PopupRequest | null = null;

  constructor(
    session: CdpSession,
    order: FetchRequest,
    { gateway, judge }: { gateway: GatewaySession; judge: Egress['judge'] },
    journey: NavigationTracker,
  ) {
    this.#session = session;
    this.#request = order;
    this.#gateway = gateway;
    this.#judge = judge;
    this.#navigations = journey;
    const { promise, resolve } = Promise.withResolvers<NavigationOutcome>();
    this.outcome = promise;
    this.#resolveOutcome = resolve;
  }

  /** Starts a navigation of the caller; settles when a document is shown, or cannot be. Rejects with the browser. */
  async navigate(outgoing: CallerRequest, from: Navigation | null): Promise<void> {
    this.#starting = { outgoing, from };
    this.#navigateResult = this.#session.send('Page.navigate', { url: outgoing.url });
    const { errorText, loaderId } = await this.#navigateResult;
    if (errorText === undefined) return;
    const nav = loaderId === undefined ? undefined : this.#navigations.find(loaderId);
    if (nav !== undefined) await this.navigationAborted(nav, errorText);
    else this.#fail(null, await this.#explainFailure(errorText, outgoing.url));
  }

  /** Sends what a window was about to send. Settles when its document is shown, or will not be. Rejects with the browser. */
  async followPopup(request: PopupRequest): Promise<void> {
    const { url, referrer } = request;
    this.#popupRequest = request;
    try {
      await this.#session.send('Page.navigate', {
        url,
        // It has been cut by the policy of the page.
        ...(referrer === null ? {} : { referrer, referrerPolicy: 'unsafeUrl' }),
        transitionType: 'link',
      });
    } finally {
      this.#popupRequest = null;
    }
  }

  /** The browser gave the navigation up, by itself or because it was told to. */
  async navigationAborted(nav: Navigation, errorText: string): Promise<void> {
    if (nav.abandoned) return;
    const { response } = nav;
    const isTaken = nav.tappedResponse?.takesBody === true;
    const nothing = isTaken ? /RESPONSE_CODE_FAILURE/ : /RESPONSE_CODE_FAILURE|DECODING/;
    if (response !== null && nothing.test(errorText))
      // An error without a body, in place of which the browser shows a page of its own; or nothing that it could decode.
      this.#finish(nav, { response, body: new Uint8Array(0), cut: nav.cut, undecoded: false });
    else if (isTaken) nav.setPausedResponse(null);
    else {
      const why = await this.#explainFailure(errorText, nav.url);
      if (nav.abandoned) return;
      this.tlsRefused = why.code === 'tls.invalid';
      if (why.code === 'redirect.invalid') nav.addInvalidRedirect();
      this.#fail(nav, why);
    }
  }

  /**
   * What a browser does not even ask the gateway for, it has refused by a rule of its own (a port, …): our own rules go before,
   * as they do for every other way. Never rejects.
   */
  async #explainFailure(error: string, url: string): Promise<Failure> {
    const trip = this.connectionTo(url);
    const why = navigationFailure(error, url, trip);
    if (trip !== null || !CONNECTION_FAILURE.test(why.code)) return why;
    const [host, port] = hostAndPort(url);
    const { lease, deadline } = this.#request;
    return (await this.#judge({ host, port, signal: deadline.signal, upstream: lease.upstream })) ?? why;
  }

  /** The newest connection to the host of this address. */
  connectionTo(url: string): ConnectionLog | null {
    if (!URL.canParse(url)) return null;
    return this.#gateway.connectionTo(...hostAndPort(url));
  }

  /** There was a connection to the host of this address: bytes may be out on it, whatever became of later ones. */
  hadConnection(url: string): boolean {
    if (!URL.canParse(url)) return false;
    const [host, port] = hostAndPort(url);
    return this.#gateway.connections.some(
      (trip) => trip.host === host && trip.port === port && trip.connectMs !== null,
    );
  }

  /** A request of the main frame, or its answer, that waits to be let through. Never rejects. */
  async onRequestPaused(event: RequestPausedEvent): Promise<void> {
    await this.#orFail(event, this.#onPaused(event));
  }

  async #onPaused(event: RequestPausedEvent): Promise<void> {
    const { responseErrorReason, responseStatusCode: status } = event;
    if (!isPausedNavigation(event)) await this.#continueRequest(event);
    else if (responseErrorReason !== undefined) await this.#onError(event, responseErrorReason);
    else if (status === undefined) await this.#onRequest(event);
    else await this.#onResponse(event, status);
  }

  /** What the browser refuses to do with a paused request ends it: else it would be paused for ever. Never rejects. */
  async #orFail(event: RequestPausedEvent, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const refusal = protocolErrorOf(error);
      if (refusal === null) return;
      const nav = this.#navigations.find(event.networkId ?? '') ?? null;
      this.#fail(nav, protocolFailure(refusal));
      await this.#abortRequest(event, 'Aborted').catch(() => {});
    }
  }

  async #onRequest(event: PausedNavigation): Promise<void> {
    const { networkId: loaderId, requestId, redirectedRequestId, request } = event;
    const { job, allowUrl } = this.#request;
    const nav = this.#navigations.find(loaderId) ?? this.#addNavigation(loaderId, event);
    const { callerRequest } = nav;
    if (callerRequest === null && this.blocksNavigation) {
      nav.abandoned = true;
      return await this.#abortRequest(event, 'Aborted');
    }
    const post =
      callerRequest === null && redirectedRequestId === undefined ? this.#takePopupPost(request.url) : null;
    const callers = redirectedRequestId === undefined ? callerRequest?.method : undefined;
    const method = post === null ? (callers ?? request.method) : 'POST';
    nav.requestSent(pausedUrl(event), method);
    const url = new URL(request.url);
    const refusal = allowUrl?.(url) ?? null;
    if (refusal !== null) {
      this.#fail(nav, refusal);
      await this.#abortRequest(event, 'BlockedByClient');
      return;
    }
    if (await this.#fulfillFetched(event, nav)) return;
    if (url.protocol === 'http:') {
      const tapped = new TappedResponse(method, this.#request, {
        handling: (head) => responseHandling(head, this.#redirectIsResult(nav), callerRequest === null),
        onTaken: () => void this.#orFail(event, this.#onBodyTapped(nav, tapped)),
      });
      nav.tappedResponse = tapped;
      this.#gateway.tap(request.url, tapped.open);
    }
    const added = () => {
      if (post !== null) return postOverrides(event, post);
      return callerRequest === null
        ? authorizationOverrides(event, this.credentials)
        : callerOverrides(event, job, callerRequest);
    };
    await this.#session.send('Fetch.continueRequest', { requestId, ...added() });
  }

  /** Of the window's request, when the page sends it. */
  #takePopupPost(url: string): PopupRequest['post'] {
    const linked = this.#popupRequest;
    if (linked === null || linked.url.split('#', 1)[0] !== url) return null;
    this.#popupRequest = null;
    return linked.post;
  }

  /** The first navigation may have been made before, by another scraper. */
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
    const nav = new Navigation(loaderId, starting?.outgoing ?? null, pausedUrl(event), event.request.method);
    if (starting?.from != null) nav.redirects.push(...starting.from.redirects);
    this.#navigations.add(nav);
    return nav;
  }

  async #onResponse(event: PausedNavigation, status: number): Promise<void> {
    const told = pausedResponseHeaders(event);
    const nav = this.#navigations.find(event.networkId);
    if (nav === undefined || isHstsRedirect(nav, status, told)) return await this.#continueRequest(event);
    if (nav.tappedResponse?.takesBody === true) return nav.setPausedResponse(event);
    if (nav.tappedResponse?.head === null) nav.dispose();
    this.status = status;
    const answer = nav.responseReceived(status, told);
    const location = redirectLocation(status, answer.headers);
    if (location !== null) return await this.#onRedirect(event, nav, answer, location);
    if (nav.callerRequest !== null) this.onResponseHead();
    nav.response = answer;
    if (responseKind(status, answer.headers) === 'document') return await this.#continueRequest(event);
    this.isReadingBody = true;
    await this.#takeBody(event, nav, answer);
  }

  /** The head of an answer has passed that is read on the way: the browser may take its time, or fail with it. */
  async #onBodyTapped(nav: Navigation, tapped: TappedResponse): Promise<void> {
    const { status, headers } = tapped.head!;
    // It may be shown, or have been, when it turns out that it cannot be decoded.
    const isShown = nav.response !== null;
    if (isShown && this.#navigations.latest !== nav) return;
    this.status = status;
    this.isReadingBody = true;
    nav.response ??= nav.responseReceived(status, headers);
    if (nav.callerRequest !== null) this.onResponseHead();
    await tapped.result;
    // It keeps the cookies of the answer before it tells of it.
    const event = isShown ? null : await orTimeout(nav.pausedResponse, PAUSE_TIMEOUT_MS, null);
    await this.#takeBody(event, nav, nav.response);
  }

  #redirectIsResult({ callerRequest }: Navigation): boolean {
    return callerRequest !== null && !this.#request.job.allowRedirects;
  }

  async #onRedirect(
    event: RequestPausedEvent,
    nav: Navigation,
    answer: NavigationResponse,
    location: string,
  ): Promise<void> {
    if (this.#redirectIsResult(nav)) {
      this.onResponseHead();
      nav.abandoned = true;
      this.#finish(nav, redirectWithoutBody(answer));
      return await this.#abortRequest(event, 'Aborted');
    }
    nav.redirects.push({ url: answer.url, statusCode: answer.status });
    const step = nextRedirect(nav, answer, location, this.#request.job);
    if (isFailure(step)) {
      this.#fail(nav, step);
      return await this.#abortRequest(event, 'Aborted');
    }
    if (!step.needsNewNavigation) {
      nav.callerRequest = step.callerRequest;
      nav.followedRedirects++;
      return await this.#continueRequest(event);
    }
    nav.abandoned = true;
    await this.#abortRequest(event, 'Aborted');
    // While that one is being given up, browsers give up one that begins as well.
    await this.#navigateResult;
    await this.navigate(step.callerRequest!, nav);
  }

  /** @param event null: the browser has given the answer up */
  async #takeBody(
    event: RequestPausedEvent | null,
    nav: Navigation,
    answer: NavigationResponse,
  ): Promise<void> {
    nav.abandoned = true;
    const { status, headers } = answer;
    // What a page starts while it is shown, and what leaves it shown, is not what was asked for.
    if (this.#navigations.committed !== null && (NO_CONTENT_STATUSES.has(status) || isAttachment(headers))) {
      this.isReadingBody = false;
      if (isAttachment(headers)) this.onDownload(answer.url);
      if (event !== null) await this.#abortRequest(event, 'Aborted');
      return;
    }
    const taken = await takeResponseBody(this.#session, nav, answer, event?.requestId ?? null, this.#request);
    nav.bodyFinished();
    if (isFailure(taken)) this.#fail(nav, taken);
    else if (event !== null && taken.cut === null && isSniffedHtml(taken)) {
      nav.abandoned = false;
      this.isReadingBody = false;
      nav.givenBody = taken.body;
      return await fulfillWithBody(this.#session, event.requestId, taken);
    } else this.#finish(nav, taken);
    if (event !== null) await this.#abortRequest(event, 'Aborted');
  }

  /** No answer has come. Let through, it would put a page of the browser's own in place of what is shown. */
  async #onError(event: PausedNavigation, reason: string): Promise<void> {
    const nav = this.#navigations.find(event.networkId);
    if (nav !== undefined && this.onLost !== null && this.#navigations.committed !== null) {
      const why = await this.#explainFailure(reason, nav.url);
      return await this.#abortRequest(event, this.#fail(nav, why) ? 'Aborted' : 'Failed');
    }
    await this.#continueRequest(event);
  }

  /** @returns the document that is shown stays */
  #fail(nav: Navigation | null, why: Failure): boolean {
    if (nav !== null && this.onLost !== null && this.#navigations.committed !== null && !isForbidden(why)) {
      nav.abandoned = true;
      this.onLost(why);
      return true;
    }
    this.#navigations.endWith(nav);
    this.#resolveOutcome({ failure: why });
    return false;
  }

  #finish(nav: Navigation, raw: RawResponse): void {
    nav.response = raw.response;
    this.#navigations.endWith(nav);
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
