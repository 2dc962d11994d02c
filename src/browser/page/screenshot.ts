import type { CDPSession, Locator } from 'playwright-core';
import type { MemoryReservation } from '../../base/memory-budget.ts';
import { deadlineIn } from '../../base/time.ts';
import { orAborted, orTimeout, sleep } from '../../base/wait.ts';
import type { Screenshot } from '../../domain/captures.ts';
import { type Failure, failure, WARNINGS, type Warning } from '../../domain/failure.ts';
import type { BrowserPage } from '../engine/browser-page.ts';
import { type ImageSize, imageSize } from './image-size.ts';

/** Contract §4. Textures of browsers end there too. */
const MAX_SIDE = 16_384;
/** RFC 9649 §2.6: 14 bits. */
const MAX_WEBP_SIDE = 16_383;
const MAX_PIXELS = 50_000_000;

interface ClampedSize {
  /** Pixels of the page. */
  readonly size: ImageSize;
  /** How large the picture would have been, in its own pixels; null: it is whole. */
  readonly requested: ImageSize | null;
  readonly pixels: number;
}

/**
 * As much of it, from the upper left corner, as a picture may hold.
 * @param asked pixels of the page @param scale pixels of the picture for each of these
 */
export function clampSize(asked: ImageSize, scale: number, type: Screenshot['type']): ClampedSize {
  const side = type === 'image/webp' ? MAX_WEBP_SIDE : MAX_SIDE;
  const requested = { width: Math.ceil(asked.width * scale), height: Math.ceil(asked.height * scale) };
  const width = Math.min(requested.width, side);
  const height = Math.min(requested.height, side, Math.floor(MAX_PIXELS / width));
  const pixels = width * height;
  if (width === requested.width && height === requested.height)
    return { size: asked, requested: null, pixels };
  // Down to whole pixels of the page, so that it does not become larger by rounding.
  const size = {
    width: Math.min(asked.width, Math.floor(width / scale)),
    height: Math.min(asked.height, Math.floor(height / scale)),
  };
  return { size, requested, pixels };
}

function clampedWarning(wanted: ImageSize, given: ImageSize): Warning {
  return {
    code: 'screenshot.clamped',
    message: `${WARNINGS['screenshot.clamped'].slice(0, -1)}, from ${wanted.width} × ${wanted.height} to ${given.width} × ${given.height} pixels.`,
    details: { asked: wanted, given },
  };
}

/** A page whose main frame is this one. */
export interface ScreenshotTarget {
  readonly session: Pick<CDPSession, 'send'>;
  readonly frameId: string;
  readonly setViewportHeight: BrowserPage['setViewportHeight'];
}

/** A font that has not come by then is drawn as the one in its place. */
const FONTS_TIMEOUT_MS = 1_000;

interface ScreenInfo {
  /** Pixels of a picture for each of the page. */
  readonly scale: number;
  /** It is one to be touched. */
  readonly touch: boolean;
}

const SCREEN_INFO_SCRIPT = "({ scale: devicePixelRatio, touch: matchMedia('(pointer: coarse)').matches })";

/**
 * Waits for the fonts that the page wants to be drawn with; animations go on. All in a world of its own, in which the page
 * has changed nothing. Rejects with the signal, or with the page.
 */
async function waitForFonts(
  { session, frameId }: ScreenshotTarget,
  signal: AbortSignal,
): Promise<ScreenInfo> {
  const { executionContextId: contextId } = await orAborted(
    session.send('Page.createIsolatedWorld', { frameId, worldName: 'picture' }),
    signal,
  );
  const inPage = (expression: string, awaitPromise: boolean) =>
    orAborted(
      session.send('Runtime.evaluate', { expression, contextId, awaitPromise, returnByValue: true }),
      signal,
    );
  const fonts = inPage('document.fonts?.ready.then(() => null)', true);
  await orTimeout(fonts, FONTS_TIMEOUT_MS, null);
  const { result } = await inPage(SCREEN_INFO_SCRIPT, false);
  return result.value as ScreenInfo;
}

