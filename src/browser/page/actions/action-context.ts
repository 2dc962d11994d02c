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

/** Older responses are dropped. */
const MAX_RESPONSES = 2_000;

/** The responses that a page gets, from when it was opened. */
export class ResponseLog {
  #responses: { readonly response: Response; readonly at: number }[] = [];
  #onResponse: (() => void) | null = null;

  /** @param page before it loads anything; null: no action waits for a response */
  constructor(page: Page | null) {
    page?.on('response', (response) => {
      if (this.#responses.length === MAX_RESPONSES)
        this.#responses = this.#responses.slice(MAX_RESPONSES / 2);
      this.#responses.push({ response, at: performance.now() });
      this.#onResponse?.();
    });
  }

  /** The first matching response since `from` (`performance.now()`). Rejects when the signal aborts. */
  async waitFor(
    isMatch: (response: Response) => boolean,
    from: number,
    signal: AbortSignal,
  ): Promise<Response> {
    let lookedAt = from;
    const look = () => {
      const found = this.#responses.find(({ response, at }) => at >= lookedAt && isMatch(response));
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

/** What actions need. */
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
  /** Bytes of all screenshots of the scrape so far. */
  readonly screenshotTotal: ScreenshotLimits['total'];
  /** The page may run scripts. */
  readonly scripting: boolean;
  /** Documents are read up to here. */
  readonly maxContentBytes: number;
}

/** The frame of an action is not visible. */
export class FrameNotVisible extends Error {}

/** The `frame` of an action matches another element. */
export const notAFrameMessage = ({ originalText }: Pick<ElementLocator, 'originalText'>): string =>
  `what ${originalText} matches is not a frame`;

/** Locates an element within another one. */
export const locateWithin = (outer: Locator, { selector, nth }: ElementLocator): Locator =>
  outer.locator(selector).nth(nth ?? 0);

/** A running action: its time limit, and where it looks for elements. */
export class ActionContext {
  readonly env: ActionEnvironment;
  readonly timeoutMs: number;
  /** Aborts after the timeout, or with the scrape. */
  readonly signal: AbortSignal;
  readonly #frame: ElementLocator | null;
  readonly #deadline: Deadline;
  readonly #responseBefore: ActionEnvironment['mainFrame']['response'];

  constructor(
    env: ActionEnvironment,
    action: Pick<PageAction, 'frame'>,
    timeoutMs: number,
    signal: AbortSignal,
  ) {
    this.env = env;
    this.timeoutMs = timeoutMs;
    this.#frame = action.frame;
    this.#responseBefore = env.mainFrame.response;
    this.#deadline = deadlineIn(timeoutMs, signal);
    this.signal = this.#deadline.signal;
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }

  /** At least 1, because 0 means no timeout in Playwright. */
  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.#deadline.remaining()));
  }

  /** Another document is shown than at the start of the action. */
  get hasNavigated(): boolean {
    return this.env.mainFrame.response !== this.#responseBefore;
  }

  /** All matching elements, in the page or the frame. */
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

  locate(at: ElementLocator): Locator {
    return this.locateAll(at).nth(at.nth ?? 0);
  }

  /** The frame's element in the page; null: the action is for the page itself. */
  get frameElement(): Locator | null {
    return this.#frame === null ? null : this.#locateFrame(this.#frame);
  }

  /** The frame in which scripts of the caller run. Rejects when there is none in time. */
  async frame(): Promise<Frame> {
    if (this.#frame === null) return this.env.page.mainFrame();
    const handle = await this.#locateFrame(this.#frame).elementHandle({ timeout: this.remainingMs });
    const frame = (await handle?.contentFrame()) ?? null;
    if (frame === null) throw new Error(notAFrameMessage(this.#frame));
    return frame;
  }

  /** Converts coordinates in the frame to coordinates in the viewport. */
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

/** The result of an action. */
export interface ActionOutcome {
  /** As JSON; undefined: there is none. */
  readonly result?: unknown;
  /** In place of `result`. */
  readonly exchange?: CapturedExchange;
  readonly screenshot?: Screenshot & { readonly name: string | null };
  /** Why the result is incomplete. */
  readonly truncation?: string;
  readonly warnings?: readonly Warning[];
  /** Why the action has failed; follows `failed: ` in the message. */
  readonly error?: string;
}

export const NO_RESULT: ActionOutcome = Object.freeze({});
