import { orAborted, sleep } from '../../../base/wait.ts';
import type { ActionOf, ElementLocator } from '../../../domain/page-action.ts';
import { type ActionContext, type ActionOutcome, locateWithin, NO_RESULT } from './action-context.ts';
import { evaluateIsolated, type ScrollExtent, type ScrollPosition } from './isolated-world.ts';

export async function scroll(
  { to, container }: ActionOf<'scroll'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  if (typeof to !== 'string' && 'selector' in to) {
    const element = container === null ? turn.locate(to) : locateWithin(turn.locate(container), to);
    await element.scrollIntoViewIfNeeded({ timeout: turn.remainingMs });
    return NO_RESULT;
  }
  const where: ScrollPosition = typeof to === 'string' ? { to, x: 0, y: 0 } : { to: null, ...to };
  if (container !== null)
    await evaluateIsolated(turn.locate(container), 'scrollElement', where, { timeout: turn.remainingMs });
  else await evaluateIsolated(turn.root, 'scrollWindow', where, { timeout: turn.remainingMs });
  return NO_RESULT;
}

/** What is scrolled at once, of what is seen: nothing on the way is passed over. */
const SCROLL_STEP = 0.9;
/** For the page to be drawn after a step, and to look at what has come into view. */
const STEP_PAUSE_MS = 50;
/** On a longer way the rest is one step. */
const MAX_STEPS = 40;
/** Nothing has changed for so long, and nothing is under way: it is the end. Also of what is begun by a timer. */
const END_AFTER_MS = 2_000;
/** What the page does with an answer that has come. */
const RENDER_MS = 500;
/** What the page fetches is waited for so long after each scroll. */
const FETCH_WAIT_MS = 10_000;
const POLL_MS = 100;

/** What is scrolled: the page, a frame, or an element. */
interface ScrollContainer {
  extent(): Promise<ScrollExtent>;
  scrollTo(where: ScrollPosition): Promise<void>;
  /** A place in it, in pixels of the window; null: it is not to be seen. */
  center(): Promise<{ readonly x: number; readonly y: number } | null>;
}

/** Scrolls down, or clicks for more, as long as that brings something. */
export async function infiniteScroll(
  action: ActionOf<'infinite_scroll'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const { most, delayMs, until, click, container } = action;
  const scroller = await scrollContainer(container, turn);
  const ended = (scrolls: number, reason: string): ActionOutcome => ({ result: { scrolls, reason } });
  let since = 0;
  let grows = true;
  for (let scrolls = 0; ; scrolls++) {
    if (until !== null && (await turn.locate(until).isVisible())) return ended(scrolls, 'until_selector');
    if (!grows) return ended(scrolls, 'end');
    if (scrolls === most) return ended(scrolls, 'max_scrolls');
    const before = await scroller.extent();
    if (click !== null && !(await becomesVisible(click, scrolls === 0 ? 0 : since, turn)))
      return ended(scrolls, 'end');
    since = performance.now();
    if (click === null) await scrollDown(scroller, turn);
    else await turn.locate(click).click({ timeout: turn.remainingMs });
    await sleep(delayMs, turn.signal);
    turn.signal.throwIfAborted();
    const hasGrown = async () => hasChanged(before, await scroller.extent());
    // What a click brings need not make the page larger: there the end is that nothing can be clicked.
    if (click === null) grows = await waitForChange(hasGrown, since, END_AFTER_MS, turn);
    else await waitForChange(hasGrown, since, 0, turn);
  }
}

const hasChanged = (one: ScrollExtent, other: ScrollExtent): boolean =>
  one.height !== other.height || one.elements !== other.elements;

/** More may be loaded just above the end, or by the wheel alone. */
async function scrollDown(scroller: ScrollContainer, turn: ActionContext): Promise<void> {
  const before = await scroller.extent();
  for (let step = 1; ; step++) {
    const { top, visibleHeight, height } = await scroller.extent();
    if (top + visibleHeight >= height - 1 || height !== before.height) break;
    await scroller.scrollTo(
      step > MAX_STEPS
        ? { to: 'bottom', x: 0, y: 0 }
        : { to: null, x: 0, y: top + Math.max(1, visibleHeight * SCROLL_STEP) },
    );
    const now = await scroller.extent();
    if (now.top === top) break;
    await sleep(STEP_PAUSE_MS, turn.signal);
    turn.signal.throwIfAborted();
  }
  const place = await scroller.center();
  if (place === null) return;
  const wheel = {
    type: 'mouseWheel',
    ...place,
    deltaX: 0,
    deltaY: Math.round(before.visibleHeight * SCROLL_STEP),
  } as const;
  await orAborted(turn.env.session.send('Input.dispatchMouseEvent', wheel), turn.signal);
}

/**
 * Waits for what was begun: whether it comes. What the page has fetched since then is waited for.
 * @param leastMs so long it may take, also when nothing is fetched
 */
async function waitForChange(
  has: () => Promise<boolean>,
  since: number,
  leastMs: number,
  { env: { network }, signal }: ActionContext,
): Promise<boolean> {
  let busyUntil = 0;
  for (;;) {
    if (await has()) return true;
    const now = performance.now();
    if (network.isLoadingDataSince(since) && now - since < FETCH_WAIT_MS) busyUntil = now + RENDER_MS;
    if (now >= busyUntil && now - since >= leastMs) return false;
    await sleep(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

/** A button may hide while it loads. @param since when it was clicked the last time; 0: never */
async function becomesVisible(at: ElementLocator, since: number, turn: ActionContext): Promise<boolean> {
  const look = () => turn.locate(at).isVisible();
  return since === 0 ? look() : waitForChange(look, since, END_AFTER_MS, turn);
}

async function scrollContainer(
  container: ElementLocator | null,
  turn: ActionContext,
): Promise<ScrollContainer> {
  if (container !== null) {
    const element = turn.locate(container);
    await element.scrollIntoViewIfNeeded({ timeout: turn.remainingMs });
    return {
      extent: () => evaluateIsolated(element, 'extentOfElement', undefined, { timeout: turn.remainingMs }),
      scrollTo: (where) => evaluateIsolated(element, 'scrollElement', where, { timeout: turn.remainingMs }),
      center: async () => centerOf(await element.boundingBox({ timeout: turn.remainingMs })),
    };
  }
  const { root, frameElement } = turn;
  return {
    extent: () => evaluateIsolated(root, 'extentOfPage', undefined, { timeout: turn.remainingMs }),
    scrollTo: (where) => evaluateIsolated(root, 'scrollWindow', where, { timeout: turn.remainingMs }),
    async center() {
      if (frameElement !== null)
        return centerOf(await frameElement.boundingBox({ timeout: turn.remainingMs }));
      const { cssVisualViewport: view } = await turn.env.session.send('Page.getLayoutMetrics');
      return centerOf({ x: 0, y: 0, width: view.clientWidth, height: view.clientHeight });
    },
  };
}

interface ElementBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const centerOf = (box: ElementBox | null) =>
  box === null ? null : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
