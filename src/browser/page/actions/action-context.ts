import type { CDPSession, Frame, Locator, Page, Response } from 'playwright-core';
import type { MemoryReservation } from '../../../base/memory-budget.ts';
import { type Deadline, deadlineUnder } from '../../../base/time.ts';
import { orAborted } from '../../../base/wait.ts';
import type { CapturedExchange, Screenshot } from '../../../domain/captures.ts';
import type { LoginCredentials } from '../../../domain/credentials.ts';
import type { Failure, FailureCode, Warning } from '../../../domain/failure.ts';
import type { ElementLocator, PageAction, Point } from '../../../domain/page-action.ts';
import type { PageReader } from '../../../ports/page-reader.ts';
import type { BrowserPage, PlaywrightPage } from '../../engine/browser-page.ts';
import type { MainFrame } from '../main-frame.ts';
import type { ScreenshotLimits } from '../screenshot.ts';
import type { NetworkActivity } from '../waits.ts';
import { evaluateIsolated } from './isolated-world.ts';
import type { LoginGuard } from './login-guard.ts';

/** Limits the memory of a page that never stops loading: when there are more responses, the older half is dropped. */
const MAX_RESPONSES = 2_000;

/** All responses that a page has received since it was opened. */
export class ResponseLog {
  #responses: { readonly response: Response; readonly receivedAt: number }[] = [];
  #onResponse: (() => void) | null = null;

  /** @param page must not have loaded anything yet; null: records nothing, because no action waits for a response */
  constructor(page: Page | null) {
    page?.on('response', (response) => {
      if (this.#responses.length === MAX_RESPONSES)
        this.#responses = this.#responses.slice(MAX_RESPONSES / 2);
      this.#responses.push({ response, receivedAt: performance.now() });
      this.#onResponse?.();
    });
  }

  /** The first matching response since `from` (`performance.now()`). Rejects when the signal aborts. */
  async waitFor(
    isMatch: (response: Response) => boolean,
    from: number,
    signal: AbortSignal,
  ): Promise<Response> {
    let checkedUntil = from;
    const findUnchecked = () => {
      const match = this.#responses.find(
        ({ response, receivedAt }) => receivedAt >= checkedUntil && isMatch(response),
      );
      checkedUntil = performance.now();
      return match?.response;
    };
    signal.throwIfAborted();
    const earlier = findUnchecked();
    if (earlier !== undefined) return earlier;
    const { promise: matching, resolve } = Promise.withResolvers<Response>();
    this.#onResponse = () => {
      const match = findUnchecked();
      if (match !== undefined) resolve(match);
    };
    try {
      return await orAborted(matching, signal);
    } finally {
      this.#onResponse = null;
    }
  }
}

/** The page in which the actions of a scrape run, and what else they use. */
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
    | 'onNavigationFailed'
    | 'credentials'
    | 'isNavigating'
    | 'isForbidden'
    | 'navigateToPopupUrl'
    | 'downloads'
  >;
  readonly network: Pick<
    NetworkActivity,
    'waitForIdle' | 'pendingUrls' | 'isLoadingData' | 'isLoadingDataSince'
  >;
  readonly responses: ResponseLog;
  readonly guard: LoginGuard;
  /** The credentials of a profile of the user. */
  readonly openLogin: (profile: string) => Promise<LoginCredentials | Failure>;
  readonly reader: PageReader;
  readonly memory: MemoryReservation;
  /** Bytes of all screenshots of the scrape so far. */
  readonly screenshotTotal: ScreenshotLimits['total'];
  /** Scripts of the page run. */
  readonly scripting: boolean;
  /** Longer documents are cut. */
  readonly maxContentBytes: number;
}

/** The frame of an action is not visible. */
export class FrameNotVisible extends Error {}

/** For an action whose `frame` matches an element that is not a frame. */
export const notAFrameMessage = ({ originalText }: Pick<ElementLocator, 'originalText'>): string =>
  `the element that ${originalText} matches is not a frame`;

/** Locates an element within another one. */
export const locateWithin = (outer: Locator, { selector, nth }: ElementLocator): Locator =>
  outer.locator(selector).nth(nth ?? 0);

/** A running action: its time limit, and where it looks for elements. */
export class ActionContext {
  readonly env: ActionEnvironment;
  readonly timeoutMs: number;
  /** Aborts after the timeout, or with the scrape. */
  readonly signal: AbortSignal;
  /** null: the action looks for elements in the page itself. */
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
    this.#deadline = deadlineUnder(timeoutMs, signal);
    this.signal = this.#deadline.signal;
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }

  /** At least 1, because 0 means no timeout in Playwright. */
  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.#deadline.remaining()));
  }

  /** The action types into a field that is not for secrets. */
  isFieldPlain = false;

  /** Finds out what the action types into, before it does. @param field null: what has the focus */
  async noteField(field: Locator | null): Promise<void> {
    const options = { timeout: this.remainingMs };
    this.isFieldPlain = !(await evaluateIsolated(field ?? this.root, 'isForSecret', field === null, options));
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

  /** The matching element, in the page or the frame: the first, unless the caller has chosen another one by `nth`. */
  locate(at: ElementLocator): Locator {
    return this.locateAll(at).nth(at.nth ?? 0);
  }

  /** The frame's element in the page; null: the action is for the page itself. */
  get frameElement(): Locator | null {
    return this.#frame === null ? null : this.#locateFrame(this.#frame);
  }

  /** The frame in which the caller's script runs. Rejects if it does not exist in time. */
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
  /** Result of `wait_for_response` with `capture`; `result` is undefined then. */
  readonly exchange?: CapturedExchange;
  readonly screenshot?: Screenshot & { readonly name: string | null };
  /** Why the result is incomplete. */
  readonly truncation?: string;
  readonly warnings?: readonly Warning[];
  /** Why the action has failed; follows `failed: ` in the message. */
  readonly error?: string;
  /** Of the failure; absent: `action.failed`. */
  readonly code?: FailureCode;
  /** `error`, because there is no element to act on. */
  readonly elementMissing?: true;
}

export const NO_RESULT: ActionOutcome = Object.freeze({});
