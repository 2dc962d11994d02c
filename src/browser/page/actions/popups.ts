import type { CDPSession } from 'playwright-core';
import { deadlineUnder } from '../../../base/time.ts';
import { orAborted, orTimeout, sleep, waitForCallback } from '../../../base/wait.ts';
import type { Failure, Warning } from '../../../domain/failure.ts';
import type { PageAction } from '../../../domain/page-action.ts';
import type { PlaywrightPage } from '../../engine/browser-page.ts';
import { TIMER_COUNT_SCRIPT } from '../read-document.ts';
import type { PopupRequest } from '../request-overrides.ts';
import { type NavigationResponse, withoutUserinfo } from '../response.ts';
import type { ActionEnvironment } from './action-context.ts';
import type { ActionLog } from './action-log.ts';

/** How long an empty popup may take to get a URL. */
const BLANK_TIMEOUT_MS = 1_000;
/** A popup with a larger form is not followed. Forms with files cannot be, because CDP does not give their content. */
const MAX_FORM_BYTES = 2 ** 20;

/** A window or tab that the page has opened. */
interface Popup {
  readonly targetId: string;
  /** Without credentials. A popup with `about:blank` or a `blob:` URL has no request. */
  url: string;
  /** The popup's first request; null: it has none that the page could send instead. */
  request: PopupRequest | null;
  /** By `performance.now()`. */
  readonly openedAt: number;
}

interface WatchedPopup extends Popup {
  requestId: string | null;
}

/**
 * Watches for popups while actions run. Their first request is paused before it is sent, so that the page that opened them can
 * send it in their place. Popups never load anything.
 */
export class PopupWatcher {
  readonly #session: CDPSession;
  readonly #playwright: PlaywrightPage;
  readonly #popups = new Map<string, WatchedPopup>();
  #onChange: (() => void) | null = null;

  private constructor(session: CDPSession, playwright: PlaywrightPage) {
    this.#session = session;
    this.#playwright = playwright;
  }