/** What is scrolled at once, of what is seen. */
const SCROLL_STEP = 0.9;
/** For the page to be drawn after a step, and to look at what has come into view. */
const STEP_PAUSE_MS = 50;
/** On a longer way the steps are larger. */
const MAX_STEPS = 40;
const POLL_MS = 50;
/** A box that is made higher may make room for more. */
const MAX_EXPANSIONS = 2;

// All in a world of its own, in which the page has changed nothing.

const ROOT_SCRIPT = '(document.scrollingElement ?? document.documentElement)';

const SCROLL_STATE_SCRIPT = `(() => {
  const { scrollTop: top, scrollLeft: left, scrollHeight: height, clientHeight: seen } = ${ROOT_SCRIPT};
  return { top, left, height, seen };
})()`;

const scrollToScript = (left: number, top: number): string =>
  `${ROOT_SCRIPT}.scrollTo({ left: ${left}, top: ${top}, behavior: 'instant' })`;

/** Images that are being loaded, or will be where they are; not those at the side, which nobody has come to. */
const LOADING_IMAGES_SCRIPT = `[...document.images].filter((one) => {
  if (one.complete) return false;
  const { left, right, width, height } = one.getBoundingClientRect();
  return one.getClientRects().length > 0 && right + width + height > 0 && right >= 0 && left < innerWidth;
}).length`;

