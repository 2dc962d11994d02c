import { waitForCallback } from '../../base/wait.ts';
import type { Failure } from '../../domain/failure.ts';
import type { FetchedPage, HeaderList, Redirect } from '../../domain/fetch-result.ts';
import { RedirectLoopDetector } from '../../http-client/redirects.ts';
import type { CdpSession, RequestPausedEvent } from '../engine/cdp-session.ts';
import type { CallerRequest } from './request-overrides.ts';
import { type NavigationResponse, toResponseHeaders, withoutUserinfo } from './response.ts';
import type { TappedResponse } from './response-body.ts';

/** The response head with cookies, which `Fetch` events do not contain. */
interface RawResponseHead {
  readonly status: number;
  readonly headers: HeaderList;
}

/**
 * A navigation of the main frame, from its first request to the end of its response. Where the browser cannot follow a redirect
 * of the caller's request, the navigation is aborted, and a new one continues it.
 */
export class Navigation {
  readonly loaderId: string;
  /** What the caller's method, headers and body add to the next request; null: the page has started the navigation. */
  callerRequest: CallerRequest | null;
  /** Including those of an earlier navigation that this one continues. */
  readonly redirects: Redirect[] = [];
  readonly redirectLoop = new RedirectLoopDetector();
  /** With the fragment. */
  url: string;
  method: string;
  requestHeaders: HeaderList | null = null;
  response: NavigationResponse | null = null;
  /** The response as the gateway reads it on its way to the browser; null: none, or over TLS. */
  tappedResponse: TappedResponse | null = null;
  /** Chromium's error text, for when the navigation fails. */
  error = 'net::ERR_FAILED';
  /** The navigation failed, or another one continues it: further events about it are ignored. */
  abandoned = false;
  /** Time to first byte: the total of the first response and of those after redirects. */
  ttfbMs = 0;
  tlsMs: number | null = null;
  downloadMs: number | null = null;
  /** Decoded bytes of a body that the browser shows. */
  receivedBytes = 0;
  /** The body that the service has passed to the browser; null: the browser has loaded it. */
  suppliedBody: Uint8Array | null = null;
  /** Why the body is incomplete; null: no reason is known. */
  cut: Failure | null = null;
  /** Number of redirects that the browser has followed in this navigation. */
  followedRedirects = 0;
  #head: RawResponseHead | null = null;
  #pausedResponse = Promise.withResolvers<RequestPausedEvent | null>();
  /** By `performance.now()`, for the last request of the navigation. */
  #sentAt = 0;
  #respondedAt = 0;

  constructor(loaderId: string, callerRequest: CallerRequest | null, url: string, method: string) {
    this.loaderId = loaderId;
    this.callerRequest = callerRequest;
    this.url = url;
    this.method = method;
  }

  /** A request of this navigation is sent now: the first one, or one that follows a redirect. @param url with the fragment */
  requestSent(url: string, method: string): void {
    this.url = url;
    this.method = method;
    this.#head = null;
    this.#pausedResponse = Promise.withResolvers();
    this.dispose();
    this.#sentAt = performance.now();
  }

  /** For the event `Network.responseReceivedExtraInfo`. */
  setResponseHead(status: number, headers: Readonly<Record<string, string>>, text: string | undefined): void {
    this.#head = { status, headers: toResponseHeaders(headers, text) };
  }

  /**
   * The head of the response has arrived.
   * @param pausedHeaders headers of the `Fetch` event, which has no cookies; used if no other event has the head
   */
  responseReceived(status: number, pausedHeaders: HeaderList): NavigationResponse {
    this.#respondedAt = performance.now();
    this.ttfbMs += this.#respondedAt - this.#sentAt;
    const head = this.tappedResponse?.head ?? this.#head;
    const headers = head !== null && head.status === status ? head.headers : pausedHeaders;
    const { loaderId, url, method } = this;
    return { loaderId, url: withoutUserinfo(url), method, status, headers };
  }

  /** Records a redirect that the browser rejected: it reports no response then, only that the navigation failed. */
  addInvalidRedirect(): void {
    const status = (this.tappedResponse?.head ?? this.#head)?.status ?? 0;
    if (status >= 300 && status < 400)
      this.redirects.push({ url: withoutUserinfo(this.url), statusCode: status });
  }

  /** Uses the response that another scraper has fetched. */
  setFetchedResponse({ page, redirects, requestHeaders }: FetchedPage): void {
    this.response = this.responseReceived(page.statusCode, page.headers);
    this.redirects.push(...redirects);
    this.requestHeaders = requestHeaders;
    this.receivedBytes = page.body.length;
    this.suppliedBody = page.body;
  }

  /** Whether the page has started the navigation, by a script, a refresh or a link; else the caller has. */
  get isStartedByPage(): boolean {
    return this.callerRequest === null;
  }

  /** The browser has paused the response whose body the gateway reads. */
  setPausedResponse(event: RequestPausedEvent): void {
    this.#pausedResponse.resolve(event);
  }

  /** The browser will not pause the response: it has aborted the navigation. */
  responseDropped(): void {
    this.#pausedResponse.resolve(null);
  }

  /** For a response whose body the gateway reads: the paused response; null: the browser has dropped it. */
  get pausedResponse(): Promise<RequestPausedEvent | null> {
    return this.#pausedResponse.promise;
  }

  setCut(reason: Failure): void {
    this.cut ??= reason;
  }

  bodyFinished(): void {
    this.downloadMs ??= performance.now() - this.#respondedAt;
  }

  dispose(): void {
    this.tappedResponse?.dispose();
    this.tappedResponse = null;
  }
}

/** All navigations of the main frame, and which of them is the result. */
export class NavigationTracker {
  /** The navigation whose document is shown. */
  committed: Navigation | null = null;
  /** The navigation that started last; it may be the committed one. */
  latest: Navigation | null = null;
  readonly #navigations = new Map<string, Navigation>();
  /** Redirects that led to the shown document. */
  readonly #redirects: Redirect[] = [];
  #final: Navigation | null = null;
  #ttfbMs = 0;

