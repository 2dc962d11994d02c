import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Journey } from './journey.ts';
import type { Navigation } from './navigation.ts';

/** What a page means to do so soon, it does before it is read. */
const SOON_MS = 1_000;
/** How late a timer of a page may be. */
const LATE_MS = 100;

/** Whether the page that is shown is on its way to another one: by script, by `meta refresh`, or by what was clicked. */
export class Leaving {
  readonly #journey: Journey;
  /** Until when a navigation that is announced is waited for; it may be none. */
  #announcedUntil = 0;
  #wake: (() => void) | null = null;

  constructor(session: CdpSession, mainFrame: string, journey: Journey) {
    this.#journey = journey;
    session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === mainFrame && delay * 1000 <= SOON_MS) this.#announce(delay * 1000);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
      if (frameId === mainFrame && disposition === 'currentTab' && /^https?:/i.test(url)) this.#announce(0);
    });
    session.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
      // A navigation that begins is cleared as well, and is heard of right after.
      if (frameId === mainFrame)
        this.#announcedUntil = Math.min(this.#announcedUntil, performance.now() + 100);
    });
  }

  /** It may set out within a second after it was loaded. @param loadedMs how long ago that was */
  mayMove(loadedMs: number): void {
    if (loadedMs > SOON_MS) return;
    const until = performance.now() + SOON_MS - loadedMs + LATE_MS;
    this.#announcedUntil = Math.max(this.#announcedUntil, until);
  }

  /** Another document is shown. */
  arrived(): void {
    this.#announcedUntil = 0;
    this.#wake?.();
  }

  /** The page stays what it is. */
  gaveUp(nav: Navigation): void {
    nav.over = true;
    this.#wake?.();
  }

  #announce(delayMs: number): void {
    this.#announcedUntil = performance.now() + delayMs + SOON_MS;
  }

  /** Settles when it leads nowhere any more; true: another document is shown. At once when it does not. */
  async moved(signal: AbortSignal): Promise<boolean> {
    const { shown } = this.#journey;
    while (!signal.aborted && this.#journey.shown === shown) {
      const { newest } = this.#journey;
      const underWay = newest !== shown && newest !== null && !newest.over;
      const left = this.#announcedUntil - performance.now();
      if (!underWay && left <= 0) return false;
      await this.#change(underWay ? null : left, signal);
    }
    return this.#journey.shown !== shown;
  }

  /** Something has happened, or the time is up. */
  #change(ms: number | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#wake = null;
        resolve();
      };
      const timer = ms === null ? undefined : setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
    });
  }
}
