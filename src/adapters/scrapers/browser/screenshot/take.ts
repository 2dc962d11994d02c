import type { ByteRoom } from '../../../../base/byte-room.ts';
import { deadlineIn } from '../../../../base/deadline.ts';
import { type Failure, failure, type Warning } from '../../../../domain/failure.ts';
import type { Screenshot } from '../../../../domain/screenshot.ts';
import { orAborted } from '../visit/raw-body.ts';
import { clamp, clampedWarning } from './clamp.ts';
import { imageSize, type Size } from './image-size.ts';
import { settle } from './settle.ts';
import type { ShownPage } from './shown-page.ts';
import { loadAll, type Unfolded, unfold } from './whole-page.ts';

/** Pixels of the page, from the upper left corner of what is to be seen of it now. */
export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export interface PictureAsk {
  /** What is to be seen, the whole page, or an element: where it lies once it has been scrolled into view. */
  readonly area: 'viewport' | 'page' | (() => Promise<Box | null>);
  readonly type: Screenshot['type'];
  /** 0–100; null: as the browser does it. Not for PNG. */
  readonly quality: number | null;
}

export interface PictureLimits {
  /** Ends it, whatever the page does. */
  readonly signal: AbortSignal;
  /** Until then, in milliseconds: a part of it may be spent on loading what a picture of the whole page shows. */
  readonly leftMs: number;
  /** What the picture is kept in. */
  readonly room: ByteRoom;
  /** Bytes of all pictures of the scrape so far. */
  readonly album: { bytes: number };
}

export interface Taken {
  readonly screenshot: Screenshot;
  /** Why it is not all that was asked for. */
  readonly clamped: Warning | null;
}

/** All pictures of a scrape together: larger files are of no use to anybody. */
const MOST_BYTES = 64 * 2 ** 20;
/** What a picture of the whole page may wait for images that are loaded only when they come into view. */
const LOADING_MS = 5_000;
/** Up to here a picture is small, whatever is on it. */
const SMALL_PIXELS = 2_000_000;

/**
 * A picture of the page as it stands; `screenshot.failed` when there is none. Settles when the signal says so, also on a
 * page that hangs. Rejects never.
 */
export async function takeScreenshot(
  page: ShownPage,
  ask: PictureAsk,
  limits: PictureLimits,
): Promise<Taken | Failure> {
  const { signal, room, leftMs } = limits;
  let unfolded: Unfolded | null = null;
  try {
    const element = typeof ask.area === 'function' ? await orAborted(ask.area(), signal) : null;
    if (typeof ask.area === 'function' && element === null) return failed('the selector matches nothing');
    if (ask.area === 'page') {
      using time = deadlineIn(Math.min(LOADING_MS, leftMs / 2), signal);
      unfolded = await unfold(page, signal);
      await loadAll(page, unfolded !== null, { time: time.signal, signal });
    }
    const { scale, touch } = await settle(page, signal);
    const metrics = await orAborted(page.session.send('Page.getLayoutMetrics'), signal);
    const all = frameOf(metrics, unfolded === null ? ask.area : 'viewport', element);
    const frame = unfolded === null ? all : { ...all, height: unfolded.height };
    if (frame.width <= 0 || frame.height <= 0) return failed('the area to capture has no size');
    const { size, wanted, pixels } = clamp(frame, scale, ask.type);
    const released = pixels > SMALL_PIXELS ? await room.lend(bytesOf(pixels), signal) : () => {};
    if (released === null) return failed('the request timed out while it waited for memory');
    try {
      const { x, y, beyond } = frame;
      const { data } = await orAborted(
        page.session.send('Page.captureScreenshot', {
          format: ask.type.slice('image/'.length) as 'png' | 'jpeg' | 'webp',
          ...(ask.quality === null ? {} : { quality: ask.quality }),
          ...(beyond || wanted !== null ? { clip: { x, y, ...size, scale: 1 } } : {}),
          captureBeyondViewport: beyond,
        }),
        signal,
      );
      // The browser forgets it where it has to draw more than is to be seen.
      if (beyond && touch)
        await orAborted(page.session.send('Emulation.setTouchEmulationEnabled', { enabled: true }), signal);
      return taken(data, ask.type, wanted, limits);
    } finally {
      released();
    }
  } catch (error) {
    return failed(signal.aborted ? 'it timed out' : (error as Error).message.split('\n', 1)[0]!);
  } finally {
    await unfolded?.fold();
  }
}

function taken(
  data: string,
  type: Screenshot['type'],
  wanted: Size | null,
  { room, album }: PictureLimits,
): Taken | Failure {
  if ((data.length / 4) * 3 > MOST_BYTES - album.bytes)
    return failed(
      `all screenshots together would exceed ${MOST_BYTES / 2 ** 20} MiB; take fewer, or use JPEG`,
    );
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  const size = imageSize(bytes, type);
  if (size === null) return failed('the browser returned something else');
  album.bytes += bytes.length;
  room.count(bytes.length);
  room.adopt(bytes);
  return {
    screenshot: { bytes, type, ...size },
    clamped: wanted === null ? null : clampedWarning(wanted, size),
  };
}

interface Frame extends Box {
  /** Some of it may not be in view. */
  readonly beyond: boolean;
}

interface Metrics {
  readonly cssVisualViewport: {
    readonly pageX: number;
    readonly pageY: number;
    readonly clientWidth: number;
    readonly clientHeight: number;
    /** Smaller than 1: more of the page is seen than there are pixels. */
    readonly scale: number;
  };
  readonly cssContentSize: Size;
}

/** What is to be shown, from the upper left corner of the document. */
function frameOf(
  { cssVisualViewport: view, cssContentSize: all }: Metrics,
  area: PictureAsk['area'],
  element: Box | null,
): Frame {
  if (element !== null) {
    const x = Math.floor(view.pageX + element.x + NEARLY);
    const y = Math.floor(view.pageY + element.y + NEARLY);
    const width = Math.ceil(view.pageX + element.x + element.width - NEARLY) - x;
    const height = Math.ceil(view.pageY + element.y + element.height - NEARLY) - y;
    return { x, y, width, height, beyond: true };
  }
  if (area === 'page') return { x: 0, y: 0, width: all.width, height: all.height, beyond: true };
  const { pageX: x, pageY: y, clientWidth, clientHeight, scale } = view;
  const [width, height] = [Math.round(clientWidth * scale), Math.round(clientHeight * scale)];
  return { x, y, width, height, beyond: false };
}

/** Whole pixels come with such an error, where a page is zoomed. */
const NEARLY = 0.01;

/** What a large picture takes until it is kept: the message, its text, and the file. */
const bytesOf = (pixels: number): number => 3 * pixels;

const failed = (why: string): Failure => failure('screenshot.failed', `There is no screenshot: ${why}.`);
