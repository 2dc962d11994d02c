import { mkdir, opendir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { BlobStore } from '../../../ports/blob-store.ts';
import { StorageError } from '../../../ports/storage-error.ts';
import { blobPath, keyOfName } from './blob-path.ts';
import { removeLeftovers } from './temp-files.ts';
import { writeWhole } from './write-file.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

export interface DiskBlobOptions {
  /** Made when it is not there. */
  readonly dir: string;
  /** `full`: what was stored survives loss of power too. */
  readonly durability: 'normal' | 'full';
}

/**
 * Blobs as zstd-compressed files `<dir>/<xx>/<yy>/<key>.zst`. Rejects with `StorageError` when the folder cannot be
 * used. Several processes may have the same folder open.
 */
export async function openDiskBlobs(options: DiskBlobOptions): Promise<BlobStore> {
  const { dir } = options;
  const tempDir = join(dir, 'tmp');
  const sync = options.durability === 'full';
  const writing = new Set<Promise<void>>();
  let closed = false;

  await translated('open', async () => {
    await mkdir(tempDir, { recursive: true, mode: 0o700 });
    await removeLeftovers(tempDir);
  });

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = blobPath(dir, key);
    await translated('write', async () => {
      const order = { tempDir, path, root: dir, bytes: await compress(bytes, FAST), sync };
      await writeWhole(order).catch((error: NodeJS.ErrnoException) => {
        // Somebody tidied the folder between two steps (another container's leftovers have pids like ours): once more.
        if (error.code === 'ENOENT') return mkdir(tempDir, { recursive: true }).then(() => writeWhole(order));
        throw error;
      });
    });
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
      return translated('read', async () => {
        const packed = await readFile(path).catch(nullIfMissing);
        return packed === null ? null : await decompress(packed);
      });
    },
    async delete(key) {
      assertOpen();
      const path = blobPath(dir, key);
      await translated('delete', () => rm(path, { force: true }));
    },
    async *keys() {
      assertOpen();
      const walk = await translated('list', () => opendir(dir, { recursive: true }));
      try {
        for await (const entry of walk) {
          const key = entry.isFile() ? keyOfName(entry.name) : null;
          if (key !== null) yield key;
        }
      } catch (error) {
        throw new StorageError('the blob folder cannot be listed', { cause: error });
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(writing);
    },
  };
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** Errors of the file system and of the codec (a damaged file) become `StorageError` here. */
async function translated<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const words = code === 'ENOSPC' || code === 'EDQUOT' ? 'no space left on the disk' : message;
    throw new StorageError(`blob ${what} failed: ${words}`, { cause: error });
  }
}
