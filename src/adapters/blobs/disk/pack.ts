import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';
import { freeWhole } from '../../../base/free-whole.ts';

/** What is compressed between two writes; the most it can become fits into the stream's buffer. */
const SLICE = 256 * 1024;
const OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize: SLICE / 2,
  readableHighWaterMark: 4 * SLICE,
};

/**
 * Compresses to one zstd frame, in other threads, slice by slice, so that no second copy of a large blob is held. Whenever
 * this has given a piece (good until the next), or has ended in any way, no thread looks at `bytes` any more.
 */
export async function* pack(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const zstd = createZstdCompress({ ...OPTIONS, pledgedSrcSize: bytes.length });
  try {
    for (let from = 0; from < bytes.length; from += SLICE) {
      await taken(zstd, bytes.subarray(from, from + SLICE));
      for (let piece = zstd.read() as Buffer | null; piece !== null; piece = zstd.read()) yield* once(piece);
    }
    zstd.end();
    for await (const piece of zstd) yield* once(piece as Buffer);
  } finally {
    zstd.destroy();
  }
}

/** Resolves when the compressor has taken all of it. */
function taken(zstd: ZstdCompress, slice: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    zstd.write(slice, (error) => (error == null ? resolve() : reject(error)));
  });
}

/** Gives the piece, and its memory back when it was taken: the garbage collector is late for so many. */
function* once(piece: Buffer): Generator<Uint8Array> {
  yield piece;
  freeWhole(piece);
}
