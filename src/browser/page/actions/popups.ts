import type { CDPSession } from 'playwright-core';
import { deadlineIn } from '../../../base/time.ts';
import { orAborted, orTimeout, sleep, waitForCallback } from '../../../base/wait.ts';
import type { Failure, Warning } from '../../../domain/failure.ts';
import type { PageAction } from '../../../domain/page-action.ts';
import type { PlaywrightPage } from '../../engine/browser-page.ts';
import { TIMER_COUNT_SCRIPT } from '../read-document.ts';
import type { PopupRequest } from '../request-overrides.ts';
import { type NavigationResponse, withoutUserinfo } from '../response.ts';
import type { ActionEnvironment } from './action-context.ts';
import type { ActionLog } from './action-log.ts';

/** How long a window that was opened empty may take to be told where it goes. */
const BLANK_TIMEOUT_MS = 1_000;
/** Bytes of a form that can be sent in place of a window; browsers tell of no files. */
const MAX_FORM_BYTES = 2 ** 20;

/** A window that the page has opened beside itself. */
interface Popup {
  readonly targetId: string;
  /** Where it was to go, without credentials; `about:blank` and `blob:` have nothing to be fetched. */
  url: string;
  /** What it was about to send; null: nothing that could be sent in its place. */
  request: PopupRequest | null;
  /** By `performance.now()`. */
  readonly openedAt: number;
}

interface WatchedPopup extends Popup {
  requestId: string | null;
}

/**
 * The windows that a page opens while actions are done on it. Their first request is held before it is sent, so that the page
 * itself can be led there in their place; none of them loads anything.
 */
export class PopupWatcher {
  readonly #session: CDPSession;
  readonly #playwright: PlaywrightPage;
  readonly #popups = new Map<string, WatchedPopup>();
  /** Something of a window has become known. */
  #onChange: (() => void) | null = null;

  private constructor(session: CDPSession, full: PlaywrightPage) {
    this.#session = session;
    this.#playwright = full;
  }

