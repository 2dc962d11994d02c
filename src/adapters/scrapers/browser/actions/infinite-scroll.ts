import { setTimeout as pause } from 'node:timers/promises';
import type { ActionOf, ElementAt } from '../../../../domain/page-action.ts';
import { orAborted } from '../visit/raw-body.ts';
import type { Done } from './done.ts';
import type { Extent, Where } from './in-page.ts';
import { isolated } from './isolated.ts';
import type { Turn } from './turn.ts';

/** What is scrolled at once, of what is seen: nothing on the way is passed over. */
const STEP = 0.9;
/** For the page to be drawn after a step, and to look at what has come into view. */
const STEP_MS = 50;
/** On a longer way the rest is one step. */
const MOST_STEPS = 40;
/** Nothing has changed for so long, and nothing is under way: it is the end. Also of what is begun by a timer. */
const END_MS = 2_000;
/** What the page does with an answer that has come. */
const DRAWING_MS = 500;
/** What the page fetches is waited for so long after each scroll. */
const FETCHING_MS = 10_000;
const LOOK_MS = 100;

/** What is scrolled: the page, a frame, or an element. */
interface Scroller {
  extent(): Promise<Extent>;
  to(where: Where): Promise<void>;
  /** A place in it, in pixels of the window; null: it is not to be seen. */
  place(): Promise<{ readonly x: number; readonly y: number } | null>;
}

/** Scrolls down, or clicks for more, as long as that brings something. */
export async function infiniteScroll(action: ActionOf<'infinite_scroll'>, turn: Turn): Promise<Done> {
  const { most, delayMs, until, click, container } = action;
  const scroller = await scrollerOf(container, turn);
  const ended = (scrolls: number, reason: string): Done => ({ result: { scrolls, reason } });
  let since = 0;
  let grows = true;
  for (let scrolls = 0; ; scrolls++) {
    if (until !== null && (await turn.element(until).isVisible())) return ended(scrolls, 'until_selector');
    if (!grows) return ended(scrolls, 'end');
    if (scrolls === most) return ended(scrolls, 'max_scrolls');
    const before = await scroller.extent();
    if (click !== null && !(await isSeen(click, scrolls === 0 ? 0 : since, turn)))
      return ended(scrolls, 'end');
    since = performance.now();
    if (click === null) await scrollDown(scroller, turn);
    else await turn.element(click).click({ timeout: turn.left });
    await pause(delayMs, null, { signal: turn.signal });
    const hasGrown = async () => isOther(before, await scroller.extent());
    // What a click brings need not make the page larger: there the end is that nothing can be clicked.
    if (click === null) grows = await comes(hasGrown, since, END_MS, turn);
    else await comes(hasGrown, since, 0, turn);
  }
}

const isOther = (one: Extent, other: Extent): boolean =>
  one.height !== other.height || one.elements !== other.elements;

/** More may be loaded just above the end, or by the wheel alone. */
async function scrollDown(scroller: Scroller, turn: Turn): Promise<void> {
  const before = await scroller.extent();
  for (let step = 1; ; step++) {
    const { top, seen, height } = await scroller.extent();
    if (top + seen >= height - 1 || height !== before.height) break;
    await scroller.to(
      step > MOST_STEPS
        ? { to: 'bottom', x: 0, y: 0 }
        : { to: null, x: 0, y: top + Math.max(1, seen * STEP) },
    );
    const now = await scroller.extent();
    if (now.top === top) break;
    await pause(STEP_MS, null, { signal: turn.signal });
  }
  const place = await scroller.place();
  if (place === null) return;
  const wheel = { type: 'mouseWheel', ...place, deltaX: 0, deltaY: Math.round(before.seen * STEP) } as const;
  await orAborted(turn.stage.session.send('Input.dispatchMouseEvent', wheel), turn.signal);
}

/**
 * Waits for what was begun: whether it comes. What the page has fetched since then is waited for.
 * @param leastMs so long it may take, also when nothing is fetched
 */
async function comes(
  has: () => Promise<boolean>,
  since: number,
  leastMs: number,
  { stage: { idle }, signal }: Turn,
): Promise<boolean> {
  let busyUntil = 0;
  for (;;) {
    if (await has()) return true;
    const now = performance.now();
    if (idle.loadsDataSince(since) && now - since < FETCHING_MS) busyUntil = now + DRAWING_MS;
    if (now >= busyUntil && now - since >= leastMs) return false;
    await pause(LOOK_MS, null, { signal });
  }
}

/** A button may hide while it loads. @param since when it was clicked the last time; 0: never */
async function isSeen(at: ElementAt, since: number, turn: Turn): Promise<boolean> {
  const look = () => turn.element(at).isVisible();
  return since === 0 ? look() : comes(look, since, END_MS, turn);
}

async function scrollerOf(container: ElementAt | null, turn: Turn): Promise<Scroller> {
  if (container !== null) {
    const element = turn.element(container);
    await element.scrollIntoViewIfNeeded({ timeout: turn.left });
    return {
      extent: () => isolated(element, 'extentOfElement', undefined, { timeout: turn.left }),
      to: (where) => isolated(element, 'scrollElement', where, { timeout: turn.left }),
      place: async () => middleOf(await element.boundingBox({ timeout: turn.left })),
    };
  }
  const { root, frameElement } = turn;
  return {
    extent: () => isolated(root, 'extentOfPage', undefined, { timeout: turn.left }),
    to: (where) => isolated(root, 'scrollWindow', where, { timeout: turn.left }),
    async place() {
      if (frameElement !== null) return middleOf(await frameElement.boundingBox({ timeout: turn.left }));
      const { cssVisualViewport: view } = await turn.stage.session.send('Page.getLayoutMetrics');
      return middleOf({ x: 0, y: 0, width: view.clientWidth, height: view.clientHeight });
    },
  };
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const middleOf = (box: Box | null) =>
  box === null ? null : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
