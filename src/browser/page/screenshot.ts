import type { CDPSession, Locator } from 'playwright-core';
import type { MemoryReservation } from '../../base/memory-budget.ts';
import { deadlineUnder } from '../../base/time.ts';
import { orAborted, orTimeout, sleep } from '../../base/wait.ts';
import { type ImageSize, imageSize } from '../../content/charset/image-size.ts';
import type { ElementBox, Screenshot } from '../../domain/captures.ts';
import { type Failure, failure, isFailure, WARNINGS, type Warning } from '../../domain/failure.ts';
import type { BrowserPage } from '../engine/browser-page.ts';
import { boxesInPicture, ELEMENT_BOXES_SCRIPT } from './element-boxes.ts';

/** Contract §4. Browsers cannot render larger textures either. */
const MAX_SIDE = 16_384;
/** RFC 9649 §2.6: 14 bits. */
const MAX_WEBP_SIDE = 16_383;
/** Contract §4. */
const MAX_PIXELS = 50_000_000;

interface ClampedSize {
  /** In pixels of the page. */
  readonly size: ImageSize;
  /** The full size, in pixels of the image; null: it was not clamped. */
  readonly requested: ImageSize | null;
  readonly pixels: number;
}

/**
 * Clamps a size to the limits of an image, from the upper left corner.
 * @param area in pixels of the page @param scale device pixel ratio
 */
export function clampSize(area: ImageSize, scale: number, type: Screenshot['type']): ClampedSize {
  const side = type === 'image/webp' ? MAX_WEBP_SIDE : MAX_SIDE;
  const requested = { width: Math.ceil(area.width * scale), height: Math.ceil(area.height * scale) };
  const width = Math.min(requested.width, side);
  const height = Math.min(requested.height, side, Math.floor(MAX_PIXELS / width));
  const pixels = width * height;
  if (width === requested.width && height === requested.height)
    return { size: area, requested: null, pixels };
  // Rounded down to whole pixels of the page, so that the image does not become larger.
  const size = {
    width: Math.min(area.width, Math.floor(width / scale)),
    height: Math.min(area.height, Math.floor(height / scale)),
  };
  return { size, requested, pixels };
}

function clampedWarning(requested: ImageSize, actual: ImageSize): Warning {
  return {
    code: 'screenshot.clamped',
    message: `${WARNINGS['screenshot.clamped'].slice(0, -1)}, from ${requested.width} × ${requested.height} to ${actual.width} × ${actual.height} pixels.`,
    details: { asked: requested, given: actual },
  };
}

/** The page to capture. */
export interface ScreenshotTarget {
  readonly session: Pick<CDPSession, 'send'>;
  /** Of the main frame. */
  readonly frameId: string;
  readonly setViewportHeight: BrowserPage['setViewportHeight'];
}

/** Fonts that have not been loaded by then are drawn as their fallbacks. */
const FONTS_TIMEOUT_MS = 1_000;

interface ScreenInfo {
  /** Device pixel ratio. */
  readonly scale: number;
  /** It is a touch screen. */
  readonly touch: boolean;
}

const SCREEN_INFO_SCRIPT = "({ scale: devicePixelRatio, touch: matchMedia('(pointer: coarse)').matches })";

/** Waits for the fonts of the page. Animations go on. Rejects when the signal aborts or the page ends. */
async function waitForFonts(page: ScreenshotTarget, signal: AbortSignal): Promise<ScreenInfo> {
  const evaluate = await isolatedEvaluator(page, signal);
  await orTimeout(evaluate('document.fonts?.ready.then(() => null)'), FONTS_TIMEOUT_MS, null);
  return (await evaluate(SCREEN_INFO_SCRIPT)) as ScreenInfo;
}

/** Share of the viewport that one step scrolls. */
const SCROLL_STEP = 0.9;
/** Time for the page to render after a step, and for its scripts to react to it. */
const STEP_PAUSE_MS = 50;
/** Longer pages are scrolled in larger steps. */
const MAX_STEPS = 40;
const POLL_MS = 50;
/** A box that was expanded may load more content and become higher, so it is expanded again. */
const MAX_EXPANSIONS = 2;

const ROOT_SCRIPT = '(document.scrollingElement ?? document.documentElement)';

const SCROLL_STATE_SCRIPT = `(() => {
  const { scrollTop: top, scrollLeft: left, scrollHeight: height, clientHeight: visibleHeight } = ${ROOT_SCRIPT};
  return { top, left, height, visibleHeight };
})()`;

const scrollToScript = (left: number, top: number): string =>
  `${ROOT_SCRIPT}.scrollTo({ left: ${left}, top: ${top}, behavior: 'instant' })`;

