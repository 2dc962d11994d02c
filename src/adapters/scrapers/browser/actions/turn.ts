import type { Frame, Locator } from 'playwright-core';
import { type Deadline, deadlineIn } from '../../../../base/deadline.ts';
import type { ElementAt, PageAction, Point } from '../../../../domain/page-action.ts';
import type { Stage } from './stage.ts';

/** The frame that an action names is not to be seen. */
export class NoFrame extends Error {}

/** Why nothing can be done in what an action names as its frame. */
export const noFrame = ({ written }: Pick<ElementAt, 'written'>): string =>
  `what ${written} matches is not a frame`;

/** The one that is meant of those in another element. */
export const within = (outer: Locator, { selector, nth }: ElementAt): Locator =>
  outer.locator(selector).nth(nth ?? 0);

/** One action being done: how long it may take, and where it looks for elements. */
export class Turn {
  readonly stage: Stage;
  /** For all of it. */
  readonly ms: number;
  /** Aborts when its time is up, or with the scrape. */
  readonly signal: AbortSignal;
  readonly #frame: ElementAt | null;
  readonly #deadline: Deadline;
  readonly #shown: Stage['visit']['shown'];

  constructor(stage: Stage, action: Pick<PageAction, 'frame'>, ms: number, signal: AbortSignal) {
    this.stage = stage;
    this.ms = ms;
    this.#frame = action.frame;
    this.#shown = stage.visit.shown;
    this.#deadline = deadlineIn(ms, signal);
    this.signal = this.#deadline.signal;
  }

  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }

  /** Milliseconds, for calls to which 0 would mean for ever. */
  get left(): number {
    return Math.max(1, Math.ceil(this.#deadline.remaining()));
  }

  /** Another document is shown than when it began. */
  get moved(): boolean {
    return this.stage.visit.shown !== this.#shown;
  }

  /** All that match, in the page or the frame. */
  every({ selector }: Pick<ElementAt, 'selector'>): Locator {
    const { page } = this.stage;
    return this.#frame === null
      ? page.locator(selector)
      : this.#frameElement(this.#frame).contentFrame().locator(selector);
  }

  /** The root element of the page or the frame. */
  get root(): Locator {
    return this.every({ selector: 'css=:root' });
  }

  /** The one that is meant. */
  element(at: ElementAt): Locator {
    return this.every(at).nth(at.nth ?? 0);
  }

  /** What is to be seen of the frame in the page; null: it is the page itself. */
  get frameElement(): Locator | null {
    return this.#frame === null ? null : this.#frameElement(this.#frame);
  }

  /** Where scripts of the caller run. Rejects when there is no such frame, or when the time is up. */
  async frame(): Promise<Frame> {
    if (this.#frame === null) return this.stage.page.mainFrame();
    const handle = await this.#frameElement(this.#frame).elementHandle({ timeout: this.left });
    const frame = (await handle?.contentFrame()) ?? null;
    if (frame === null) throw new Error(noFrame(this.#frame));
    return frame;
  }

  /** A place of the frame as one of the window. */
  async inWindow({ x, y }: Point): Promise<Point> {
    if (this.#frame === null) return { x, y };
    const box = await this.#frameElement(this.#frame).boundingBox({ timeout: this.left });
    if (box === null) throw new NoFrame(`the frame ${this.#frame.written} is not visible`);
    return { x: box.x + x, y: box.y + y };
  }

  #frameElement({ selector, nth }: ElementAt): Locator {
    return this.stage.page.locator(selector).nth(nth ?? 0);
  }
}
