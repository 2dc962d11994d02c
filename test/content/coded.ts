import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { createBodyDecoder, type DecodedBody } from '../../src/content/codings/body-decoder.ts';

export const NAMES = ['gzip', 'x-gzip', 'deflate', 'raw deflate', 'br', 'zstd'] as const;
export type Name = (typeof NAMES)[number];

/** The value of Content-Encoding for this coding. */
export function token(name: Name): string {
  return name === 'raw deflate' ? 'deflate' : name;
}

export function encode(name: Name, bytes: Uint8Array): Buffer {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return gzipSync(bytes);
    case 'deflate':
      return deflateSync(bytes);
    case 'raw deflate':
      return deflateRawSync(bytes);
    case 'br':
      return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    case 'zstd':
      return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  }
}

/** Decodes a body that comes in pieces of the given sizes (repeated), and stops at `full` as a scraper does. */
export async function decode(
  contentEncoding: string | null,
  wire: Uint8Array,
  limit = 10 * 1024 * 1024,
  sizes: readonly number[] = [16 * 1024],
): Promise<DecodedBody & { readonly pushed: number }> {
  const decoder = createBodyDecoder(contentEncoding, limit);
  try {
    let offset = 0;
    for (let index = 0; offset < wire.length; index++) {
      const size = Math.max(1, sizes[index % sizes.length]!);
      const piece = wire.subarray(offset, offset + size);
      offset += piece.length;
      if ((await decoder.push(piece)) === 'full') break;
    }
    return { ...(await decoder.end()), pushed: offset };
  } finally {
    decoder.destroy();
  }
}
