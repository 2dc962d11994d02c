import { setTimeout as pause } from 'node:timers/promises';
import { deadlineIn } from '../../../../base/deadline.ts';
import type { Failure, Warning } from '../../../../domain/failure.ts';
import type { PageAction } from '../../../../domain/page-action.ts';
import type { Answer } from '../visit/answer.ts';
import { orAborted } from '../visit/raw-body.ts';
import { TIMERS_SET } from '../visit/read-document.ts';
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
/** How long what an action has begun is waited for: data that the page fetches, timers that it has set. */
const FETCHING_MS = 2_000;
const TIMER_MS = 1_000;
/** What comes of data is done so soon after it is there. */
const QUIET_MS = 300;
const POLL_MS = 50;
/** A page that does not say what it shows by then is busy. */
const LOOK_MS = 500;
const FOLLOWING_MS = 5_000;
/** So many are told of one action. */
const MOST_TOLD = 10;

/** What is to be seen of a page. */
interface Look {
  /** How much text it shows. */
  readonly letters: number;
  /** How many timers its scripts have set. */
  readonly timers: number;
}

/** What an action does to the page, and where its entry in the results is. */
interface Acted {
  readonly action: PageAction;
  readonly at: number;
  /** The page before. */
  readonly shown: Answer | null;
  /** null: not known. */
  readonly look: Look | null;
  /** By `performance.now()`; null: it is under way. */
  doneAt: number | null;
  failed: boolean;
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
    const look = await this.#look(signal);
    this.#acted = { action, at, shown, look, doneAt: null, failed: false };
  }

  /** An action is done: looks for windows, also of the one before. Never rejects. @param failed it was not done */
  async ended(at: number, failed: boolean, signal: AbortSignal): Promise<void> {
    const acted = this.#acted;
    if (acted?.at === at) {
      acted.doneAt = performance.now();
      acted.failed = failed;
    }
    await this.#takeUp(signal);
  }

  /** While an action only waits: perhaps for what is in the window. Settles when that is over. Never rejects. */
  async during(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
    let over = this.#acted === null;
    void waiting.then(() => {
      over = true;
    });
    while (!over && !signal.aborted) {
      await this.#takeUp(signal);
      await Promise.race([waiting, pause(POLL_MS)]);
    }
  }

  /** The last action is done: what it has begun may still open a window, or lead elsewhere. Never rejects. */
  async last(signal: AbortSignal): Promise<void> {
    const acted = this.#acted;
    if (acted === null || acted.doneAt === null || acted.failed) return;
    await this.#settle(acted, acted.doneAt, () => this.#windows.any, signal);
    await this.#takeUp(signal);
  }

  async #takeUp(signal: AbortSignal): Promise<void> {
    if (!this.#windows.any) return;
    const acted = this.#acted;
    const opened = [...(await this.#windows.take(signal))];
    const until = (acted?.doneAt ?? Number.POSITIVE_INFINITY) + ACTIVE_MS;
    if (acted === null || opened.every(({ openedAt }) => openedAt > until)) return;
    await this.#settle(acted, performance.now(), () => false, signal);
    const look = await this.#look(signal);
    // The page may have opened more of them until it could say what it shows.
    opened.push(...(await this.#windows.take(signal)));
    const why = this.#whyNot(opened, acted, look);
    if (why === null) await this.#follow(opened[0]!, acted, signal);
    else for (const window of opened.slice(0, MOST_TOLD)) this.#tell(window, acted, why);
  }

  /**
   * Waits until what an action has begun is over, or has led the page elsewhere.
   * @param from when data that is being fetched was first waited for, by `performance.now()`
   */
  async #settle(acted: Acted, from: number, isEnough: () => boolean, signal: AbortSignal): Promise<void> {
    const { idle, visit } = this.#stage;
    const isOver = () => signal.aborted || visit.leads || visit.shown !== acted.shown || isEnough();
    if (isOver()) return;
    const look = await this.#look(signal);
    const hasSet = look !== null && acted.look !== null && look.timers > acted.look.timers;
    let until = hasSet ? (acted.doneAt ?? from) + TIMER_MS : 0;
    for (;;) {
      const now = performance.now();
      if (idle.loadsData) until = Math.max(until, Math.min(now + QUIET_MS, from + FETCHING_MS));
      if (now >= until || isOver()) return;
      await pause(POLL_MS);
    }
  }

  /** Why the page is not led there; null: it is. */
  #whyNot([first, ...more]: readonly OpenedWindow[], acted: Acted, look: Look | null): string | null {
    const { visit } = this.#stage;
    if (acted.failed) return 'the action failed';
    if (more.length > 0) return 'several windows were opened';
    const { request } = first!;
    if (request === null) return 'it has no URL to load';
    if (visit.shown !== acted.shown || visit.leads) return 'the page itself navigated too';
    if (visit.forbids(request.url)) return 'its domain is not allowed';
    if (look === null || acted.look === null) return null;
    return Math.abs(look.letters - acted.look.letters) > SAME_LETTERS ? 'the page itself changed too' : null;
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

  /** In a world of its own, in which the page has changed nothing; null: the page does not answer. */
  async #look(signal: AbortSignal): Promise<Look | null> {
    const { session, mainFrame: frameId } = this.#stage;
    const look = async (): Promise<Look> => {
      const world = { frameId, worldName: 'reader' };
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
      const { result } = await session.send('Runtime.evaluate', {
        expression: `({ letters: document.body?.innerText?.length ?? 0, timers: ${TIMERS_SET} })`,
        contextId,
        returnByValue: true,
      });
      return result.value;
    };
    return orAborted(look(), AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])).catch(() => null);
  }
}

const MOST_URL = 500;