/** How many images are being loaded, or will be when they scroll into view. Images left or right of the viewport do not count. */
const LOADING_IMAGES_SCRIPT = `[...document.images].filter((image) => {
  if (image.complete) return false;
  const { left, right, width, height } = image.getBoundingClientRect();
  return image.getClientRects().length > 0 && right + width + height > 0 && right >= 0 && left < innerWidth;
}).length`;

/** The hidden height of a box that scrolls in place of the page and fills most of the viewport; 0: there is none. */
const HIDDEN_HEIGHT_SCRIPT = `(() => {
  const root = ${ROOT_SCRIPT};
  if (root.scrollHeight > root.clientHeight + 1) return 0;
  const centerElement = (scope) => scope.elementFromPoint(innerWidth / 2, innerHeight / 2);
  let element = centerElement(document);
  for (let inner = element; inner !== null && inner.shadowRoot !== null; element = inner ?? element) {
    const next = centerElement(inner.shadowRoot);
    inner = next === inner ? null : next;
  }
  for (; element !== null && element !== root; element = element.parentElement ?? element.getRootNode().host ?? null) {
    const hiddenHeight = element.scrollHeight - element.clientHeight;
    const fills = element.clientWidth * element.clientHeight >= (innerWidth * innerHeight) / 2;
    if (hiddenHeight > 1 && fills && /auto|scroll/.test(getComputedStyle(element).overflowY)) return hiddenHeight;
  }
  return 0;
})()`;

interface ScrollState {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly visibleHeight: number;
}

interface ExpandedViewport {
  /** Height of the page with all content of the box, in CSS pixels; the viewport is lower if this exceeds its limit. */
  readonly height: number;
  /** Restores the viewport. Never rejects. */
  restore(): Promise<unknown>;
}

/**
 * If not the page scrolls, but a box that fills the viewport, makes the viewport so high that the box shows all of its content.
 * null: the page has no such box. Rejects when the signal aborts or the page ends.
 */
async function expandViewport(page: ScreenshotTarget, signal: AbortSignal): Promise<ExpandedViewport | null> {
  const evaluate = await isolatedEvaluator(page, signal);
  const height = Number(await evaluate('innerHeight'));
  let hiddenHeight = 0;
  for (let n = 0; n < MAX_EXPANSIONS; n++) {
    const hidden = Number(await evaluate(HIDDEN_HEIGHT_SCRIPT));
    if (hidden === 0) break;
    hiddenHeight += hidden;
    const scale = Number(await evaluate('devicePixelRatio'));
    const maxHeight = Math.max(height, Math.floor(MAX_SIDE / scale));
    await orAborted(page.setViewportHeight(Math.min(maxHeight, height + hiddenHeight)), signal);
    await sleep(STEP_PAUSE_MS);
  }
  if (hiddenHeight === 0) return null;
  return { height: height + hiddenHeight, restore: () => page.setViewportHeight(null).catch(() => {}) };
}

/**
 * Scrolls through the page and back, so that lazy images are loaded, and waits for them until `timeLimit` aborts. Rejects when the signal
 * aborts or the page ends.
 * @param isWholePageVisible the whole page is in the viewport already, so there is no need to scroll
 */
async function loadLazyImages(
  page: ScreenshotTarget,
  { isWholePageVisible }: { readonly isWholePageVisible: boolean },
  { timeLimit, signal }: { readonly timeLimit: AbortSignal; readonly signal: AbortSignal },
): Promise<void> {
  const evaluate = await isolatedEvaluator(page, signal);
  const { top, left, height, visibleHeight } = (await evaluate(SCROLL_STATE_SCRIPT)) as ScrollState;
  if (!isWholePageVisible && height <= visibleHeight + 1) return;
  const step = Math.max(visibleHeight * SCROLL_STEP, height / MAX_STEPS, 1);
  for (let position = 0; position < height && !isWholePageVisible && !timeLimit.aborted; position += step) {
    await evaluate(scrollToScript(left, position));
    await sleep(STEP_PAUSE_MS);
  }
  await evaluate(scrollToScript(left, top));
  while (!timeLimit.aborted && Number(await evaluate(LOADING_IMAGES_SCRIPT)) > 0) await sleep(POLL_MS);
  // Time for the page to render the images.
  await sleep(STEP_PAUSE_MS);
}

