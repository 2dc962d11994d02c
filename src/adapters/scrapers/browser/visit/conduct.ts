import { type Deadline, deadlineIn } from '../../../../base/deadline.ts';
import type { BrowserAsk } from '../../../../domain/browser-ask.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Visit } from './visit.ts';

/**
 * What a page may do by itself within `WINDOW_MS` of what costs the processes that it shares with other pages, or the
 * service. Honest pages stay far below.
 */
const MOST = {
  navigations: 6,
  dialogs: 4,
  windows: 3,
  downloads: 3,
  frames: 200,
  'entries in its history': 150,
  requests: 1_000,
} as const;
const WINDOW_MS = 10_000;

type What = keyof typeof MOST;

/**
 * Counts what a page has its browser do for it, and tells once when that is more than others should have to bear.
 * @param onTooMuch what there was too much of
 */
export function watchConduct(session: CdpSession, mainFrame: string, onTooMuch: (what: What) => void): void {
  const counts = new Map<What, number>();
  let since = performance.now();
  let told = false;
  const count = (what: What): void => {
    if (told) return;
    const now = performance.now();
    if (now - since > WINDOW_MS) {
      counts.clear();
      since = now;
    }
    const times = (counts.get(what) ?? 0) + 1;
    counts.set(what, times);
    if (times <= MOST[what]) return;
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

/** Who has less time than that is not late: the time went before. */
const LATE_MS = 1_500;

/**
 * Tells once when the document is not loaded though half of the time that was left for waits is over. Such pages are likely
 * to take all of it, and those that were opened together end together then, with the next ones behind them. Nothing is told
 * where little was left, or loading is not waited for.
 */
export function watchLoading(
  { loadState }: Pick<BrowserAsk, 'loadState'>,
  visit: Pick<Visit, 'reached'>,
  waits: Pick<Deadline, 'remaining' | 'signal'>,
  onLate: () => void,
): Disposable | null {
  const halfMs = waits.remaining() / 2;
  if (halfMs < LATE_MS || loadState === 'commit' || loadState === 'domcontentloaded') return null;
  const half = deadlineIn(halfMs, waits.signal);
  half.signal.addEventListener('abort', () => half.expired() && !waits.signal.aborted && onLate(), {
    once: true,
  });
  void visit.reached('load').then(() => half[Symbol.dispose]());
  return half;
}
