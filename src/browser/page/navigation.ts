import { waitForCallback } from '../../base/wait.ts';
import type { Failure } from '../../domain/failure.ts';
import type { FetchedPage, HeaderList, Redirect } from '../../domain/fetch-result.ts';
import { RedirectLoopDetector } from '../../http-client/redirects.ts';
import type { CdpSession, RequestPausedEvent } from '../engine/cdp-session.ts';
import type { CallerRequest } from './request-overrides.ts';
import { type NavigationResponse, toResponseHeaders, withoutUserinfo } from './response.ts';
import type { TappedResponse } from './response-body.ts';

/** A head as the network has it: `Fetch` does not tell cookies. */
interface RawResponseHead {
  readonly status: number;
  readonly headers: HeaderList;
}

/** A navigation of the main frame, from its first request to its answer. */
export class Navigation {
  readonly loaderId: string;
  /** What the caller adds; null: the page has started it. */
  callerRequest: CallerRequest | null;
  /** Those that led here, also from navigations in place of which this one goes on. */
  readonly redirects: Redirect[] = [];
  readonly redirectLoop = new RedirectLoopDetector();
  /** With the fragment. */
  url: string;
  method: string;
  requestHeaders: HeaderList | null = null;
  response: NavigationResponse | null = null;
  tappedResponse: TappedResponse | null = null;
  /** As Chromium names it. */
  error = 'net::ERR_FAILED';
  /** It leads nowhere, or another one goes on in its place: what the browser makes of it is of no meaning. */
  abandoned = false;
  ttfbMs = 0;
  tlsMs: number | null = null;
  downloadMs: number | null = null;
  /** Decoded bytes of a body that the browser shows. */
  receivedBytes = 0;
  /** The body that the browser was given to show; null: it has loaded one. */
  givenBody: Uint8Array | null = null;
  /** Why the body that the browser shows is not whole. */
  cut: Failure | null = null;
  /** Redirects that the browser has followed in it. */
  followedRedirects = 0;
  #head: RawResponseHead | null = null;
  #pausedResponse = Promise.withResolvers<RequestPausedEvent | null>();
  #sentAt = 0;
  #respondedAt = 0;

  constructor(loaderId: string, outgoing: CallerRequest | null, url: string, method: string) {
    this.loaderId = loaderId;
    this.callerRequest = outgoing;
    this.url = url;
    this.method = method;
  }

  /** The next request goes out now. @param url with the fragment */
  requestSent(url: string, method: string): void {
    this.url = url;
    this.method = method;
    this.#head = null;
    this.#pausedResponse = Promise.withResolvers();
    this.dispose();
    this.#sentAt = performance.now();
  }

  /** `Network.responseReceivedExtraInfo`. */
  setResponseHead(status: number, headers: Readonly<Record<string, string>>, text: string | undefined): void {
    this.#head = { status, headers: toResponseHeaders(headers, text) };
  }

  /** The answer that has come. @param told what is told of it where the network tells nothing */
  responseReceived(status: number, told: HeaderList): NavigationResponse {
    this.#respondedAt = performance.now();
    this.ttfbMs += this.#respondedAt - this.#sentAt;
    const head = this.tappedResponse?.head ?? this.#head;
    const headers = head !== null && head.status === status ? head.headers : told;
    const { loaderId, url, method } = this;
    return { loaderId, url: withoutUserinfo(url), method, status, headers };
  }

  /** The answer was a redirect that the browser did not take for one: it tells nothing of it but that it failed. */
  addInvalidRedirect(): void {
    const status = (this.tappedResponse?.head ?? this.#head)?.status ?? 0;
    if (status >= 300 && status < 400)
      this.redirects.push({ url: withoutUserinfo(this.url), statusCode: status });
  }

  /** Another scraper has had the answer. */
  setFetchedResponse({ page, redirects, requestHeaders }: FetchedPage): void {
    this.response = this.responseReceived(page.statusCode, page.headers);
    this.redirects.push(...redirects);
    this.requestHeaders = requestHeaders;
    this.receivedBytes = page.body.length;
    this.givenBody = page.body;
  }

  /** What the browser makes of an answer that is read elsewhere: it waits with it, or has given it up (null). */
  setPausedResponse(event: RequestPausedEvent | null): void {
    this.#pausedResponse.resolve(event);
  }

  get pausedResponse(): Promise<RequestPausedEvent | null> {
    return this.#pausedResponse.promise;
  }

  /** What comes of it is not whole. */
  setTruncated(why: Failure): void {
    this.cut ??= why;
  }

  bodyFinished(): void {
    this.downloadMs ??= performance.now() - this.#respondedAt;
  }

  dispose(): void {
    this.tappedResponse?.dispose();
    this.tappedResponse = null;
  }
}

/** Where the main frame has been: its navigations, and which of them counts. */
export class NavigationTracker {
  /** The one whose document is shown. */
  committed: Navigation | null = null;
  latest: Navigation | null = null;
  readonly #navigations = new Map<string, Navigation>();
  /** What led to the shown document. */
  readonly #redirects: Redirect[] = [];
  #final: Navigation | null = null;
  #ttfbMs = 0;