/** Loads what a page loads only when it scrolls into view, and its fonts, for printing. Rejects when the signal aborts or the page ends. */
export async function loadWholePage(
  page: ScreenshotTarget,
  { remainingMs, signal }: { readonly remainingMs: number; readonly signal: AbortSignal },
): Promise<void> {
  using time = deadlineUnder(Math.min(LAZY_LOAD_MS, remainingMs / 2), signal);
  await loadLazyImages(page, { isWholePageVisible: false }, { timeLimit: time.signal, signal });
  await waitForFonts(page, signal);
}

/** Evaluates in an isolated world, because the page may have replaced built-ins of its own. Rejects when the signal aborts or the page ends. */
export async function isolatedEvaluator({ session, frameId }: ScreenshotTarget, signal: AbortSignal) {
  const { executionContextId: contextId } = await orAborted(
    session.send('Page.createIsolatedWorld', { frameId, worldName: 'screenshot' }),
    signal,
  );
  return async (expression: string): Promise<unknown> => {
    const params = { expression, contextId, awaitPromise: true, returnByValue: true };
    const { result } = await orAborted(session.send('Runtime.evaluate', params), signal);
    return result.value;
  };
}

/** In pixels of the page, relative to the viewport. */
export interface BoundingBox extends ImageSize {
  readonly x: number;
  readonly y: number;
}

interface ScreenshotRequest {
  /** The viewport, the whole page, or an element: the function scrolls it into view and returns its box; null: none matches. */
  readonly area: 'viewport' | 'page' | (() => Promise<BoundingBox | null>);
  readonly type: Screenshot['type'];
  /** 0–100; null: the default of the browser. Not for PNG. */
  readonly quality: number | null;
  /** Whether to tell where elements are in the picture. Default: false. */
  readonly withBoxes?: boolean;
}

export interface ScreenshotLimits {
  readonly signal: AbortSignal;
  /** Half of it may be spent on loading images of a whole page. */
  readonly remainingMs: number;
  readonly memory: MemoryReservation;
  /** Bytes of all screenshots of the scrape so far. */
  readonly total: { bytes: number };
}

interface TakenScreenshot {
  readonly screenshot: Screenshot;
  /** Empty, unless they were asked for. */
  readonly boxes: readonly ElementBox[];
  /** The screenshot was clamped. */
  readonly warning: Warning | null;
}

/** For all screenshots of a scrape together. */
const MAX_TOTAL_BYTES = 64 * 2 ** 20;
/** A screenshot of the whole page waits so long for lazy images. */
const LAZY_LOAD_MS = 5_000;
/** A smaller image needs so little memory that none is reserved for it. */
const SMALL_PIXELS = 2_000_000;

/** Takes a screenshot; `screenshot.failed` if that fails. Settles when the signal aborts, even if the page hangs. Never rejects. */
export async function takeScreenshot(
  page: ScreenshotTarget,
  request: ScreenshotRequest,
  limits: ScreenshotLimits,
): Promise<TakenScreenshot | Failure> {
  const { signal, memory, remainingMs } = limits;
  let expanded: ExpandedViewport | null = null;
  try {
    const element = typeof request.area === 'function' ? await orAborted(request.area(), signal) : null;
    if (typeof request.area === 'function' && element === null)
      return screenshotFailure('the selector matches nothing');
    if (request.area === 'page') {
      using time = deadlineUnder(Math.min(LAZY_LOAD_MS, remainingMs / 2), signal);
      expanded = await expandViewport(page, signal);
      await loadLazyImages(
        page,
        { isWholePageVisible: expanded !== null },
        { timeLimit: time.signal, signal },
      );
    }
    const { scale, touch } = await waitForFonts(page, signal);
    const metrics = await orAborted(page.session.send('Page.getLayoutMetrics'), signal);
    // An expanded viewport shows the whole page, unless that is higher than the viewport can be; then the image is clamped.
    const visible = captureArea(metrics, expanded === null ? request.area : 'viewport', element);
    const area = expanded === null ? visible : { ...visible, height: expanded.height };
    if (area.width <= 0 || area.height <= 0) return screenshotFailure('the area to capture has no size');
    const { size, requested, pixels } = clampSize(area, scale, request.type);
    const release =
      pixels > SMALL_PIXELS ? await memory.reserveTemporarily(captureBytes(pixels), signal) : () => {};
    if (release === null) return screenshotFailure('the request timed out while it waited for memory');
    try {
      const { x, y, beyondViewport, zoom } = area;
      const measured = request.withBoxes === true ? await measureBoxes(page, signal) : null;
      const { data } = await orAborted(
        page.session.send('Page.captureScreenshot', {
          format: request.type.slice('image/'.length) as 'png' | 'jpeg' | 'webp',
          ...(request.quality === null ? {} : { quality: request.quality }),
          ...(beyondViewport || requested !== null ? { clip: { x, y, ...size, scale: 1 } } : {}),
          captureBeyondViewport: beyondViewport,
        }),
        signal,
      );
      // Capturing beyond the viewport turns touch emulation off.
      if (beyondViewport && touch)
        await orAborted(page.session.send('Emulation.setTouchEmulationEnabled', { enabled: true }), signal);
      const taken = toScreenshot(data, request.type, requested, limits);
      if (isFailure(taken)) return taken;
      const { width, height } = taken.screenshot;
      return { ...taken, boxes: boxesInPicture(measured, { x, y, scale: scale * zoom, width, height }) };
    } finally {
      release();
    }
  } catch (error) {
    return screenshotFailure(signal.aborted ? 'it timed out' : (error as Error).message.split('\n', 1)[0]!);
  } finally {
    await expanded?.restore();
  }
}

