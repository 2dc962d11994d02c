import { deadlineIn } from '../../../../base/deadline.ts';
import type { Failure, Warning } from '../../../../domain/failure.ts';
import type { PageAction } from '../../../../domain/page-action.ts';
import type { Answer } from '../visit/answer.ts';
import { orAborted } from '../visit/raw-body.ts';
import type { Ledger } from './ledger.ts';
import type { Stage } from './stage.ts';
import type { OpenedWindow, Windows } from './windows.ts';

/** Actions that may make a page open a window. */
const OPENERS: ReadonlySet<string> = new Set(['click', 'press', 'select', 'check', 'uncheck', 'evaluate']);
export const opensWindows = ({ type }: PageAction): boolean => OPENERS.has(type);

/** So long after a click browsers let a page open windows (HTML, transient activation duration). */
const ACTIVE_MS = 5_000;
/** What the page shows may change by so many letters beside the window: clocks and labels of buttons do. */
const SAME_LETTERS = 50;
/** How long what a page fetches beside the window is waited for, to see whether it changes the page. */
const FETCHING_MS = 2_000;
/** A page that does not say what it shows by then is busy. */
const LOOK_MS = 500;
const FOLLOWING_MS = 5_000;
/** So many are told of one action. */
const MOST_TOLD = 10;

/** The page before an action is done on it. */
interface Before {
  readonly shown: Answer | null;
  /** null: not known. */
  readonly letters: number | null;
}

/** What an action does to the page, and where its entry in the results is. */
interface Acted extends Before {
  readonly action: PageAction;
  readonly at: number;
  until: number;
}

/** Leads the page to what an action opens in a window of its own, where that is all that the action did; else tells it. */
export class WindowFollower {
  readonly #stage: Stage;
  readonly #windows: Windows;
  readonly #ledger: Ledger;
  #acted: Acted | null = null;

  constructor(stage: Stage, windows: Windows, ledger: Ledger) {
    this.#stage = stage;
    this.#windows = windows;
    this.#ledger = ledger;
  }

  /** An action that may open windows begins. @param at its place in the results */
  async begins(action: PageAction, at: number, signal: AbortSignal): Promise<void> {
    const { shown } = this.#stage.visit;
    const letters = await this.#letters(signal);
    this.#acted = { action, at, shown, letters, until: Number.POSITIVE_INFINITY };
  }

  /** An action is done: looks for windows, also of the one before. Never rejects. @param failed it was not done */
  async ended(at: number, failed: boolean, signal: AbortSignal): Promise<void> {
    const acted = this.#acted;
    if (acted?.at === at) acted.until = performance.now() + ACTIVE_MS;
    const isLate = acted === null || performance.now() > acted.until;
    const opened = [...(await this.#windows.take(signal))];
    if (opened.length === 0 || isLate) return;
    const { idle } = this.#stage;
    if (idle.loadsData) await idle.wait(AbortSignal.any([signal, AbortSignal.timeout(FETCHING_MS)]));
    const letters = await this.#letters(signal);
    // The page may have opened more of them until it could say what it shows.
    opened.push(...(await this.#windows.take(signal)));
    const why = failed ? 'the action failed' : this.#whyNot(opened, acted, letters);
    if (why === null) await this.#follow(opened[0]!, acted, signal);
    else for (const window of opened.slice(0, MOST_TOLD)) this.#tell(window, acted, why);
  }

  /** Why the page is not led there; null: it is. */
  #whyNot([first, ...more]: readonly OpenedWindow[], acted: Acted, letters: number | null): string | null {
    const { visit } = this.#stage;
    if (more.length > 0) return 'several windows were opened';
    const { request } = first!;
    if (request === null) return 'it has no URL to load';
    if (visit.shown !== acted.shown || visit.leads) return 'the page itself navigated too';
    if (visit.forbids(request.url)) return 'its domain is not allowed';
    if (letters === null || acted.letters === null) return null;
    return Math.abs(letters - acted.letters) > SAME_LETTERS ? 'the page itself changed too' : null;
  }

  async #follow(window: OpenedWindow, acted: Acted, signal: AbortSignal): Promise<void> {
    const { visit } = this.#stage;
    const { shown } = visit;
    const { action, at } = acted;
    using time = deadlineIn(action.timeoutMs ?? FOLLOWING_MS, signal);
    const lost: Failure[] = [];
    visit.onLost = (why) => void lost.push(why);
    // Before it is known whether there is any: the scrape ends with an answer that is no document.
    this.#ledger.opened(at, action, window.url);
    const downloads = visit.downloads.size;
    try {
      await orAborted(visit.follow(window.request!), time.signal);
      if (visit.shown !== shown) await orAborted(visit.reached('load'), time.signal);
    } catch {
      // It takes long, like the page that any other click leads to.
    } finally {
      visit.onLost = null;
    }
    if (visit.shown !== shown || (lost.length === 0 && visit.leads)) return;
    this.#ledger.opened(at, action, null);
    // A file is told as one.
    if (visit.downloads.size > downloads) return;
    this.#tell(window, acted, lost[0]?.message.replace(/\.$/, '') ?? 'its page could not be loaded');
  }

  #tell({ url }: OpenedWindow, { action: { index, type, id } }: Acted, why: string): void {
    const warning: Warning = {
      code: 'page.opened',
      message: `Page action ${index} (${type}) opened ${url.slice(0, MOST_URL)} in a new window, which was closed: ${why}.`,
      details: { url, index, type, id },
    };
    if (!this.#ledger.closed) this.#ledger.warnings.push(warning);
  }

  /** How much text the page shows. In a world of its own, in which the page has changed nothing. */
  async #letters(signal: AbortSignal): Promise<number | null> {
    const { session, mainFrame: frameId } = this.#stage;
    const look = async (): Promise<number> => {
      const world = { frameId, worldName: 'reader' };
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
      const expression = 'document.body?.innerText?.length ?? 0';
      const { result } = await session.send('Runtime.evaluate', { expression, contextId });
      return Number(result.value);
    };
    return orAborted(look(), AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])).catch(() => null);
  }
}

const MOST_URL = 500;
