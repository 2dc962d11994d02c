import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { ChangedPicture } from '../domain/monitors.ts';

/** Sensitivity of the comparison of two colours, 0 to 1: anti-aliased text that moves by less than a pixel is the same. */
const THRESHOLD = 0.1;
/** A picture takes four bytes for each pixel, and the comparison two pictures. */
const MAX_PIXELS = 40_000_000;

/**
 * Compares two pictures in PNG format.
 * @returns null: one of them cannot be read, or is too large
 */
export function comparePictures(before: Uint8Array, after: Uint8Array): ChangedPicture | null {
  const old = decoded(before);
  const now = decoded(after);
  if (old === null || now === null) return null;
  const { width, height } = now;
  if (old.width !== width || old.height !== height) return { share: 1, width, height };
  const different = pixelmatch(old.data, now.data, undefined, width, height, { threshold: THRESHOLD });
  return { share: different / (width * height), width, height };
}

function decoded(bytes: Uint8Array): PNG | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The size stands in the first chunk (PNG §11.2.1), before anything is decompressed.
  if (buffer.length < 24 || buffer.readUInt32BE(16) * buffer.readUInt32BE(20) > MAX_PIXELS) return null;
  try {
    return PNG.sync.read(buffer);
  } catch {
    return null;
  }
}