function toScreenshot(
  data: string,
  type: Screenshot['type'],
  requested: ImageSize | null,
  { memory, total }: ScreenshotLimits,
): Omit<TakenScreenshot, 'boxes'> | Failure {
  if ((data.length / 4) * 3 > MAX_TOTAL_BYTES - total.bytes)
    return screenshotFailure(
      `all screenshots together would exceed ${MAX_TOTAL_BYTES / 2 ** 20} MiB; take fewer, or use JPEG`,
    );
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  const size = imageSize(bytes, type);
  if (size === null) return screenshotFailure('the browser returned no valid image of the requested type');
  total.bytes += bytes.length;
  memory.countUnreserved(bytes.length);
  memory.adopt(bytes);
  return {
    screenshot: { bytes, type, ...size },
    warning: requested === null ? null : clampedWarning(requested, size),
  };
}

/** In the moment of the screenshot, because the page may have moved since it was read. */
async function measureBoxes(page: ScreenshotTarget, signal: AbortSignal): Promise<unknown> {
  return await (await isolatedEvaluator(page, signal))(ELEMENT_BOXES_SCRIPT);
}

interface CaptureArea extends BoundingBox {
  /** Less than 1: the picture shows the page zoomed out. */
  readonly zoom: number;
  /** A part of it may be outside the viewport. */
  readonly beyondViewport: boolean;
}

interface LayoutMetrics {
  readonly cssVisualViewport: {
    readonly pageX: number;
    readonly pageY: number;
    readonly clientWidth: number;
    readonly clientHeight: number;
    /** Less than 1: the page is zoomed out. */
    readonly scale: number;
  };
  readonly cssContentSize: ImageSize;
}

/** The area to capture, relative to the document. */
function captureArea(
  { cssVisualViewport: viewport, cssContentSize: content }: LayoutMetrics,
  area: ScreenshotRequest['area'],
  element: BoundingBox | null,
): CaptureArea {
  if (element !== null) {
    const x = Math.floor(viewport.pageX + element.x + ROUNDING_ERROR);
    const y = Math.floor(viewport.pageY + element.y + ROUNDING_ERROR);
    const width = Math.ceil(viewport.pageX + element.x + element.width - ROUNDING_ERROR) - x;
    const height = Math.ceil(viewport.pageY + element.y + element.height - ROUNDING_ERROR) - y;
    return { x, y, width, height, beyondViewport: true, zoom: 1 };
  }
  if (area === 'page')
    return { x: 0, y: 0, width: content.width, height: content.height, beyondViewport: true, zoom: 1 };
  const { pageX: x, pageY: y, clientWidth, clientHeight, scale } = viewport;
  const [width, height] = [Math.round(clientWidth * scale), Math.round(clientHeight * scale)];
  return { x, y, width, height, beyondViewport: false, zoom: scale };
}

/** On zoomed pages, browsers report whole pixels with an error of this size. */
const ROUNDING_ERROR = 0.01;

/** Memory for taking a large screenshot: the CDP message, its base64 text, and the image. */
const captureBytes = (pixels: number): number => 3 * pixels;

export const screenshotFailure = (reason: string): Failure =>
  failure('screenshot.failed', `There is no screenshot: ${reason}.`);

/** After this time, an element that keeps moving is captured where it is. */
const SCROLL_TIMEOUT_MS = 2_000;

/** Scrolls the first matching element into view and returns its box; null: there is none. Rejects when the page ends. */
export async function locateBox(locator: Locator): Promise<BoundingBox | null> {
  if ((await locator.count()) === 0) return null;
  const first = locator.first();
  await first.scrollIntoViewIfNeeded({ timeout: SCROLL_TIMEOUT_MS }).catch(() => {});
  return (await first.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}
