import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { BlobStore } from '../../../ports/blob-store.ts';
import { StorageError } from '../../../ports/storage-error.ts';
import { blobPath, keyOfName } from './blob-path.ts';
import { pack } from './pack.ts';
import { probeFolder } from './probe-folder.ts';
import { removeLeftovers } from './temp-files.ts';
import { writeWhole } from './write-file.ts';

const decompress = promisify(zstdDecompress);

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
  /** null: nobody has asked yet. Sums up what is put and deleted from the moment on at which the counting began. */
  let bytesUsed: number | null = null;
  let counting: Promise<void> | null = null;

  await translated('open', () => mkdir(tempDir, { recursive: true, mode: 0o700 }));
  // Not waited for: a busy disk takes seconds for large files. What cannot be removed now is tried at the next start.
  const tidied = removeLeftovers(tempDir).catch(() => {});

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = blobPath(dir, key);
    await translated('write', async () => {
      let size = 0;
      const packed = async function* () {
        size = 0;
        for await (const piece of pack(bytes)) {
          size += piece.length;
          yield piece;
        }
      };
      const order = { tempDir, path, root: dir, bytes: packed, sync };
      await writeWhole(order).catch((error: NodeJS.ErrnoException) => {
        // Somebody tidied the folder between two steps (another container's leftovers have pids like ours): once more.
        if (error.code === 'ENOENT') return mkdir(tempDir, { recursive: true }).then(() => writeWhole(order));
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
      return translated('read', async () => {
        const packed = await readFile(path).catch(nullIfMissing);
        return packed === null ? null : await decompress(packed);
      });
    },
    async delete(key) {
      assertOpen();
      const path = blobPath(dir, key);
      await translated('delete', async () => {
        const size = bytesUsed === null ? 0 : ((await stat(path).catch(nullIfMissing))?.size ?? 0);
        await rm(path, { force: true });
        if (bytesUsed !== null) bytesUsed = Math.max(0, bytesUsed - size);
      });
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
    async usage() {
      assertOpen();
      counting ??= translated('count', countAll).catch((error: unknown) => {
        counting = null;
        throw error;
      });
      await counting;
      return bytesUsed!;
    },
    async check() {
      assertOpen();
      await translated('write', () => probeFolder(tempDir, sync));
    },
    async close() {
      closed = true;
      await Promise.allSettled([...writing, tidied]);
    },
  };
}

/** Without the path, for these are told to whoever asks whether the service is ready. */
const WORDS: Readonly<Record<string, string>> = {
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
async function translated<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    const words = WORDS[code ?? ''] ?? (path === undefined ? message : code);
    throw new StorageError(`blob ${what} failed: ${words}`, { cause: error });
  }
}