  find(loaderId: string): Navigation | undefined {
    return this.#navigations.get(loaderId);
  }

  add(nav: Navigation): void {
    this.#navigations.set(nav.loaderId, nav);
    this.latest = nav;
  }

  /** Its document is shown. @returns false when it was before */
  commit(nav: Navigation): boolean {
    if (nav === this.committed) return false;
    this.#redirects.push(...this.#redirectsTo(nav));
    this.#ttfbMs += nav.ttfbMs;
    this.committed = nav;
    return true;
  }

  /** The visit ends with it in place of a shown document. */
  endWith(nav: Navigation | null): void {
    this.#final ??= nav;
  }

  /** The one that the result comes from, as far as it is known. */
  get decisive(): Navigation | null {
    return this.#final ?? this.committed ?? this.latest;
  }

  /** In their order; navigations that the page started have no status. */
  get redirects(): readonly Redirect[] {
    const nav = this.decisive;
    return nav === null || nav === this.committed
      ? this.#redirects
      : [...this.#redirects, ...this.#redirectsTo(nav)];
  }

  get requestHeaders(): HeaderList | null {
    return this.decisive?.requestHeaders ?? null;
  }

  /** Of all that led to the result together. */
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

/** What a page means to do so soon, it does before it is read. */
const SOON_NAVIGATION_MS = 1_000;
/** How late a timer of a page may be. */
const TIMER_TOLERANCE_MS = 100;

/** Whether the page that is shown is on its way to another one: by script, by `meta refresh`, or by what was clicked. */
export class NavigationWaiter {
  readonly #navigations: NavigationTracker;
  /** Until when a navigation that is announced is waited for; it may be none. */
  #expectedUntil = 0;
  #onChange: (() => void) | null = null;

  constructor(session: CdpSession, mainFrame: string, journey: NavigationTracker) {
    this.#navigations = journey;
    session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === mainFrame && delay * 1000 <= SOON_NAVIGATION_MS) this.#expect(delay * 1000);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
      if (frameId === mainFrame && disposition === 'currentTab' && /^https?:/i.test(url)) this.#expect(0);
    });
    session.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
      // A navigation that begins is cleared as well, and is heard of right after.
      if (frameId === mainFrame) this.#expectedUntil = Math.min(this.#expectedUntil, performance.now() + 100);
    });
  }

  /** It may set out within a second after it was loaded. @param loadedMs how long ago that was */
  expectNavigation(loadedMs: number): void {
    if (loadedMs > SOON_NAVIGATION_MS) return;
    const until = performance.now() + SOON_NAVIGATION_MS - loadedMs + TIMER_TOLERANCE_MS;
    this.#expectedUntil = Math.max(this.#expectedUntil, until);
  }

  /** Another document is shown. */
  navigationCommitted(): void {
    this.#expectedUntil = 0;
    this.#onChange?.();
  }

  /** The page stays what it is. */
  navigationAborted(nav: Navigation): void {
    nav.abandoned = true;
    this.#onChange?.();
  }

  #expect(delayMs: number): void {
    this.#expectedUntil = performance.now() + delayMs + SOON_NAVIGATION_MS;
  }

  /** Settles when it leads nowhere any more; true: another document is shown. At once when it does not. */
  async waitForNavigation(signal: AbortSignal): Promise<boolean> {
    const { committed } = this.#navigations;
    while (!signal.aborted && this.#navigations.committed === committed) {
      const { latest } = this.#navigations;
      const underWay = latest !== committed && latest !== null && !latest.abandoned;
      const left = this.#expectedUntil - performance.now();
      if (!underWay && left <= 0) return false;
      await this.#nextChange(underWay ? null : left, signal);
    }
    return this.#navigations.committed !== committed;
  }

  /** Something has happened, or the time is up. */
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
