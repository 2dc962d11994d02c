import { type Failure, failure } from '../../../../domain/failure.ts';
import { isRepeatable } from '../../../../domain/job.ts';
import type { Egress } from '../../../../egress/egress.ts';
import type { GatewayTrip, GatewayUse } from '../../../../egress/gateway/gateway.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Answer, Ending } from './answer.ts';
import type { Credentials } from './first-headers.ts';
import { takeCookiesOf } from './given-document.ts';
import { headerLines, sentLines } from './header-lines.ts';
import { Journey } from './journey.ts';
import { Leaving } from './leaving.ts';
import type { LinkedRequest } from './linked-request.ts';
import { LossyCookies } from './lossy-cookies.ts';
import { Navigation } from './navigation.ts';
import { firstOutgoing } from './outgoing.ts';
import { Requests } from './requests.ts';
import { SetCookies } from './set-cookies.ts';
import { ShownStates } from './shown-states.ts';
import { startTelling } from './start-telling.ts';
import { withoutCredentials } from './without-credentials.ts';

/** So many are told. */
const MOST_DOWNLOADS = 20;

/** Follows the main frame of a page: where it goes, what is answered, and which document is shown. */
export class Visit {
  readonly journey = new Journey();
  /** Only where the caller gave cookies, which these are to be told from. */
  readonly setCookies = new SetCookies();
  readonly lossyCookies = new LossyCookies();
  /** URLs of files that the page wanted to be kept: of those that leave it shown. */
  readonly downloads = new Set<string>();
  /**
   * Called when the attempt's share of the time counts no more: a page has begun to come, or bytes of a request that is
   * sent once are out.
   */
  readonly #onHead: () => void;
  readonly #session: CdpSession;
  readonly #order: FetchOrder;
  readonly #mainFrame: string;
  readonly #requests: Requests;
  readonly #states = new ShownStates();
  /** Of the document that stands in the main frame, whose states count. */
  #loaderId = '';
  readonly #leaving: Leaving;

  constructor(
    session: CdpSession,
    mainFrame: string,
    order: FetchOrder,
    { use, judge, onHead }: { use: GatewayUse; judge: Egress['judge']; onHead: () => void },
  ) {
    this.#session = session;
    this.#mainFrame = mainFrame;
    this.#order = order;
    this.#onHead = onHead;
    this.#requests = new Requests(session, order, { use, judge }, this.journey);
    this.#requests.onHead = onHead;
    this.#requests.onDownload = (url) => this.#downloads(url);
    this.#leaving = new Leaving(session, mainFrame, this.journey);
  }

