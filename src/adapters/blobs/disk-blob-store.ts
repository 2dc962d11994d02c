import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, createZstdCompress, type ZstdCompress, zstdDecompress } from 'node:zlib';
import { freeBuffer } from '../../base/memory-budget.ts';
import { type BlobStore, StorageError } from '../../ports/store.ts';
import { probeFolder, removeAbandonedFiles, writeFileAtomically } from './write-file.ts';

const BLOB_KEY = /^[0-9a-f-]{1,64}$/;

/**
 * Where the blob of a key lies: two folders by its last four characters (record ids begin with the time, so only
 * their end spreads). A key has neither dots nor separators, therefore the path cannot leave `dir`.
 * @throws TypeError when it is not a key: a bug of the caller.
 */
function blobPath(dir: string, key: string): string {
  if (!BLOB_KEY.test(key)) throw new TypeError(`not a blob key: ${JSON.stringify(key.slice(0, 80))}`);
  const tail = key.padStart(4, '0');
  return join(dir, tail.slice(-2), tail.slice(-4, -2), `${key}.zst`);
}

/** The key of a file name, or null when no blob has such a name. */
function keyOfName(name: string): string | null {
  if (!name.endsWith('.zst')) return null;
  const key = name.slice(0, -4);
  return BLOB_KEY.test(key) ? key : null;
}

/** What is compressed between two writes; the most it can become fits into the stream's buffer. */
const SLICE_BYTES = 256 * 1024;
const ZSTD_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize: SLICE_BYTES / 2,
  readableHighWaterMark: 4 * SLICE_BYTES,
};

/**
 * Compresses to one zstd frame, in other threads, slice by slice, so that no second copy of a large blob is held. Whenever
 * this has given a piece (good until the next), or has ended in any way, no thread looks at `bytes` any more.
 */
async function* compressBlob(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const zstd = createZstdCompress({ ...ZSTD_OPTIONS, pledgedSrcSize: bytes.length });
  try {
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      await writeSlice(zstd, bytes.subarray(from, from + SLICE_BYTES));
      for (let piece = zstd.read() as Buffer | null; piece !== null; piece = zstd.read())
        yield* yieldAndFree(piece);
    }
    zstd.end();
    for await (const piece of zstd) yield* yieldAndFree(piece as Buffer);
  } finally {
    zstd.destroy();
  }
}

/** Resolves when the compressor has taken all of it. */
function writeSlice(zstd: ZstdCompress, slice: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    zstd.write(slice, (error) => (error == null ? resolve() : reject(error)));
  });
}

/** Gives the piece, and its memory back when it was taken: the garbage collector is late for so many. */
function* yieldAndFree(piece: Buffer): Generator<Uint8Array> {
  yield piece;
  freeBuffer(piece);
}

const decompress = promisify(zstdDecompress);

interface DiskBlobStoreOptions {
  /** Made when it is not there. */
  readonly dir: string;
  /** `full`: what was stored survives loss of power too. */
  readonly durability: 'normal' | 'full';
}

/**
 * Blobs as zstd-compressed files `<dir>/<xx>/<yy>/<key>.zst`. Rejects with `StorageError` when the folder cannot be
 * used. Several processes may have the same folder open.
 */
export async function openDiskBlobStore(options: DiskBlobStoreOptions): Promise<BlobStore> {
  const { dir } = options;
  const tempDir = join(dir, 'tmp');
  const sync = options.durability === 'full';
  const writing = new Set<Promise<void>>();
  let closed = false;
  /** null: nobody has asked yet. Sums up what is put and deleted from the moment on at which the counting began. */
  let bytesUsed: number | null = null;
  let counting: Promise<void> | null = null;

  await translateErrors('open', () => mkdir(tempDir, { recursive: true, mode: 0o700 }));
  // Not waited for: a busy disk takes seconds for large files. What cannot be removed now is tried at the next start.
  const tidied = removeAbandonedFiles(tempDir).catch(() => {});

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = blobPath(dir, key);
    await translateErrors('write', async () => {
      let size = 0;
      const packed = async function* () {
        size = 0;
        for await (const piece of compressBlob(bytes)) {
          size += piece.length;
          yield piece;
        }
      };
      const order = { tempDir, path, root: dir, bytes: packed, sync };
      await writeFileAtomically(order).catch((error: NodeJS.ErrnoException) => {
        // Somebody tidied the folder between two steps (another container's leftovers have pids like ours): once more.
        if (error.code === 'ENOENT')
          return mkdir(tempDir, { recursive: true }).then(() => writeFileAtomically(order));
        throw error;
      });
      if (bytesUsed !== null) bytesUsed += size;
    });
  }

  /** A blob that comes or goes while its neighbours are counted may count wrongly: it is a sum for a limit. */
  async function countAll(): Promise<void> {
    bytesUsed = 0;
    for await (const entry of await opendir(dir, { recursive: true })) {
      if (!entry.isFile() || keyOfName(entry.name) === null) continue;
      bytesUsed += (await stat(join(entry.parentPath, entry.name)).catch(nullIfMissing))?.size ?? 0;
    }
  }

  function assertOpen(): void {
    if (closed) throw new StorageError('the blob store is closed');
  }

  return {
    async put(key, bytes) {
      assertOpen();
      const done = write(key, bytes);
      writing.add(done);
      try {
        await done;
      } finally {
        writing.delete(done);
      }
    },
    async get(key) {
      assertOpen();
      const path = blobPath(dir, key);
      return translateErrors('read', async () => {
        const packed = await readFile(path).catch(nullIfMissing);
        return packed === null ? null : await decompress(packed);
      });
    },
    async delete(key) {
      assertOpen();
      const path = blobPath(dir, key);
      await translateErrors('delete', async () => {
        const size = bytesUsed === null ? 0 : ((await stat(path).catch(nullIfMissing))?.size ?? 0);
        await rm(path, { force: true });
        if (bytesUsed !== null) bytesUsed = Math.max(0, bytesUsed - size);
      });
    },
    async *keys() {
      assertOpen();
      const walk = await translateErrors('list', () => opendir(dir, { recursive: true }));
      try {
        for await (const entry of walk) {
          const key = entry.isFile() ? keyOfName(entry.name) : null;
          if (key !== null) yield key;
        }
      } catch (error) {
        throw new StorageError('the blob folder cannot be listed', { cause: error });
      }
    },
    async usage() {
      assertOpen();
      counting ??= translateErrors('count', countAll).catch((error: unknown) => {
        counting = null;
        throw error;
      });
      await counting;
      return bytesUsed!;
    },
    async check() {
      assertOpen();
      await translateErrors('write', () => probeFolder(tempDir, sync));
    },
    async close() {
      closed = true;
      await Promise.allSettled([...writing, tidied]);
    },
  };
}

/** Without the path, for these are told to whoever asks whether the service is ready. */
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'no space left on the disk',
  EROFS: 'the folder is read-only',
  EACCES: 'the folder may not be written to',
  EPERM: 'the folder may not be written to',
  // Also what Node says when a folder of a read-only file system is to be made.
  ENOENT: 'the folder is not there and cannot be made',
  EIO: 'the disk fails',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
};

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** Errors of the file system and of the codec (a damaged file) become `StorageError` here. */
async function translateErrors<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    const words = MESSAGES_BY_CODE[code ?? ''] ?? (path === undefined ? message : code);
    throw new StorageError(`blob ${what} failed: ${words}`, { cause: error });
  }
}