  byLoaderId(loaderId: string): Navigation | undefined {
    return this.#navigations.get(loaderId);
  }

  add(nav: Navigation): void {
    this.#navigations.set(nav.loaderId, nav);
    this.latest = nav;
  }

  /** The document of the navigation is shown now. @returns false: it was known to be shown already */
  commit(nav: Navigation): boolean {
    if (nav === this.committed) return false;
    this.#redirects.push(...this.#redirectsTo(nav));
    this.#ttfbMs += nav.ttfbMs;
    this.committed = nav;
    return true;
  }

  /** The navigation that is under way; null: none is. */
  get pending(): Navigation | null {
    const { latest } = this;
    return latest === null || latest === this.committed || latest.abandoned ? null : latest;
  }

  /** The scrape ends with this navigation, without a document. @param nav null: the browser has not reported it */
  scrapeEndedBy(nav: Navigation | null): void {
    this.#final ??= nav;
  }

  /** The navigation whose response is the result; before the end, the one that would be if the scrape ended now. */
  get decisive(): Navigation | null {
    return this.#final ?? this.committed ?? this.latest;
  }

  /** All redirects that led to the result, in order. A navigation that the page started counts as one without a status. */
  get redirects(): readonly Redirect[] {
    const nav = this.decisive;
    return nav === null || nav === this.committed
      ? this.#redirects
      : [...this.#redirects, ...this.#redirectsTo(nav)];
  }

  get requestHeaders(): HeaderList | null {
    return this.decisive?.requestHeaders ?? null;
  }

  /** Time to first byte: the total of all navigations that led to the result. */
  get ttfbMs(): number | null {
    const nav = this.decisive;
    if (nav === null || nav.response === null) return null;
    return nav === this.committed ? this.#ttfbMs : this.#ttfbMs + nav.ttfbMs;
  }

  dispose(): void {
    for (const nav of this.#navigations.values()) nav.dispose();
  }

  #redirectsTo(nav: Navigation): readonly Redirect[] {
    const { committed } = this;
    return committed === null
      ? nav.redirects
      : [{ url: withoutUserinfo(committed.url), statusCode: null }, ...nav.redirects];
  }
}

/** A navigation that a page announces to start within this time is waited for, and its document becomes the result. */
const SOON_NAVIGATION_MS = 1_000;
/** Timers of a page may be late by this much. */
const TIMER_TOLERANCE_MS = 100;
/** The other events about a navigation follow its first one within this time. */
const EVENT_DELAY_MS = 100;

/** Waits for navigations that the shown page has started or announced: by script, by `meta refresh`, or after a click. */
export class NavigationWaiter {
  readonly #navigations: NavigationTracker;
  /** An announced navigation, which may never start, is waited for until this time (`performance.now()`). */
  #expectedUntil = 0;
  #onChange: (() => void) | null = null;

  constructor(session: CdpSession, mainFrameId: string, navigations: NavigationTracker) {
    this.#navigations = navigations;
    session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === mainFrameId && delay * 1000 <= SOON_NAVIGATION_MS) this.#expect(delay * 1000);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
      if (frameId === mainFrameId && disposition === 'currentTab' && /^https?:/i.test(url)) this.#expect(0);
    });
    session.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
      // The event also comes when the navigation starts, right before the other events about it.
      if (frameId === mainFrameId)
        this.#expectedUntil = Math.min(this.#expectedUntil, performance.now() + EVENT_DELAY_MS);
    });
  }

  /** Also waits for a navigation that starts within a second after the page was loaded. @param loadedMs how long ago that was */
  expectNavigation(loadedMs: number): void {
    if (loadedMs > SOON_NAVIGATION_MS) return;
    const until = performance.now() + SOON_NAVIGATION_MS - loadedMs + TIMER_TOLERANCE_MS;
    this.#expectedUntil = Math.max(this.#expectedUntil, until);
  }

  navigationCommitted(): void {
    this.#expectedUntil = 0;
    this.#onChange?.();
  }

  /** The navigation failed, and the document stays. */
  navigationAborted(nav: Navigation): void {
    nav.abandoned = true;
    this.#onChange?.();
  }

  #expect(delayMs: number): void {
    this.#expectedUntil = performance.now() + delayMs + SOON_NAVIGATION_MS;
  }

  /** Waits while the page is going to navigate. @returns true: another document is shown */
  async waitForNavigation(signal: AbortSignal): Promise<boolean> {
    const { committed } = this.#navigations;
    while (!signal.aborted && this.#navigations.committed === committed) {
      const isNavigating = this.#navigations.pending !== null;
      const left = this.#expectedUntil - performance.now();
      if (!isNavigating && left <= 0) return false;
      await this.#nextChange(isNavigating ? null : left, signal);
    }
    return this.#navigations.committed !== committed;
  }

  /** @param ms null: as long as it takes */
  #nextChange(ms: number | null, signal: AbortSignal): Promise<void> {
    return waitForCallback<void>(
      signal,
      (settle) => {
        const timer = ms === null ? undefined : setTimeout(settle, ms);
        this.#onChange = settle;
        return () => {
          clearTimeout(timer);
          this.#onChange = null;
        };
      },
      () => {},
    );
  }
}