  /** @param told the browser tells of the page already: see `startTelling` */
  async begin(told: boolean): Promise<void> {
    const session = this.#session;
    const { journey } = this;
    const { cookies, browser } = this.#order.job;
    if (cookies.length > 0 || browser.storage !== null) this.setCookies.listen(session);
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
      const nav = journey.find(requestId);
      if (nav === undefined) return;
      nav.requestHeaders = sentLines(headers);
      if (nav.outgoing !== null && !isRepeatable(this.#order.job.method)) this.#onHead();
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers, headersText }) => {
      journey.find(requestId)?.headCame(statusCode, headers, headersText);
      this.lossyCookies.answered(headers);
    });
    session.on('Network.responseReceived', ({ requestId, frameId, type, response }) => {
      if (type !== 'Document' || frameId !== this.#mainFrame) return;
      // What a page made itself (`blob:`, `about:`) belongs to the answer that made the page.
      if (!response.url.startsWith('http')) return;
      const nav = journey.find(requestId) ?? this.#unseen(requestId, response);
      const { sslStart = -1, sslEnd = -1 } = response.timing ?? {};
      if (sslStart >= 0) nav.tlsMs = sslEnd - sslStart;
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const nav = journey.find(requestId);
      if (nav !== undefined) nav.received += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId }) => journey.find(requestId)?.finished());
    session.on('Network.loadingFailed', ({ requestId, errorText }) => {
      const nav = journey.find(requestId);
      if (nav !== undefined) this.#onLoadingFailed(nav, errorText);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#mainFrame) return;
      if (frame.unreachableUrl === undefined) this.#onNavigated(frame.loaderId);
      // A page that led to nowhere: what stands there now is the browser's own.
      else if (journey.shown !== null && journey.newest !== null)
        void this.#requests.failed(journey.newest, journey.newest.error);
    });
    session.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (frameId === this.#mainFrame && loaderId === this.#loaderId) this.#states.reach(name);
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.#mainFrame) this.#onStopped();
    });
    session.on('Page.downloadWillBegin', ({ url }) => this.#downloads(url));
    session.on('Fetch.requestPaused', (event) => {
      // Only where something is blocked; see `Blocker`.
      if (event.resourceType !== 'Document') return;
      if (event.frameId === this.#mainFrame) void this.#requests.paused(event);
      // A frame that is gone meanwhile needs nothing.
      else session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {});
    });
    // Nobody is there to sign in: the page that asks for it is the answer.
    session.on('Fetch.authRequired', ({ requestId }) => {
      const authChallengeResponse = { response: 'CancelAuth' } as const;
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
    });
    if (!told) await startTelling(session);
  }

  /** Starts the navigation; settles when a document is shown, or cannot be. Rejects with the browser. */
  async go(): Promise<void> {
    const { job, document } = this.#order;
    const first = firstOutgoing(job);
    if (document == null) return await this.#requests.navigate(first, null);
    this.setCookies.add(document.page.cookies);
    await takeCookiesOf(this.#session, document);
    const { finalUrl } = document.page;
    const authorized = new URL(finalUrl).origin === new URL(job.url).origin;
    await this.#requests.navigate({ ...first, url: finalUrl, authorized }, null);
  }

  /** The document that was fetched before has been shown, in place of being fetched again. */
  get gaveDocument(): boolean {
    return this.#requests.gaveDocument;
  }

  /** Settles when there will be no document to read: a failure, or bytes. */
  get ended(): Promise<Ending> {
    return this.#requests.ended;
  }

  /** See `Requests`. */
  set onLost(told: ((why: Failure) => void) | null) {
    this.#requests.onLost = told;
  }

  /** See `Requests`. */
  set credentials(of: Credentials | null) {
    this.#requests.credentials = of;
  }

  /** The body of an answer is being read as bytes: when the time is up, what came of it is a page. */
  get takesBody(): boolean {
    return this.#requests.takesBody;
  }

  /** Settles when the document shown has reached the state: `commit`, `DOMContentLoaded`, `load`. */
  reached(state: string): Promise<void> {
    return this.#states.reached(state);
  }

  /** The page may be on its way to another one: settles when it leads nowhere any more. true: another one is shown. */
  moved(signal: AbortSignal): Promise<boolean> {
    return this.#leaving.moved(signal);
  }

  /** The page is on its way to another one. */
  get leads(): boolean {
    const { shown, newest } = this.journey;
    return newest !== shown && newest !== null && !newest.over;
  }

  /** The scrape may not go there. */
  forbids(url: string): boolean {
    const { allowUrl } = this.#order;
    return allowUrl !== null && URL.canParse(url) && allowUrl(new URL(url)) !== null;
  }

  /** Goes where a window of the page was to go. Settles when that is shown, or will not be. Rejects with the browser. */
  follow(request: LinkedRequest): Promise<void> {
    return this.#requests.follow(request);
  }

  /** See `Leaving`: `moved` waits for that. */
  mayMove(loadedMs: number): void {
    this.#leaving.mayMove(loadedMs);
  }

  /** From now on the page that is shown cannot be left. */
  stay(): void {
    this.#requests.stays = true;
  }

  /**
   * The time for following the page is up: what it leads to and has not answered yet is given up. Until then browsers do not let
   * the page that is shown be read.
   */
  leadNowhere(): void {
    const { shown, newest } = this.journey;
    if (shown === null || newest === null || newest === shown || newest.over || this.takesBody) return;
    this.stay();
    this.#session.send('Page.stopLoading').catch(() => {});
  }

  /** The answer whose document is shown. */
  get shown(): Answer | null {
    return this.journey.shown?.answer ?? null;
  }

  /** Why the body of the shown document is not whole. */
  get cut(): Failure | null {
    return this.journey.shown?.cut ?? null;
  }

  /** All of the source of the shown document has come. */
  get whole(): boolean {
    return this.journey.shown !== null && this.journey.shown.downloadMs !== null;
  }

  /** Of the shown document not a byte came: all that is in it was made by the browser. */
  get empty(): boolean {
    const { shown } = this.journey;
    return shown !== null && shown.received === 0 && shown.downloadMs !== null && this.cut === null;
  }

  /** Status of the last head that came. */
  get status(): number | null {
    return this.#requests.status;
  }

  /** The connection that the decisive request went over. */
  get trip(): GatewayTrip | null {
    const nav = this.journey.decisive;
    return nav === null ? null : this.#requests.tripTo(nav.url);
  }

  /** Bytes of a request may be out. */
  get sent(): boolean {
    const { newest, shown } = this.journey;
    if (newest === null) return false;
    if (shown !== null || newest.redirects.length > 0) return true;
    return !this.#requests.refused && this.#requests.reached(newest.url);
  }

  dispose(): void {
    this.journey.dispose();
  }

  #downloads(url: string): void {
    if (this.downloads.size < MOST_DOWNLOADS) this.downloads.add(withoutCredentials(url));
  }

  #onLoadingFailed(nav: Navigation, errorText: string): void {
    nav.error = errorText;
    const undecodable = /DECODING/.test(errorText);
    if (undecodable)
      nav.breaks(failure('content.decode_failed', 'The content coding of the response is broken.'));
    if (undecodable && nav.received === 0) void this.#requests.failed(nav, errorText);
    else if (nav === this.journey.shown) {
      nav.finished();
      this.#neverLoads();
      nav.breaks(failure('content.incomplete', `The document ended early (${errorText}).`));
    } else if (this.journey.shown !== null && errorText === 'net::ERR_ABORTED') this.#leaving.gaveUp(nav);
  }

  /**
   * The browser loads no more: mostly because all is there. It also stops for good in the midst of a document, by
   * `window.stop()` and when the page leads to what cannot be shown (`mailto:`, a download).
   */
  #onStopped(): void {
    const { shown, newest } = this.journey;
    if (shown !== null && (newest === shown || newest?.over === true)) this.#neverLoads();
  }

  /** Browsers do not call such a document loaded, however long they are waited for. */
  #neverLoads(): void {
    for (const state of ['DOMContentLoaded', 'load']) this.#states.reach(state);
  }

  /** A document that came from the page's own worker: no request of it went out. */
  #unseen(
    loaderId: string,
    { url, status, headers }: { url: string; status: number; headers: Record<string, string> },
  ): Navigation {
    const nav = new Navigation(loaderId, null, url, 'GET');
    nav.answer = { loaderId, url, method: 'GET', status, headers: headerLines(headers, undefined) };
    this.journey.begin(nav);
    return nav;
  }

  #onNavigated(loaderId: string): void {
    const nav = this.journey.find(loaderId);
    if (nav === undefined && this.journey.shown !== null) {
      // What a page made itself (`blob:`, `about:`): it has states of its own, and the answer of what made it.
      if (loaderId !== this.#loaderId) this.#states.begin();
      this.#loaderId = loaderId;
      return;
    }
    if (nav === undefined || nav.answer === null || !this.journey.show(nav)) return;
    this.#loaderId = loaderId;
    this.#states.begin();
    this.#leaving.arrived();
  }
}