/** By how much the box in the middle, which scrolls in place of the page and fills most of what is seen, is too low; 0: none. */
const HIDDEN_HEIGHT_SCRIPT = `(() => {
  const root = ${ROOT_SCRIPT};
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

interface ScrollState {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly seen: number;
}

interface ExpandedViewport {
  /** Of the page with all of the box, in CSS pixels; the viewport is that high, or as high as a picture may be. */
  readonly height: number;
  /** Makes the viewport as high as it was. Never rejects. */
  restore(): Promise<unknown>;
}

/**
 * A page that scrolls in a box which fills the viewport is no higher than that: the viewport is made so high that the box shows
 * all of its content. null: it is not such a page. Rejects with the page, and with the signal.
 */
async function expandViewport(page: ScreenshotTarget, signal: AbortSignal): Promise<ExpandedViewport | null> {
  const inPage = await isolatedEvaluator(page, signal);
  const height = Number(await inPage('innerHeight'));
  let more = 0;
  for (let n = 0; n < MAX_EXPANSIONS; n++) {
    const hidden = Number(await inPage(HIDDEN_HEIGHT_SCRIPT));
    if (hidden === 0) break;
    more += hidden;
    const scale = Number(await inPage('devicePixelRatio'));
    const most = Math.max(height, Math.floor(MAX_SIDE / scale));
    await orAborted(page.setViewportHeight(Math.min(most, height + more)), signal);
    await sleep(STEP_PAUSE_MS);
  }
  if (more === 0) return null;
  return { height: height + more, restore: () => page.setViewportHeight(null).catch(() => {}) };
}

/**
 * Has images loaded that wait until they come into view: the page is scrolled through and back, and they are waited for.
 * Settles with `time` at the latest. Rejects with the page, and with the signal.
 * @param isSeen all of the page is in view already
 */
async function loadLazyImages(
  page: ScreenshotTarget,
  isSeen: boolean,
  { time, signal }: { time: AbortSignal; signal: AbortSignal },
): Promise<void> {
  const inPage = await isolatedEvaluator(page, signal);
  const { top, left, height, seen } = (await inPage(SCROLL_STATE_SCRIPT)) as ScrollState;
  if (!isSeen && height <= seen + 1) return;
  const step = Math.max(seen * SCROLL_STEP, height / MAX_STEPS, 1);
  for (let at = 0; at < height && !isSeen && !time.aborted; at += step) {
    await inPage(scrollToScript(left, at));
    await sleep(STEP_PAUSE_MS);
  }
  await inPage(scrollToScript(left, top));
  while (!time.aborted && Number(await inPage(LOADING_IMAGES_SCRIPT)) > 0) await sleep(POLL_MS);
  // They are drawn.
  await sleep(STEP_PAUSE_MS);
}

/** Evaluates what has a plain value. Rejects with the page, and with the signal. */
async function isolatedEvaluator({ session, frameId }: ScreenshotTarget, signal: AbortSignal) {
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

/** Pixels of the page, from the upper left corner of what is to be seen of it now. */
export interface BoundingBox extends ImageSize {
  readonly x: number;
  readonly y: number;
}

interface ScreenshotRequest {
  /** What is to be seen, the whole page, or an element: where it lies once it has been scrolled into view. */
  readonly area: 'viewport' | 'page' | (() => Promise<BoundingBox | null>);
  readonly type: Screenshot['type'];
  /** 0–100; null: as the browser does it. Not for PNG. */
  readonly quality: number | null;
}

export interface ScreenshotLimits {
  /** Ends it, whatever the page does. */
  readonly signal: AbortSignal;
  /** Until then, in milliseconds: a part of it may be spent on loading what a picture of the whole page shows. */
  readonly remainingMs: number;
  /** What the picture is kept in. */
  readonly memory: MemoryReservation;
  /** Bytes of all pictures of the scrape so far. */
  readonly total: { bytes: number };
}

interface TakenScreenshot {
  readonly screenshot: Screenshot;
  /** Why it is not all that was asked for. */
  readonly warning: Warning | null;
}

/** All pictures of a scrape together: larger files are of no use to anybody. */
const MAX_TOTAL_BYTES = 64 * 2 ** 20;
/** What a picture of the whole page may wait for images that are loaded only when they come into view. */
const LAZY_LOAD_MS = 5_000;
/** Up to here a picture is small, whatever is on it. */
const SMALL_PIXELS = 2_000_000;

/**
 * A picture of the page as it stands; `screenshot.failed` when there is none. Settles when the signal says so, also on a
 * page that hangs. Rejects never.
 */
export async function takeScreenshot(
  page: ScreenshotTarget,
  ask: ScreenshotRequest,
  limits: ScreenshotLimits,
): Promise<TakenScreenshot | Failure> {
  const { signal, memory, remainingMs } = limits;
  let unfolded: ExpandedViewport | null = null;
  try {
    const element = typeof ask.area === 'function' ? await orAborted(ask.area(), signal) : null;
    if (typeof ask.area === 'function' && element === null)
      return screenshotFailure('the selector matches nothing');
    if (ask.area === 'page') {
      using time = deadlineIn(Math.min(LAZY_LOAD_MS, remainingMs / 2), signal);
      unfolded = await expandViewport(page, signal);
      await loadLazyImages(page, unfolded !== null, { time: time.signal, signal });
    }
    const { scale, touch } = await waitForFonts(page, signal);
    const metrics = await orAborted(page.session.send('Page.getLayoutMetrics'), signal);
    const all = captureArea(metrics, unfolded === null ? ask.area : 'viewport', element);
    const frame = unfolded === null ? all : { ...all, height: unfolded.height };
    if (frame.width <= 0 || frame.height <= 0) return screenshotFailure('the area to capture has no size');
    const { size, requested, pixels } = clampSize(frame, scale, ask.type);
    const released =
      pixels > SMALL_PIXELS ? await memory.reserveTemporarily(captureBytes(pixels), signal) : () => {};
    if (released === null) return screenshotFailure('the request timed out while it waited for memory');
    try {
      const { x, y, beyondViewport } = frame;
      const { data } = await orAborted(
        page.session.send('Page.captureScreenshot', {
          format: ask.type.slice('image/'.length) as 'png' | 'jpeg' | 'webp',
          ...(ask.quality === null ? {} : { quality: ask.quality }),
          ...(beyondViewport || requested !== null ? { clip: { x, y, ...size, scale: 1 } } : {}),
          captureBeyondViewport: beyondViewport,
        }),
        signal,
      );
      // The browser forgets it where it has to draw more than is to be seen.
      if (beyondViewport && touch)
        await orAborted(page.session.send('Emulation.setTouchEmulationEnabled', { enabled: true }), signal);
      return toScreenshot(data, ask.type, requested, limits);
    } finally {
      released();
    }
  } catch (error) {
    return screenshotFailure(signal.aborted ? 'it timed out' : (error as Error).message.split('\n', 1)[0]!);
  } finally {
    await unfolded?.restore();
  }
}

function toScreenshot(
  data: string,
  type: Screenshot['type'],
  wanted: ImageSize | null,
  { memory, total }: ScreenshotLimits,
): TakenScreenshot | Failure {
  if ((data.length / 4) * 3 > MAX_TOTAL_BYTES - total.bytes)
    return screenshotFailure(
      `all screenshots together would exceed ${MAX_TOTAL_BYTES / 2 ** 20} MiB; take fewer, or use JPEG`,
    );
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  const size = imageSize(bytes, type);
  if (size === null) return screenshotFailure('the browser returned something else');
  total.bytes += bytes.length;
  memory.countUnreserved(bytes.length);
  memory.adopt(bytes);
  return {
    screenshot: { bytes, type, ...size },
    warning: wanted === null ? null : clampedWarning(wanted, size),
  };
}

interface CaptureArea extends BoundingBox {
  /** Some of it may not be in view. */
  readonly beyondViewport: boolean;
}

interface LayoutMetrics {
  readonly cssVisualViewport: {
    readonly pageX: number;
    readonly pageY: number;
    readonly clientWidth: number;
    readonly clientHeight: number;
    /** Smaller than 1: more of the page is seen than there are pixels. */
    readonly scale: number;
  };
  readonly cssContentSize: ImageSize;
}

/** What is to be shown, from the upper left corner of the document. */
function captureArea(
  { cssVisualViewport: view, cssContentSize: all }: LayoutMetrics,
  area: ScreenshotRequest['area'],
  element: BoundingBox | null,
): CaptureArea {
  if (element !== null) {
    const x = Math.floor(view.pageX + element.x + ROUNDING_ERROR);
    const y = Math.floor(view.pageY + element.y + ROUNDING_ERROR);
    const width = Math.ceil(view.pageX + element.x + element.width - ROUNDING_ERROR) - x;
    const height = Math.ceil(view.pageY + element.y + element.height - ROUNDING_ERROR) - y;
    return { x, y, width, height, beyondViewport: true };
  }
  if (area === 'page') return { x: 0, y: 0, width: all.width, height: all.height, beyondViewport: true };
  const { pageX: x, pageY: y, clientWidth, clientHeight, scale } = view;
  const [width, height] = [Math.round(clientWidth * scale), Math.round(clientHeight * scale)];
  return { x, y, width, height, beyondViewport: false };
}

/** Whole pixels come with such an error, where a page is zoomed. */
const ROUNDING_ERROR = 0.01;

/** What a large picture takes until it is kept: the message, its text, and the file. */
const captureBytes = (pixels: number): number => 3 * pixels;

const screenshotFailure = (why: string): Failure =>
  failure('screenshot.failed', `There is no screenshot: ${why}.`);

/** An element that does not come to rest is taken where it is. */
const SCROLL_TIMEOUT_MS = 2_000;

/** Where the first element that matches lies, scrolled into view; null: there is none. Rejects with the page. */
export async function locateBox(locator: Locator): Promise<BoundingBox | null> {
  if ((await locator.count()) === 0) return null;
  const first = locator.first();
  await first.scrollIntoViewIfNeeded({ timeout: SCROLL_TIMEOUT_MS }).catch(() => {});
  return (await first.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}
