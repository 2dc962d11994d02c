import type { Screenshot } from '../../domain/captures.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What an encoded picture says of its size; null: it is no picture of this type, or broken at the beginning. */
export function imageSize(bytes: Uint8Array, type: Screenshot['type']): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = READERS[type](view);
  return size === null || size.width === 0 || size.height === 0 ? null : size;
}

const READERS: Readonly<Record<Screenshot['type'], (view: DataView) => ImageSize | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

const textAt = (view: DataView, at: number, length: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));

/** PNG (W3C) §5.2, §11.2.2: the signature, then IHDR. */
function pngSize(view: DataView): ImageSize | null {
  if (view.byteLength < 24 || textAt(view, 0, 8) !== '\x89PNG\r\n\x1a\n') return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** ITU-T T.81 B.2.2: markers with lengths, until a frame header (SOF). */
function jpegSize(view: DataView): ImageSize | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // A length counts its own two bytes.
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return null;
}

/** RFC 9649 §2.4–2.7: lossy, lossless, extended. */
function webpSize(view: DataView): ImageSize | null {
  if (view.byteLength < 30 || textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return null;
  switch (textAt(view, 12, 4)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return null;
  }
}

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
