import { WARNINGS, type Warning } from '../../../../domain/failure.ts';
import type { Screenshot } from '../../../../domain/screenshot.ts';
import type { Size } from './image-size.ts';

/** Contract §4. Textures of browsers end there too. */
export const MOST_SIDE = 16_384;
/** RFC 9649 §2.6: 14 bits. */
const MOST_SIDE_OF_WEBP = 16_383;
const MOST_PIXELS = 50_000_000;

export interface Clamped {
  /** Pixels of the page. */
  readonly size: Size;
  /** How large the picture would have been, in its own pixels; null: it is whole. */
  readonly wanted: Size | null;
  readonly pixels: number;
}

/**
 * As much of it, from the upper left corner, as a picture may hold.
 * @param asked pixels of the page @param scale pixels of the picture for each of these
 */
export function clamp(asked: Size, scale: number, type: Screenshot['type']): Clamped {
  const side = type === 'image/webp' ? MOST_SIDE_OF_WEBP : MOST_SIDE;
  const wanted = { width: Math.ceil(asked.width * scale), height: Math.ceil(asked.height * scale) };
  const width = Math.min(wanted.width, side);
  const height = Math.min(wanted.height, side, Math.floor(MOST_PIXELS / width));
  const pixels = width * height;
  if (width === wanted.width && height === wanted.height) return { size: asked, wanted: null, pixels };
  // Down to whole pixels of the page, so that it does not become larger by rounding.
  const size = {
    width: Math.min(asked.width, Math.floor(width / scale)),
    height: Math.min(asked.height, Math.floor(height / scale)),
  };
  return { size, wanted, pixels };
}

export function clampedWarning(wanted: Size, given: Size): Warning {
  return {
    code: 'screenshot.clamped',
    message: `${WARNINGS['screenshot.clamped'].slice(0, -1)}, from ${wanted.width} × ${wanted.height} to ${given.width} × ${given.height} pixels.`,
    details: { asked: wanted, given },
  };
}
