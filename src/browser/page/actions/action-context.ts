import type { CDPSession, Frame, Locator, Page, Response } from 'playwright-core';
import type { MemoryReservation } from '../../../base/memory-budget.ts';
import { type Deadline, deadlineIn } from '../../../base/time.ts';
import { orAborted } from '../../../base/wait.ts';
import type { CapturedExchange, Screenshot } from '../../../domain/captures.ts';
import type { Warning } from '../../../domain/failure.ts';
import type { ElementLocator, PageAction, Point } from '../../../domain/page-action.ts';
import type { PageReader } from '../../../ports/page-reader.ts';
import type { BrowserPage, PlaywrightPage } from '../../engine/browser-page.ts';
import type { MainFrame } from '../main-frame.ts';
import type { ScreenshotLimits } from '../screenshot.ts';
import type { NetworkActivity } from '../waits.ts';

/** So many answers are remembered until somebody waits for one of them. */
const MAX_RESPONSES = 2_000;

/** The answers that a page gets, from when it was opened. */
export class ResponseLog {
  #responses: { readonly response: Response; readonly at: number }[] = [];
  #onResponse: (() => void) | null = null;

  /** @param page before it loads anything; null: nobody will ask */
  constructor(page: Page | null) {
    page?.on('response', (response) => {
      if (this.#responses.length === MAX_RESPONSES)
        this.#responses = this.#responses.slice(MAX_RESPONSES / 2);
      this.#responses.push({ response, at: performance.now() });
      this.#onResponse?.();
    });
  }

  /** The first that is wanted of those that came since `from` (`performance.now()`). Rejects with the signal. */
  async waitFor(
    wanted: (response: Response) => boolean,
    from: number,
    signal: AbortSignal,
  ): Promise<Response> {
    let lookedAt = from;
    const look = () => {
      const found = this.#responses.find(({ response, at }) => at >= lookedAt && wanted(response));
      lookedAt = performance.now();
      return found?.response;
    };
    signal.throwIfAborted();
    const there = look();
    if (there !== undefined) return there;
    const { promise: came, resolve } = Promise.withResolvers<Response>();
    this.#onResponse = () => {
      const found = look();
      if (found !== undefined) resolve(found);
    };
    try {
      return await orAborted(came, signal);
    } finally {
      this.#onResponse = null;
    }
  }
}

/** What actions are done on. */
export interface ActionEnvironment {
  readonly page: Page;
  readonly playwright: PlaywrightPage;
  readonly setViewportHeight: BrowserPage['setViewportHeight'];
  readonly session: Pick<CDPSession, 'send'>;
  readonly mainFrameId: string;
  readonly mainFrame: Pick<
    MainFrame,
    | 'response'
    | 'waitForLoadState'
    | 'onLost'
    | 'credentials'
    | 'isNavigating'
    | 'isForbidden'
    | 'followPopup'
    | 'downloads'
  >;
  readonly network: Pick<
    NetworkActivity,
    'waitForIdle' | 'pendingUrls' | 'isLoadingData' | 'isLoadingDataSince'
  >;
  readonly responses: ResponseLog;
  readonly reader: PageReader;
  readonly memory: MemoryReservation;
  /** Of all pictures of the scrape. */
  readonly screenshotTotal: ScreenshotLimits['total'];
  /** The page may run scripts. */
  readonly scripting: boolean;
  /** A document is read up to here. */
  readonly maxContentBytes: number;
}

/** The frame that an action names is not to be seen. */
export class FrameNotVisible extends Error {}

/** Why nothing can be done in what an action names as its frame. */
export const notAFrameMessage = ({ originalText }: Pick<ElementLocator, 'originalText'>): string =>
  `what ${originalText} matches is not a frame`;

/** The one that is meant of those in another element. */
export const locateWithin = (outer: Locator, { selector, nth }: ElementLocator): Locator =>
  outer.locator(selector).nth(nth ?? 0);

/** One action being done: how long it may take, and where it looks for elements. */
export class ActionContext {
  readonly env: ActionEnvironment;
  /** For all of it. */
  readonly timeoutMs: number;
  /** Aborts when its time is up, or with the scrape. */
  readonly signal: AbortSignal;
  readonly #frame: ElementLocator | null;
  readonly #deadline: Deadline;
  readonly #responseBefore: ActionEnvironment['mainFrame']['response'];

  constructor(stage: ActionEnvironment, action: Pick<PageAction, 'frame'>, ms: number, signal: AbortSignal) {
    this.env = stage;
    this.timeoutMs = ms;
    this.#frame = action.frame;
    this.#responseBefore = stage.mainFrame.response;
    this.#deadline = deadlineIn(ms, signal);
    this.signal = this.#deadline.signal;
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }

  /** Milliseconds, for calls to which 0 would mean for ever. */
  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.#deadline.remaining()));
  }

  /** Another document is shown than when it began. */
  get hasNavigated(): boolean {
    return this.env.mainFrame.response !== this.#responseBefore;
  }

  /** All that match, in the page or the frame. */
  locateAll({ selector }: Pick<ElementLocator, 'selector'>): Locator {
    const { page } = this.env;
    return this.#frame === null
      ? page.locator(selector)
      : this.#locateFrame(this.#frame).contentFrame().locator(selector);
  }

  /** The root element of the page or the frame. */
  get root(): Locator {
    return this.locateAll({ selector: 'css=:root' });
  }

  /** The one that is meant. */
  locate(at: ElementLocator): Locator {
    return this.locateAll(at).nth(at.nth ?? 0);
  }

  /** What is to be seen of the frame in the page; null: it is the page itself. */
  get frameElement(): Locator | null {
    return this.#frame === null ? null : this.#locateFrame(this.#frame);
  }

  /** Where scripts of the caller run. Rejects when there is no such frame, or when the time is up. */
  async frame(): Promise<Frame> {
    if (this.#frame === null) return this.env.page.mainFrame();
    const handle = await this.#locateFrame(this.#frame).elementHandle({ timeout: this.remainingMs });
    const frame = (await handle?.contentFrame()) ?? null;
    if (frame === null) throw new Error(notAFrameMessage(this.#frame));
    return frame;
  }

  /** A place of the frame as one of the window. */
  async toViewport({ x, y }: Point): Promise<Point> {
    if (this.#frame === null) return { x, y };
    const box = await this.#locateFrame(this.#frame).boundingBox({ timeout: this.remainingMs });
    if (box === null) throw new FrameNotVisible(`the frame ${this.#frame.originalText} is not visible`);
    return { x: box.x + x, y: box.y + y };
  }

  #locateFrame({ selector, nth }: ElementLocator): Locator {
    return this.env.page.locator(selector).nth(nth ?? 0);
  }
}

/** What an action brings. */
export interface ActionOutcome {
  /** JSON; undefined: there is none. */
  readonly result?: unknown;
  /** In place of `result`. */
  readonly exchange?: CapturedExchange;
  readonly screenshot?: Screenshot & { readonly name: string | null };
  /** Why the result is not whole. */
  readonly truncation?: string;
  readonly warnings?: readonly Warning[];
  /** Why it has failed all the same, in words that go on after `failed: `. */
  readonly error?: string;
}

export const NO_RESULT: ActionOutcome = Object.freeze({});
