import type { Screenshot } from '../../domain/captures.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size in the header of an encoded image; null: it is not an image of this type, or damaged. */
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

const textAt = (view: DataView, offset: number, length: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));

/** PNG (W3C) §5.2, §11.2.2: the signature, then IHDR. */
function pngSize(view: DataView): ImageSize | null {
  if (view.byteLength < 24 || textAt(view, 0, 8) !== '\x89PNG\r\n\x1a\n') return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** ITU-T T.81 B.2.2: markers with lengths, until a frame header (SOF). */
function jpegSize(view: DataView): ImageSize | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let offset = 2; offset + 9 <= view.byteLength; ) {
    if (view.getUint8(offset) !== 0xff) return null;
    const marker = view.getUint8(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    // A length includes its own two bytes.
    offset += 2 + Math.max(2, view.getUint16(offset + 2));
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

const uint24 = (view: DataView, offset: number): number =>
  view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
