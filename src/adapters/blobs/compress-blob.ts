import { promisify } from 'node:util';
import { constants, createZstdCompress, type ZstdCompress, zstdDecompress } from 'node:zlib';
import { freeBuffer } from '../../base/memory-budget.ts';

/** Size of the slices that are compressed. The output of one always fits into the stream's buffer. */
const SLICE_BYTES = 256 * 1024;
/** Level 1, because speed matters more than size. The checksum detects damaged blobs. */
const ZSTD_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize: SLICE_BYTES / 2,
  readableHighWaterMark: 4 * SLICE_BYTES,
};

/**
 * Compresses to one zstd frame (RFC 8878) in other threads. It works slice by slice, so that a large blob is not in memory
 * twice. A yielded chunk is valid until the next one is requested. While the generator is suspended, and after its end, no
 * thread accesses `bytes`.
 */
export async function* compressBlob(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const zstd = createZstdCompress({ ...ZSTD_OPTIONS, pledgedSrcSize: bytes.length });
  try {
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      await writeSlice(zstd, bytes.subarray(from, from + SLICE_BYTES));
      for (let chunk = zstd.read() as Buffer | null; chunk !== null; chunk = zstd.read())
        yield* yieldAndFree(chunk);
    }
    zstd.end();
    for await (const chunk of zstd) yield* yieldAndFree(chunk as Buffer);
  } finally {
    zstd.destroy();
  }
}

/** Resolves when the slice has been compressed. */
function writeSlice(zstd: ZstdCompress, slice: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    zstd.write(slice, (error) => (error == null ? resolve() : reject(error)));
  });
}

/** Yields a chunk and then frees its memory, because the garbage collector would be too late for so many. */
function* yieldAndFree(chunk: Buffer): Generator<Uint8Array> {
  yield chunk;
  freeBuffer(chunk);
}

/** Rejects if the bytes are no whole zstd frame. */
export const decompressBlob: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(zstdDecompress);

/** Compresses to buffers of `size` bytes; only the last one may be shorter. They belong to the caller. */
export async function* compressToParts(bytes: Uint8Array, size: number): AsyncGenerator<Buffer<ArrayBuffer>> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of compressBlob(bytes)) {
    let rest = chunk;
    while (length + rest.length >= size) {
      const head = rest.subarray(0, size - length);
      yield Buffer.concat([...pieces, head], size);
      rest = rest.subarray(head.length);
      pieces = [];
      length = 0;
    }
    if (rest.length > 0) pieces.push(Buffer.from(rest));
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(pieces, length);
}
