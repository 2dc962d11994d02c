import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStore, STORAGE_TIMEOUT_MS, StorageError } from '../../ports/store.ts';
import { assertBlobKey, isBlobKey } from './blob-key.ts';
import { compressBlob, decompressBlob } from './compress-blob.ts';
import { checkFolder, removeAbandonedFiles, writeFileAtomically } from './write-file.ts';

/**
 * The path of a blob. Two levels of folders are named after the last four characters of the key. The first ones are no use,
 * because keys begin with the time (UUID version 7). A key contains neither dots nor separators, so the path cannot leave `dir`.
 * @throws TypeError if `key` is not a blob key, which is a bug of the caller
 */
function blobPath(dir: string, key: string): string {
  assertBlobKey(key);
  const tail = key.padStart(4, '0');
  return join(dir, tail.slice(-2), tail.slice(-4, -2), `${key}.zst`);
}

/** The key in a file name; null if it is not the name of a blob. */
function keyOfName(name: string): string | null {
  if (!name.endsWith('.zst')) return null;
  const key = name.slice(0, -4);
  return isBlobKey(key) ? key : null;
}

interface DiskBlobStoreOptions {
  /** Created if it does not exist. */
  readonly dir: string;
  /** `full`: stored blobs survive loss of power. */
  readonly durability: 'normal' | 'full';
}

/**
 * Stores blobs as zstd-compressed files `<dir>/<xx>/<yy>/<key>.zst`. Several processes may use the same folder. Rejects with
 * `StorageError` if the folder cannot be used.
 */
export async function openDiskBlobStore(options: DiskBlobStoreOptions): Promise<BlobStore> {
  const { dir } = options;
  const tempDir = join(dir, 'tmp');
  const sync = options.durability === 'full';
  const writing = new Set<Promise<void>>();
  let closed = false;
  /** null until the first call of `usage` begins to count. From then on, `put` and `delete` change it. */
  let bytesUsed: number | null = null;
  let counting: Promise<void> | null = null;

  await translateErrors('open', () => mkdir(tempDir, { recursive: true, mode: 0o700 }));
  // Not awaited, because a busy disk takes seconds to remove large files. If this fails, the next start tries again.
  const cleanup = removeAbandonedFiles(tempDir).catch(() => {});

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = blobPath(dir, key);
    await translateErrors('write', async () => {
      let size = 0;
      const compressed = async function* () {
        size = 0;
        for await (const chunk of compressBlob(bytes)) {
          size += chunk.length;
          yield chunk;
        }
      };
      const options = { tempDir, path, root: dir, bytes: compressed, sync };
      await writeFileAtomically(options).catch((error: NodeJS.ErrnoException) => {
        // A process in another container may have the same pid and have removed our file as abandoned. Try once more.
        if (error.code === 'ENOENT')
          return mkdir(tempDir, { recursive: true }).then(() => writeFileAtomically(options));
        throw error;
      });
      if (bytesUsed !== null) bytesUsed += size;
    });
  }

  /** A blob that is written or deleted during the count may be counted wrongly, which does not matter for the quota. */
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
    putTimeoutMs: STORAGE_TIMEOUT_MS,
    isApart: false,
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
        const compressed = await readFile(path).catch(nullIfMissing);
        return compressed === null ? null : await decompressBlob(compressed);
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
      const entries = await translateErrors('list', () => opendir(dir, { recursive: true }));
      try {
        for await (const entry of entries) {
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
      await translateErrors('write', () => checkFolder(tempDir, sync));
    },
    async close() {
      closed = true;
      await Promise.allSettled([...writing, cleanup]);
    },
  };
}

/** The messages contain no path, because the readiness endpoint shows them to anybody. */
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'no space left on the disk',
  EROFS: 'the folder is read-only',
  EACCES: 'the folder may not be written to',
  EPERM: 'the folder may not be written to',
  // Node also reports this for `mkdir` on a read-only file system.
  ENOENT: 'the folder does not exist and cannot be created',
  EIO: 'the disk fails',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
};

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** Translates errors of the file system, and of zstd for a damaged file, to `StorageError`. */
async function translateErrors<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    const detail = MESSAGES_BY_CODE[code ?? ''] ?? (path === undefined ? message : code);
    throw new StorageError(`blob ${operation} failed: ${detail}`, { cause: error });
  }
}
