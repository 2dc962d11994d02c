import type { CdpSession } from '../engine/cdp-session.ts';
import type { MainFrame } from './main-frame.ts';

/**
 * How often a page may do, within `WINDOW_MS`, things that burden the service or other pages of its browser. Ordinary pages stay
 * far below.
 */
const ACTIVITY_LIMITS = {
  navigations: 6,
  dialogs: 4,
  windows: 3,
  downloads: 3,
  frames: 200,
  'entries in its history': 150,
  requests: 1_000,
} as const;
const WINDOW_MS = 10_000;

type PageActivity = keyof typeof ACTIVITY_LIMITS;

/** Counts what a page does, and calls `onTooMuch` once when it reaches a limit. */
export function watchActivity(
  session: CdpSession,
  mainFrameId: string,
  onTooMuch: (activity: PageActivity) => void,
): void {
  const counts = new Map<PageActivity, number>();
  let since = performance.now();
  let reported = false;
  const count = (activity: PageActivity): void => {
    if (reported) return;
    const now = performance.now();
    if (now - since > WINDOW_MS) {
      counts.clear();
      since = now;
    }
    const times = (counts.get(activity) ?? 0) + 1;
    counts.set(activity, times);
    if (times <= ACTIVITY_LIMITS[activity]) return;
    reported = true;
    onTooMuch(activity);
  };
  // Chromium emits this event only for navigations that the page starts.
  session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (frameId === mainFrameId && disposition === 'currentTab') count('navigations');
  });
  session.on('Page.navigatedWithinDocument', () => count('entries in its history'));
  session.on('Page.javascriptDialogOpening', () => count('dialogs'));
  session.on('Page.windowOpen', () => count('windows'));
  session.on('Page.downloadWillBegin', () => count('downloads'));
  session.on('Page.frameAttached', () => count('frames'));
  session.on('Network.requestWillBeSent', () => count('requests'));
  session.on('Network.webSocketCreated', () => count('requests'));
}

/** Of the time for reading a page, one third passes before it is stopped, and another before its received body is used instead. */
const GRACE_DIVISOR = 3;

/**
 * Stops a page that cannot be read, because its scripts never end, or because it navigates again and again. Some time after the
 * waits have ended, its scripts are terminated and navigation is blocked. To be disposed when the page has been read.
 */
export class PageStopper implements Disposable {
  /** The page was stopped. */
  stopped = false;
  /** Settles when the page could not be read even after it was stopped. */
  readonly timedOut: Promise<void>;
  readonly #session: Pick<CdpSession, 'send'>;
  readonly #mainFrame: Pick<MainFrame, 'blockNavigation' | 'stopNavigation' | 'isReadingBody'>;
  readonly #waitsEnded: AbortSignal;
  readonly #graceMs: number;
  readonly #onStop: () => void;
  readonly #timeOut: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param remainingMs for reading, after the waits have ended */
  constructor(
    session: Pick<CdpSession, 'send'>,
    mainFrame: Pick<MainFrame, 'blockNavigation' | 'stopNavigation' | 'isReadingBody'>,
    { waitsEnded, remainingMs, onStop }: { waitsEnded: AbortSignal; remainingMs: number; onStop: () => void },
  ) {
    this.#session = session;
    this.#mainFrame = mainFrame;
    this.#waitsEnded = waitsEnded;
    this.#graceMs = remainingMs / GRACE_DIVISOR;
    this.#onStop = onStop;
    ({ promise: this.timedOut, resolve: this.#timeOut } = Promise.withResolvers<void>());
    if (waitsEnded.aborted) this.#onWaitsEnded();
    else waitsEnded.addEventListener('abort', this.#onWaitsEnded, { once: true });
  }

  [Symbol.dispose](): void {
    this.#waitsEnded.removeEventListener('abort', this.#onWaitsEnded);
    clearTimeout(this.#timer);
  }

  readonly #onWaitsEnded = (): void => {
    this.#mainFrame.stopNavigation();
    this.#timer = setTimeout(() => this.#stop(), this.#graceMs);
  };

  #stop(): void {
    // The result is a body that is still being received: there is no document to read.
    if (this.#mainFrame.isReadingBody) return;
    this.stopped = true;
    this.#onStop();
    this.#mainFrame.blockNavigation();
    // Both commands reach a busy page. The first prevents further scripts, the second terminates the running one. If that is
    // our script that reads the document, `readDocument` tries again.
    this.#session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {});
    this.#session.send('Runtime.terminateExecution').catch(() => {});
    this.#timer = setTimeout(this.#timeOut, this.#graceMs);
  }
}