  /** @param ofPage the session of the page itself. Rejects with the browser. */
  static async watch(full: PlaywrightPage, ofPage: Pick<CDPSession, 'send'>): Promise<PopupWatcher> {
    const { targetInfo: own } = await ofPage.send('Target.getTargetInfo');
    const session = await full.context.browser()!.newBrowserCDPSession();
    const windows = new PopupWatcher(session, full);
    let begun = false;
    session.on('Target.targetCreated', ({ targetInfo: { type, targetId, browserContextId, url } }) => {
      // The pages of other scrapes are told of, too, and all that were open before.
      if (!begun || type !== 'page' || browserContextId !== own.browserContextId) return;
      if (targetId === own.targetId) return;
      windows.#popups.set(targetId, {
        targetId,
        url: url || 'about:blank',
        request: null,
        requestId: null,
        openedAt: performance.now(),
      });
    });
    session.on('Target.targetInfoChanged', ({ targetInfo: { targetId: id, url } }) => {
      const window = windows.#popups.get(id);
      if (window !== undefined && url !== '' && window.requestId === null) window.url = url;
    });
    session.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
      const window = windows.#popups.get(frameId);
      if (window === undefined)
        return void session.send('Fetch.continueRequest', { requestId }).catch(() => {});
      window.requestId = requestId;
      window.url = withoutUserinfo(request.url + (request.urlFragment ?? ''));
      window.request = toPopupRequest(request);
      windows.#onChange?.();
    });
    await Promise.all([
      session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }),
      session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] }),
    ]);
    begun = true;
    full.keepsPopups = true;
    return windows;
  }

  /** Some were opened since the last time. */
  get hasPopups(): boolean {
    return this.#popups.size > 0;
  }

  /**
   * Those that were opened since the last time, which are closed then. Waits for those that are empty to be told where they go.
   * Never rejects.
   */
  async takeAll(signal: AbortSignal): Promise<readonly Popup[]> {
    const windows = this.#popups;
    if (windows.size === 0) return [];
    using most = deadlineIn(BLANK_TIMEOUT_MS, signal);
    const isEmpty = ({ url, requestId }: WatchedPopup) => requestId === null && url === 'about:blank';
    while (!most.signal.aborted && [...windows.values()].some(isEmpty)) await this.#nextChange(most.signal);
    const taken = [...windows.values()];
    windows.clear();
    await Promise.all(taken.map((window) => this.#close(window)));
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

  /** From now on windows are closed as they come. Never rejects. */
  async stop(): Promise<void> {
    this.#playwright.keepsPopups = false;
    const left = [...this.#popups.values()];
    this.#popups.clear();
    await Promise.all(left.map((window) => this.#close(window)));
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

function toPopupRequest({
  url,
  urlFragment,
  method,
  headers,
  ...told
}: PausedPopupRequest): PopupRequest | null {
  const referrer = headers.Referer ?? null;
  const whole = url + (urlFragment ?? '');
  if (method === 'GET') return { url: whole, referrer, post: null };
  const pieces = (told.postDataEntries ?? []).map(({ bytes }) => bytes);
  if (method !== 'POST' || (told.hasPostData === true && pieces.length === 0)) return null;
  if (!pieces.every((piece) => piece !== undefined)) return null;
  const body = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
  if (body.length > MAX_FORM_BYTES) return null;
  const { 'Content-Type': contentType, Origin: origin } = headers;
  const fields = Object.entries({ 'Content-Type': contentType, Origin: origin });
  return {
    url: whole,
    referrer,
    post: {
      headers: fields.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
      body: body.toString('base64'),
    },
  };
}

/** Actions that may make a page open a window. */
const POPUP_ACTIONS: ReadonlySet<string> = new Set([
  'click',
  'press',
  'select',
  'check',
  'uncheck',
  'evaluate',
]);
export const mayOpenPopup = ({ type }: PageAction): boolean => POPUP_ACTIONS.has(type);

/** So long after a click browsers let a page open windows (HTML, transient activation duration). */
const USER_ACTIVATION_MS = 5_000;
/** What the page shows may change by so many letters beside the window: clocks and labels of buttons do. */
const MAX_TEXT_CHANGE = 50;
/** How long what an action has begun is waited for: data that the page fetches, timers that it has set. */
const FETCH_WAIT_MS = 2_000;
const TIMER_WAIT_MS = 1_000;
/** What comes of data is done so soon after it is there. */
const SETTLE_MS = 300;
const POLL_MS = 50;
/** A page that does not say what it shows by then is busy. */
const SNAPSHOT_TIMEOUT_MS = 500;
const FOLLOW_TIMEOUT_MS = 5_000;
/** So many are told of one action. */
const MAX_WARNINGS = 10;

/** What is to be seen of a page. */
interface PageSnapshot {
  /** How much text it shows. */
  readonly letters: number;
  /** How many timers its scripts have set. */
  readonly timers: number;
}

/** What an action does to the page, and where its entry in the results is. */
interface TrackedAction {
  readonly action: PageAction;
  readonly resultIndex: number;
  /** The page before. */
  readonly responseBefore: NavigationResponse | null;
  /** null: not known. */
  readonly snapshot: PageSnapshot | null;
  /** By `performance.now()`; null: it is under way. */
  finishedAt: number | null;
  failed: boolean;
}

/** Leads the page to what an action opens in a window of its own, where that is all that the action did; else tells it. */
export class PopupFollower {
  readonly #env: ActionEnvironment;
  readonly #popups: PopupWatcher;
  readonly #log: ActionLog;
  #tracked: TrackedAction | null = null;

  constructor(stage: ActionEnvironment, windows: PopupWatcher, ledger: ActionLog) {
    this.#env = stage;
    this.#popups = windows;
    this.#log = ledger;
  }

  /** An action that may open windows begins. @param at its place in the results */
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

  /** An action is done: looks for windows, also of the one before. Never rejects. @param failed it was not done */
  async actionFinished(at: number, failed: boolean, signal: AbortSignal): Promise<void> {
    const acted = this.#tracked;
    if (acted?.resultIndex === at) {
      acted.finishedAt = performance.now();
      acted.failed = failed;
    }
    await this.#handlePopups(signal);
  }

  /** While an action only waits: perhaps for what is in the window. Settles when that is over. Never rejects. */
  async followWhile(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
    let over = this.#tracked === null;
    void waiting.then(() => {
      over = true;
    });
    while (!over && !signal.aborted) {
      await this.#handlePopups(signal);
      await orTimeout(waiting, POLL_MS, undefined);
    }
  }

  /** The last action is done: what it has begun may still open a window, or lead elsewhere. Never rejects. */
  async finish(signal: AbortSignal): Promise<void> {
    const acted = this.#tracked;
    if (acted === null || acted.finishedAt === null || acted.failed) return;
    await this.#waitForEffects(acted, acted.finishedAt, () => this.#popups.hasPopups, signal);
    await this.#handlePopups(signal);
  }

  async #handlePopups(signal: AbortSignal): Promise<void> {
    if (!this.#popups.hasPopups) return;
    const acted = this.#tracked;
    const opened = [...(await this.#popups.takeAll(signal))];
    const until = (acted?.finishedAt ?? Number.POSITIVE_INFINITY) + USER_ACTIVATION_MS;
    if (acted === null || opened.every(({ openedAt }) => openedAt > until)) return;
    await this.#waitForEffects(acted, performance.now(), () => false, signal);
    const look = await this.#takeSnapshot(signal);
    // The page may have opened more of them until it could say what it shows.
    opened.push(...(await this.#popups.takeAll(signal)));
    const why = this.#reasonNotToFollow(opened, acted, look);
    if (why === null) await this.#follow(opened[0]!, acted, signal);
    else for (const window of opened.slice(0, MAX_WARNINGS)) this.#warn(window, acted, why);
  }

  /**
   * Waits until what an action has begun is over, or has led the page elsewhere.
   * @param from when data that is being fetched was first waited for, by `performance.now()`
   */
  async #waitForEffects(
    acted: TrackedAction,
    from: number,
    isEnough: () => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { network, mainFrame } = this.#env;
    const isOver = () =>
      signal.aborted || mainFrame.isNavigating || mainFrame.response !== acted.responseBefore || isEnough();
    if (isOver()) return;
    const look = await this.#takeSnapshot(signal);
    const hasSet = look !== null && acted.snapshot !== null && look.timers > acted.snapshot.timers;
    let until = hasSet ? (acted.finishedAt ?? from) + TIMER_WAIT_MS : 0;
    for (;;) {
      const now = performance.now();
      if (network.isLoadingData) until = Math.max(until, Math.min(now + SETTLE_MS, from + FETCH_WAIT_MS));
      if (now >= until || isOver()) return;
      await sleep(POLL_MS);
    }
  }

  /** Why the page is not led there; null: it is. */
  #reasonNotToFollow(
    [first, ...more]: readonly Popup[],
    acted: TrackedAction,
    look: PageSnapshot | null,
  ): string | null {
    const { mainFrame } = this.#env;
    if (acted.failed) return 'the action failed';
    if (more.length > 0) return 'several windows were opened';
    const { request } = first!;
    if (request === null) return 'it has no URL to load';
    if (mainFrame.response !== acted.responseBefore || mainFrame.isNavigating)
      return 'the page itself navigated too';
    if (mainFrame.isForbidden(request.url)) return 'its domain is not allowed';
    if (look === null || acted.snapshot === null) return null;
    return Math.abs(look.letters - acted.snapshot.letters) > MAX_TEXT_CHANGE
      ? 'the page itself changed too'
      : null;
  }

  async #follow(window: Popup, acted: TrackedAction, signal: AbortSignal): Promise<void> {
    const { mainFrame } = this.#env;
    const { response } = mainFrame;
    const { action, resultIndex } = acted;
    using time = deadlineIn(action.timeoutMs ?? FOLLOW_TIMEOUT_MS, signal);
    const lost: Failure[] = [];
    mainFrame.onLost = (why) => void lost.push(why);
    // Before it is known whether there is any: the scrape ends with an answer that is no document.
    this.#log.recordPopup(resultIndex, action, window.url);
    const downloads = mainFrame.downloads.size;
    try {
      await orAborted(mainFrame.followPopup(window.request!), time.signal);
      if (mainFrame.response !== response) await orAborted(mainFrame.waitForLoadState('load'), time.signal);
    } catch {
      // It takes long, like the page that any other click leads to.
    } finally {
      mainFrame.onLost = null;
    }
    if (mainFrame.response !== response || (lost.length === 0 && mainFrame.isNavigating)) return;
    this.#log.recordPopup(resultIndex, action, null);
    // A file is told as one.
    if (mainFrame.downloads.size > downloads) return;
    this.#warn(window, acted, lost[0]?.message.replace(/\.$/, '') ?? 'its page could not be loaded');
  }

  #warn({ url }: Popup, { action: { index, type, id } }: TrackedAction, why: string): void {
    const warning: Warning = {
      code: 'page.opened',
      message: `Page action ${index} (${type}) opened ${url.slice(0, MAX_URL_LENGTH)} in a new window, which was closed: ${why}.`,
      details: { url, index, type, id },
    };
    if (!this.#log.closed) this.#log.warnings.push(warning);
  }

  /** In a world of its own, in which the page has changed nothing; null: the page does not answer. */
  async #takeSnapshot(signal: AbortSignal): Promise<PageSnapshot | null> {
    const { session, mainFrameId: frameId } = this.#env;
    const look = async (): Promise<PageSnapshot> => {
      const world = { frameId, worldName: 'reader' };
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
      const { result } = await session.send('Runtime.evaluate', {
        expression: `({ letters: document.body?.innerText?.length ?? 0, timers: ${TIMER_COUNT_SCRIPT} })`,
        contextId,
        returnByValue: true,
      });
      return result.value;
    };
    const looking = look().catch(() => null);
    return orAborted(orTimeout(looking, SNAPSHOT_TIMEOUT_MS, null), signal, () => null);
  }
}

const MAX_URL_LENGTH = 500;
