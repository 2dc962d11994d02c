import type { CdpSession } from '../engine/cdp-session.ts';
import type { MainFrame } from './main-frame.ts';

/**
 * What a page may do by itself within `WINDOW_MS` of what costs the processes that it shares with other pages, or the
 * service. Honest pages stay far below.
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

/**
 * Counts what a page has its browser do for it, and tells once when that is more than others should have to bear.
 * @param onTooMuch what there was too much of
 */
export function watchActivity(
  session: CdpSession,
  mainFrame: string,
  onTooMuch: (what: PageActivity) => void,
): void {
  const counts = new Map<PageActivity, number>();
  let since = performance.now();
  let told = false;
  const count = (what: PageActivity): void => {
    if (told) return;
    const now = performance.now();
    if (now - since > WINDOW_MS) {
      counts.clear();
      since = now;
    }
    const times = (counts.get(what) ?? 0) + 1;
    counts.set(what, times);
    if (times <= ACTIVITY_LIMITS[what]) return;
    told = true;
    onTooMuch(what);
  };
  // Those of the caller are not told by it.
  session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (frameId === mainFrame && disposition === 'currentTab') count('navigations');
  });
  session.on('Page.navigatedWithinDocument', () => count('entries in its history'));
  session.on('Page.javascriptDialogOpening', () => count('dialogs'));
  session.on('Page.windowOpen', () => count('windows'));
  session.on('Page.downloadWillBegin', () => count('downloads'));
  session.on('Page.frameAttached', () => count('frames'));
  session.on('Network.requestWillBeSent', () => count('requests'));
  session.on('Network.webSocketCreated', () => count('requests'));
}

/** Of the time that is left when the waits end, what a page may take to be read by itself. */
const GRACE_DIVISOR = 3;

/**
 * Brings a page to a stand that cannot be read otherwise, because its scripts never end, or because it leads on and on:
 * when the waits are over and it still has not been read, nothing runs in it any more, and it leads nowhere. To be
 * disposed when it has been read.
 * @param over aborts when the waits are @param leftMs what there will be left for reading then, in milliseconds
 */
export class PageStopper implements Disposable {
  /** It was necessary. */
  stopped = false;
  /** Settles when that did not help in time: the page is still not read. */
  readonly timedOut: Promise<void>;
  readonly #session: Pick<CdpSession, 'send'>;
  readonly #mainFrame: Pick<MainFrame, 'blockNavigation' | 'stopNavigation' | 'isReadingBody'>;
  readonly #waitsEnded: AbortSignal;
  readonly #graceMs: number;
  readonly #onStop: () => void;
  readonly #timeOut: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    session: Pick<CdpSession, 'send'>,
    visit: Pick<MainFrame, 'blockNavigation' | 'stopNavigation' | 'isReadingBody'>,
    { waitsEnded, remainingMs, onStop }: { waitsEnded: AbortSignal; remainingMs: number; onStop: () => void },
  ) {
    this.#session = session;
    this.#mainFrame = visit;
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
    // Then those bytes are what is delivered, as far as they come in time; the page is not read.
    if (this.#mainFrame.isReadingBody) return;
    this.stopped = true;
    this.#onStop();
    this.#mainFrame.blockNavigation();
    // Both reach a page that is busy. The first lets no further script begin, the second ends the one that runs; where
    // none does, that is the one that reads, which is tried again.
    this.#session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {});
    this.#session.send('Runtime.terminateExecution').catch(() => {});
    this.#timer = setTimeout(this.#timeOut, this.#graceMs);
  }
}
