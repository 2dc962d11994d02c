import { orAborted, sleep } from '../../../base/wait.ts';
import type { ActionOf, ElementLocator } from '../../../domain/page-action.ts';
import { type ActionContext, type ActionOutcome, locateWithin, NO_RESULT } from './action-context.ts';
import { evaluateIsolated, type ScrollExtent, type ScrollPosition } from './isolated-world.ts';

export async function scroll(
  { to, container }: ActionOf<'scroll'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  if (typeof to !== 'string' && 'selector' in to) {
    const element = container === null ? context.locate(to) : locateWithin(context.locate(container), to);
    await element.scrollIntoViewIfNeeded({ timeout: context.remainingMs });
    return NO_RESULT;
  }
  const position: ScrollPosition = typeof to === 'string' ? { to, x: 0, y: 0 } : { to: null, ...to };
  if (container !== null)
    await evaluateIsolated(context.locate(container), 'scrollElement', position, {
      timeout: context.remainingMs,
    });
  else await evaluateIsolated(context.root, 'scrollWindow', position, { timeout: context.remainingMs });
  return NO_RESULT;
}

/** Share of the visible height that one step scrolls. */
const SCROLL_STEP = 0.9;
/** Time for the page to render after a step, and for its scripts to react to it. */
const STEP_PAUSE_MS = 50;
/** After so many steps, the rest is scrolled in one step. */
const MAX_STEPS = 40;
/** The end is reached when the page has not changed for so long, and fetches no data. */
const END_AFTER_MS = 2_000;
/** Time for the page to render data that it has fetched. */
const RENDER_MS = 500;
/** After each scroll, the longest wait for data that the page fetches. */
const FETCH_WAIT_MS = 10_000;
const POLL_MS = 100;

/** The page, a frame, or an element that is scrolled. */
interface ScrollContainer {
  extent(): Promise<ScrollExtent>;
  scrollTo(position: ScrollPosition): Promise<void>;
  /** A point in it, in viewport coordinates; null: it is not visible. */
  center(): Promise<{ readonly x: number; readonly y: number } | null>;
}

/** Scrolls down, or clicks a button, as long as the page grows. */
export async function infiniteScroll(
  action: ActionOf<'infinite_scroll'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const { maxScrolls, delayMs, until, click, container } = action;
  const scroller = await scrollContainer(container, context);
  const ended = (scrolls: number, reason: string): ActionOutcome => ({ result: { scrolls, reason } });
  /** When the page was scrolled last, or the button clicked, by `performance.now()`; null: not yet. */
  let startedAt: number | null = null;
  let grows = true;
  for (let scrolls = 0; ; scrolls++) {
    if (until !== null && (await context.locate(until).isVisible())) return ended(scrolls, 'until_selector');
    if (!grows) return ended(scrolls, 'end');
    if (scrolls === maxScrolls) return ended(scrolls, 'max_scrolls');
    const before = await scroller.extent();
    if (click !== null && !(await becomesVisible(click, startedAt, context))) return ended(scrolls, 'end');
    startedAt = performance.now();
    if (click === null) await scrollDown(scroller, context);
    else await context.locate(click).click({ timeout: context.remainingMs });
    await sleep(delayMs, context.signal);
    context.signal.throwIfAborted();
    const hasGrown = async () => hasChanged(before, await scroller.extent());
    // A click need not make the page larger: the end is reached when the button cannot be clicked any more.
    if (click === null) grows = await waitForChange(hasGrown, startedAt, END_AFTER_MS, context);
    else await waitForChange(hasGrown, startedAt, /* minMs */ 0, context);
  }
}

const hasChanged = (before: ScrollExtent, after: ScrollExtent): boolean =>
  before.height !== after.height || before.elements !== after.elements;

/** Scrolls to the end in steps, and sends one wheel event: some pages load more just above the end, or only after wheel events. */
async function scrollDown(scroller: ScrollContainer, context: ActionContext): Promise<void> {
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
    await sleep(STEP_PAUSE_MS, context.signal);
    context.signal.throwIfAborted();
  }
  const center = await scroller.center();
  if (center === null) return;
  const wheel = {
    type: 'mouseWheel',
    ...center,
    deltaX: 0,
    deltaY: Math.round(before.visibleHeight * SCROLL_STEP),
  } as const;
  await orAborted(context.env.session.send('Input.dispatchMouseEvent', wheel), context.signal);
}

/**
 * Waits for a condition while the page fetches data. @returns whether it is met
 * @param since `performance.now()` at the scroll or click that should cause the change
 * @param minMs waits at least so long, even if no data is fetched
 */
async function waitForChange(
  isMet: () => Promise<boolean>,
  since: number,
  minMs: number,
  { env: { network }, signal }: ActionContext,
): Promise<boolean> {
  let busyUntil = 0;
  for (;;) {
    if (await isMet()) return true;
    const now = performance.now();
    if (network.isLoadingDataSince(since) && now - since < FETCH_WAIT_MS) busyUntil = now + RENDER_MS;
    if (now >= busyUntil && now - since >= minMs) return false;
    await sleep(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

/** Waits for the button, which pages may hide while they load more. @param clickedAt when it was clicked last; null: never */
async function becomesVisible(
  at: ElementLocator,
  clickedAt: number | null,
  context: ActionContext,
): Promise<boolean> {
  const isVisible = () => context.locate(at).isVisible();
  return clickedAt === null ? isVisible() : waitForChange(isVisible, clickedAt, END_AFTER_MS, context);
}

async function scrollContainer(
  container: ElementLocator | null,
  context: ActionContext,
): Promise<ScrollContainer> {
  if (container !== null) {
    const element = context.locate(container);
    await element.scrollIntoViewIfNeeded({ timeout: context.remainingMs });
    return {
      extent: () => evaluateIsolated(element, 'extentOfElement', undefined, { timeout: context.remainingMs }),
      scrollTo: (position) =>
        evaluateIsolated(element, 'scrollElement', position, { timeout: context.remainingMs }),
      center: async () => centerOf(await element.boundingBox({ timeout: context.remainingMs })),
    };
  }
  const { root, frameElement } = context;
  return {
    extent: () => evaluateIsolated(root, 'extentOfPage', undefined, { timeout: context.remainingMs }),
    scrollTo: (position) =>
      evaluateIsolated(root, 'scrollWindow', position, { timeout: context.remainingMs }),
    async center() {
      if (frameElement !== null)
        return centerOf(await frameElement.boundingBox({ timeout: context.remainingMs }));
      const { cssVisualViewport: view } = await context.env.session.send('Page.getLayoutMetrics');
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