  /** @param pageSession the session of the page itself. Rejects when the browser ends. */
  static async watch(
    playwright: PlaywrightPage,
    pageSession: Pick<CDPSession, 'send'>,
  ): Promise<PopupWatcher> {
    const { targetInfo: openerInfo } = await pageSession.send('Target.getTargetInfo');
    const session = await playwright.context.browser()!.newBrowserCDPSession();
    const watcher = new PopupWatcher(session, playwright);
    let hasStarted = false;
    session.on('Target.targetCreated', ({ targetInfo: { type, targetId, browserContextId, url } }) => {
      // The browser also reports pages of other scrapes, and at first all pages that are open already.
      if (!hasStarted || type !== 'page' || browserContextId !== openerInfo.browserContextId) return;
      if (targetId === openerInfo.targetId) return;
      watcher.#popups.set(targetId, {
        targetId,
        url: url || 'about:blank',
        request: null,
        requestId: null,
        openedAt: performance.now(),
      });
    });
    session.on('Target.targetInfoChanged', ({ targetInfo: { targetId: id, url } }) => {
      const popup = watcher.#popups.get(id);
      if (popup !== undefined && url !== '' && popup.requestId === null) popup.url = url;
    });
    session.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
      const popup = watcher.#popups.get(frameId);
      if (popup === undefined)
        return void session.send('Fetch.continueRequest', { requestId }).catch(() => {});
      popup.requestId = requestId;
      popup.url = withoutUserinfo(request.url + (request.urlFragment ?? ''));
      popup.request = toPopupRequest(request);
      watcher.#onChange?.();
    });
    await Promise.all([
      session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }),
      session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] }),
    ]);
    hasStarted = true;
    playwright.keepsPopups = true;
    return watcher;
  }

  /** Popups were opened since the last `takeAll`. */
  get hasPopups(): boolean {
    return this.#popups.size > 0;
  }

  /**
   * Closes and returns the popups that were opened since the last call. Waits a short time for empty ones to get a URL. Never
   * rejects.
   */
  async takeAll(signal: AbortSignal): Promise<readonly Popup[]> {
    const popups = this.#popups;
    if (popups.size === 0) return [];
    using limit = deadlineUnder(BLANK_TIMEOUT_MS, signal);
    const isEmpty = ({ url, requestId }: WatchedPopup) => requestId === null && url === 'about:blank';
    while (!limit.signal.aborted && [...popups.values()].some(isEmpty)) await this.#nextChange(limit.signal);
    const taken = [...popups.values()];
    popups.clear();
    await Promise.all(taken.map((popup) => this.#close(popup)));
    return taken;
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return waitForCallback<void>(
      signal,
      (settle) => {
        this.#onChange = settle;
        return () => {
          this.#onChange = null;
        };
      },
      () => {},
    );
  }

  async #close({ requestId, targetId }: WatchedPopup): Promise<void> {
    const session = this.#session;
    if (requestId !== null)
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => {});
    await session.send('Target.closeTarget', { targetId }).catch(() => {});
  }

  /** From now on, popups are closed when they open. Never rejects. */
  async stop(): Promise<void> {
    this.#playwright.keepsPopups = false;
    const left = [...this.#popups.values()];
    this.#popups.clear();
    await Promise.all(left.map((popup) => this.#close(popup)));
    await this.#session.detach().catch(() => {});
  }
}

interface PausedPopupRequest {
  readonly url: string;
  readonly urlFragment?: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasPostData?: boolean;
  readonly postDataEntries?: readonly { readonly bytes?: string }[];
}

/** null: the page cannot send this request. */
function toPopupRequest({
  url,
  urlFragment,
  method,
  headers,
  hasPostData,
  postDataEntries,
}: PausedPopupRequest): PopupRequest | null {
  const referrer = headers.Referer ?? null;
  const fullUrl = url + (urlFragment ?? '');
  if (method === 'GET') return { url: fullUrl, referrer, post: null };
  const pieces = (postDataEntries ?? []).map(({ bytes }) => bytes);
  if (method !== 'POST' || (hasPostData === true && pieces.length === 0)) return null;
  if (!pieces.every((piece) => piece !== undefined)) return null;
  const body = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
  if (body.length > MAX_FORM_BYTES) return null;
  const { 'Content-Type': contentType, Origin: origin } = headers;
  const fields = Object.entries({ 'Content-Type': contentType, Origin: origin });
  return {
    url: fullUrl,
    referrer,
    post: {
      headers: fields.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
      body: body.toString('base64'),
    },
  };
}

/** Actions that may make a page open a popup. */
const POPUP_ACTIONS: ReadonlySet<string> = new Set([
  'click',
  'press',
  'select',
  'check',
  'uncheck',
  'evaluate',
]);
export const mayOpenPopup = ({ type }: PageAction): boolean => POPUP_ACTIONS.has(type);

/** How long after a click a page may open popups (HTML, transient activation duration). */
const USER_ACTIVATION_MS = 5_000;
/** Smaller changes of the page's text do not count: clocks and labels of buttons change too. */
const MAX_TEXT_CHANGE = 50;
/** The longest waits for effects of an action: for data that the page fetches, and for timers that it has set. */
const FETCH_WAIT_MS = 2_000;
const TIMER_WAIT_MS = 1_000;
/** Time for the page to process data that it has fetched. */
const SETTLE_MS = 300;
const POLL_MS = 50;
/** A page that has not responded by then is busy. */
const SNAPSHOT_TIMEOUT_MS = 500;
const FOLLOW_TIMEOUT_MS = 5_000;
const MAX_URL_LENGTH = 500;
/** For the popups of one action. */
const MAX_WARNINGS = 10;

/** What shows whether an action has changed the page. */
interface PageSnapshot {
  /** Length of the visible text. */
  readonly textLength: number;
  /** How many timers the scripts of the page have set. */
  readonly timers: number;
}

/** The last action that may open popups. */
interface TrackedAction {
  readonly action: PageAction;
  readonly resultIndex: number;
  /** Of the document that was shown at its start. */
  readonly responseBefore: NavigationResponse | null;
  /** At its start; null: unknown. */
  readonly snapshot: PageSnapshot | null;
  /** By `performance.now()`; null: it is running. */
  finishedAt: number | null;
  failed: boolean;
}

/** If all that an action does is to open a popup, navigates the page to the popup's URL. Otherwise adds a warning. */
export class PopupFollower {
  readonly #env: ActionEnvironment;
  readonly #popups: PopupWatcher;
  readonly #log: ActionLog;
  #tracked: TrackedAction | null = null;

  constructor(env: ActionEnvironment, popups: PopupWatcher, log: ActionLog) {
    this.#env = env;
    this.#popups = popups;
    this.#log = log;
  }

  /** An action that may open popups starts. */
  async actionStarted(action: PageAction, resultIndex: number, signal: AbortSignal): Promise<void> {
    const { response } = this.#env.mainFrame;
    const snapshot = await this.#takeSnapshot(signal);
    this.#tracked = {
      action,
      resultIndex,
      responseBefore: response,
      snapshot,
      finishedAt: null,
      failed: false,
    };
  }

  /** An action has ended: handles popups, also of an earlier action. Never rejects. */
  async actionFinished(resultIndex: number, failed: boolean, signal: AbortSignal): Promise<void> {
    const tracked = this.#tracked;
    if (tracked?.resultIndex === resultIndex) {
      tracked.finishedAt = performance.now();
      tracked.failed = failed;
    }
    await this.#handlePopups(signal);
  }

  /** Handles popups while an action waits, perhaps for an element of the popup. Settles after the wait. Never rejects. */
  async followWhile(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
    let hasEnded = this.#tracked === null;
    void waiting.then(() => {
      hasEnded = true;
    });
    while (!hasEnded && !signal.aborted) {
      await this.#handlePopups(signal);
      await orTimeout(waiting, POLL_MS, undefined);
    }
  }

  /** After the last action: waits for its effects, which may open a popup or navigate. Never rejects. */
  async finish(signal: AbortSignal): Promise<void> {
    const tracked = this.#tracked;
    if (tracked === null || tracked.finishedAt === null || tracked.failed) return;
    await this.#waitForEffects(tracked, tracked.finishedAt, signal, () => this.#popups.hasPopups);
    await this.#handlePopups(signal);
  }

  async #handlePopups(signal: AbortSignal): Promise<void> {
    if (!this.#popups.hasPopups) return;
    const tracked = this.#tracked;
    const opened = [...(await this.#popups.takeAll(signal))];
    const activationEnd = (tracked?.finishedAt ?? Number.POSITIVE_INFINITY) + USER_ACTIVATION_MS;
    if (tracked === null || opened.every(({ openedAt }) => openedAt > activationEnd)) return;
    await this.#waitForEffects(tracked, performance.now(), signal);
    const snapshot = await this.#takeSnapshot(signal);
    // The page may have opened more popups meanwhile.
    opened.push(...(await this.#popups.takeAll(signal)));
    const reason = this.#reasonNotToFollow(opened, tracked, snapshot);
    if (reason === null) await this.#follow(opened[0]!, tracked, signal);
    else for (const popup of opened.slice(0, MAX_WARNINGS)) this.#warn(popup, tracked, reason);
  }

  /**
   * Waits until the effects of an action have ended, or have made the page navigate.
   * @param from start of the wait for data that is being fetched, by `performance.now()`
   * @param isEnough ends the wait early
   */
  async #waitForEffects(
    tracked: TrackedAction,
    from: number,
    signal: AbortSignal,
    isEnough = () => false,
  ): Promise<void> {
    const { network, mainFrame } = this.#env;
    const isOver = () =>
      signal.aborted || mainFrame.isNavigating || mainFrame.response !== tracked.responseBefore || isEnough();
    if (isOver()) return;
    const snapshot = await this.#takeSnapshot(signal);
    const hasSetTimers =
      snapshot !== null && tracked.snapshot !== null && snapshot.timers > tracked.snapshot.timers;
    let until = hasSetTimers ? (tracked.finishedAt ?? from) + TIMER_WAIT_MS : 0;
    for (;;) {
      const now = performance.now();
      if (network.isLoadingData) until = Math.max(until, Math.min(now + SETTLE_MS, from + FETCH_WAIT_MS));
      if (now >= until || isOver()) return;
      await sleep(POLL_MS);
    }
  }

  /** Why the page must not navigate to the popup's URL; null: it may. */
  #reasonNotToFollow(
    [first, ...more]: readonly Popup[],
    tracked: TrackedAction,
    snapshot: PageSnapshot | null,
  ): string | null {
    const { mainFrame } = this.#env;
    if (tracked.failed) return 'the action failed';
    if (more.length > 0) return 'several windows were opened';
    const { request } = first!;
    if (request === null) return 'it has no URL to load';
    if (mainFrame.response !== tracked.responseBefore || mainFrame.isNavigating)
      return 'the page itself navigated too';
    if (mainFrame.isForbidden(request.url)) return 'its domain is not allowed';
    if (snapshot === null || tracked.snapshot === null) return null;
    return Math.abs(snapshot.textLength - tracked.snapshot.textLength) > MAX_TEXT_CHANGE
      ? 'the page itself changed too'
      : null;
  }

  async #follow(popup: Popup, tracked: TrackedAction, signal: AbortSignal): Promise<void> {
    const { mainFrame } = this.#env;
    const { response } = mainFrame;
    const { action, resultIndex } = tracked;
    using time = deadlineUnder(action.timeoutMs ?? FOLLOW_TIMEOUT_MS, signal);
    const failures: Failure[] = [];
    mainFrame.onNavigationFailed = (reason) => void failures.push(reason);
    // Recorded before the navigation, because a response that is not a document ends the scrape.
    this.#log.recordPopup(resultIndex, action, popup.url);
    const downloads = mainFrame.downloads.size;
    try {
      await orAborted(mainFrame.navigateToPopupUrl(popup.request!), time.signal);
      if (mainFrame.response !== response) await orAborted(mainFrame.waitForLoadState('load'), time.signal);
    } catch {
      // Timed out: a page that loads slowly is not an error, as after any other click.
    } finally {
      mainFrame.onNavigationFailed = null;
    }
    if (mainFrame.response !== response || (failures.length === 0 && mainFrame.isNavigating)) return;
    this.#log.recordPopup(resultIndex, action, null);
    // A download has its own warning, `page.download`.
    if (mainFrame.downloads.size > downloads) return;
    this.#warn(popup, tracked, failures[0]?.message.replace(/\.$/, '') ?? 'its page could not be loaded');
  }

  #warn({ url }: Popup, { action: { index, type, id } }: TrackedAction, reason: string): void {
    const warning: Warning = {
      code: 'page.opened',
      message: `Page action ${index} (${type}) opened ${url.slice(0, MAX_URL_LENGTH)} in a new window, which was closed: ${reason}.`,
      details: { url, index, type, id },
    };
    if (!this.#log.closed) this.#log.warnings.push(warning);
  }

  /** Runs in an isolated world, because scripts may have replaced built-ins of the page; null: the page does not respond. */
  async #takeSnapshot(signal: AbortSignal): Promise<PageSnapshot | null> {
    const { session, mainFrameId: frameId } = this.#env;
    const evaluate = async (): Promise<PageSnapshot> => {
      const world = { frameId, worldName: 'reader' };
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
      const { result } = await session.send('Runtime.evaluate', {
        expression: `({ textLength: document.body?.innerText?.length ?? 0, timers: ${TIMER_COUNT_SCRIPT} })`,
        contextId,
        returnByValue: true,
      });
      return result.value;
    };
    const snapshot = evaluate().catch(() => null);
    return orAborted(orTimeout(snapshot, SNAPSHOT_TIMEOUT_MS, null), signal, () => null);
  }
}
