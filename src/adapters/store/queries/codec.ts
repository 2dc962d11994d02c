import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';

/** Values of the codec columns. They stand in databases: never renumber. */
export const PLAIN = 0;
export const ZSTD = 1;

/** From this length (bytes, or characters of text) on compressing is worth its time. */
const WORTH = 4096;
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const decompress = promisify(zstdDecompress);

/** Packs on the calling thread; what does not get smaller (images, archives) stays as it is. */
export function pack<T extends string | Uint8Array>(value: T): readonly [T | Uint8Array, number] {
  if (value.length < WORTH) return [value, PLAIN];
  const packed = zstdCompressSync(value, FAST);
  return packed.length < value.length ? [packed, ZSTD] : [value, PLAIN];
}

/** The bytes again, unpacked in the thread pool; null stays null. Rejects when they are damaged. */
export async function unpackBytes(value: Uint8Array | null, codec: number): Promise<Uint8Array | null> {
  return value === null || codec === PLAIN ? value : unzstd(value, codec);
}

/** As `unpackBytes`, for text (UTF-8). */
export async function unpackText(value: string | Uint8Array | null, codec: number): Promise<string | null> {
  if (value === null || typeof value === 'string') return value;
  const bytes = codec === PLAIN ? value : await unzstd(value, codec);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function unzstd(value: Uint8Array, codec: number): Promise<Buffer> {
  if (codec !== ZSTD) return Promise.reject(new Error(`unknown codec ${codec}`));
  return decompress(value);
}
