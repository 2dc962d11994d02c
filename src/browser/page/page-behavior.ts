import type { CdpSession } from '../engine/cdp-session.ts';
import type { MainFrame } from './main-frame.ts';

/**
 * How often a page may do, within `WINDOW_MS`, what burdens the service or processes that it shares with other pages. Ordinary
 * pages stay far below.
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
  // This event is only for navigations that the page starts.
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

/** The page may take this part of the remaining time to be read by itself: 1 / 3. */
const GRACE_DIVISOR = 3;

/**
 * Stops a page that could not be read in time, because its scripts never end, or because it navigates without end. Some time after
 * the waits have ended, its scripts are ended and it cannot navigate any more. To be disposed when the page has been read.
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
    // The bytes are delivered then, as far as they have come, and the page is not read.
    if (this.#mainFrame.isReadingBody) return;
    this.stopped = true;
    this.#onStop();
    this.#mainFrame.blockNavigation();
    // Both reach a busy page. The first keeps further scripts from starting, the second ends the running one. If that is
    // the one that reads the document, reading is tried again.
    this.#session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {});
    this.#session.send('Runtime.terminateExecution').catch(() => {});
    this.#timer = setTimeout(this.#timeOut, this.#graceMs);
  }
}
