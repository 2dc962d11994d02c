import { setTimeout as pause } from 'node:timers/promises';
import { orAborted } from '../visit/raw-body.ts';
import { MOST_SIDE } from './clamp.ts';
import type { ShownPage } from './shown-page.ts';

/** What is scrolled at once, of what is seen. */
const STEP = 0.9;
/** For the page to be drawn after a step, and to look at what has come into view. */
const STEP_MS = 50;
/** On a longer way the steps are larger. */
const MOST_STEPS = 40;
const LOOK_MS = 50;
/** A box that is made higher may make room for more. */
const MOST_UNFOLDS = 2;

// All in a world of its own, in which the page has changed nothing.

const ROOT = '(document.scrollingElement ?? document.documentElement)';

const PLACE = `(() => {
  const { scrollTop: top, scrollLeft: left, scrollHeight: height, clientHeight: seen } = ${ROOT};
  return { top, left, height, seen };
})()`;

const scrollTo = (left: number, top: number): string =>
  `${ROOT}.scrollTo({ left: ${left}, top: ${top}, behavior: 'instant' })`;

/** Images that are being loaded, or will be where they are; not those at the side, which nobody has come to. */
const LOADING = `[...document.images].filter((one) => {
  if (one.complete) return false;
  const { left, right, width, height } = one.getBoundingClientRect();
  return one.getClientRects().length > 0 && right + width + height > 0 && right >= 0 && left < innerWidth;
}).length`;

/** By how much the box in the middle, which scrolls in place of the page and fills most of what is seen, is too low; 0: none. */
const HIDDEN = `(() => {
  const root = ${ROOT};
  if (root.scrollHeight > root.clientHeight + 1) return 0;
  const inMiddle = (of) => of.elementFromPoint(innerWidth / 2, innerHeight / 2);
  let one = inMiddle(document);
  for (let inner = one; inner !== null && inner.shadowRoot !== null; one = inner ?? one) {
    const next = inMiddle(inner.shadowRoot);
    inner = next === inner ? null : next;
  }
  for (; one !== null && one !== root; one = one.parentElement ?? one.getRootNode().host ?? null) {
    const more = one.scrollHeight - one.clientHeight;
    const fills = one.clientWidth * one.clientHeight >= (innerWidth * innerHeight) / 2;
    if (more > 1 && fills && /auto|scroll/.test(getComputedStyle(one).overflowY)) return more;
  }
  return 0;
})()`;

interface Place {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly seen: number;
}

export interface Unfolded {
  /** Of the page with all of the box, in CSS pixels; the viewport is that high, or as high as a picture may be. */
  readonly height: number;
  /** Makes the viewport as high as it was. Never rejects. */
  fold(): Promise<unknown>;
}

/**
 * A page that scrolls in a box which fills the viewport is no higher than that: the viewport is made so high that the box shows
 * all of its content. null: it is not such a page. Rejects with the page, and with the signal.
 */
export async function unfold(page: ShownPage, signal: AbortSignal): Promise<Unfolded | null> {
  const inPage = await worldOf(page, signal);
  const height = Number(await inPage('innerHeight'));
  let more = 0;
  for (let n = 0; n < MOST_UNFOLDS; n++) {
    const hidden = Number(await inPage(HIDDEN));
    if (hidden === 0) break;
    more += hidden;
    const scale = Number(await inPage('devicePixelRatio'));
    const most = Math.max(height, Math.floor(MOST_SIDE / scale));
    await orAborted(page.setHeight(Math.min(most, height + more)), signal);
    await pause(STEP_MS);
  }
  if (more === 0) return null;
  return { height: height + more, fold: () => page.setHeight(null).catch(() => {}) };
}

/**
 * Has images loaded that wait until they come into view: the page is scrolled through and back, and they are waited for.
 * Settles with `time` at the latest. Rejects with the page, and with the signal.
 * @param isSeen all of the page is in view already
 */
export async function loadAll(
  page: ShownPage,
  isSeen: boolean,
  { time, signal }: { time: AbortSignal; signal: AbortSignal },
): Promise<void> {
  const inPage = await worldOf(page, signal);
  const { top, left, height, seen } = (await inPage(PLACE)) as Place;
  if (!isSeen && height <= seen + 1) return;
  const step = Math.max(seen * STEP, height / MOST_STEPS, 1);
  for (let at = 0; at < height && !isSeen && !time.aborted; at += step) {
    await inPage(scrollTo(left, at));
    await pause(STEP_MS);
  }
  await inPage(scrollTo(left, top));
  while (!time.aborted && Number(await inPage(LOADING)) > 0) await pause(LOOK_MS);
  // They are drawn.
  await pause(STEP_MS);
}

/** Evaluates what has a plain value. Rejects with the page, and with the signal. */
async function worldOf({ session, frameId }: ShownPage, signal: AbortSignal) {
  const { executionContextId: contextId } = await orAborted(
    session.send('Page.createIsolatedWorld', { frameId, worldName: 'picture' }),
    signal,
  );
  return async (expression: string): Promise<unknown> => {
    const evaluate = { expression, contextId, returnByValue: true } as const;
    const { result } = await orAborted(session.send('Runtime.evaluate', evaluate), signal);
    return result.value;
  };
}
