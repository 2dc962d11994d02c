import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Older temporary files are abandoned, even if a process with their pid is running. */
const ABANDONED_MS = 3_600_000;
/** Temporary files that this process is writing. */
const reservedPaths = new Set<string>();

/** A unique path in `dir`. It has a random part, because processes in several containers may have the same pid. */
function reserveTempPath(dir: string): string {
  const path = join(dir, `${process.pid}.${randomBytes(8).toString('hex')}.tmp`);
  reservedPaths.add(path);
  return path;
}

function releaseTempPath(path: string): void {
  reservedPaths.delete(path);
}

/**
 * Removes temporary files of processes that were killed. Files of a running process (such as a backup) stay for an hour.
 */
export async function removeAbandonedFiles(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    if (!name.endsWith('.tmp') || reservedPaths.has(path)) continue;
    const pid = Number.parseInt(name, 10);
    if (pid !== process.pid && isAlive(pid)) {
      const stats = await stat(path).catch(() => null);
      if (stats === null || Date.now() - stats.mtimeMs < ABANDONED_MS) continue;
    }
    await rm(path, { force: true });
  }
}

/** Signal 0 only checks whether the process exists. EPERM: it exists, but belongs to another user. */
function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface AtomicWriteOptions {
  readonly tempDir: string;
  readonly path: string;
  /** The content of the file. Called once. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** The folder of all blobs, below which folders are created. */
  readonly root: string;
  /** Flush (fsync) the file and then its folders, so that it survives loss of power. */
  readonly sync: boolean;
}

/** Writes a file completely or not at all: under a temporary name, then renamed. Rejects with the error of the file system. */
export async function writeFileAtomically(options: AtomicWriteOptions): Promise<void> {
  const folder = dirname(options.path);
  const created = await mkdir(folder, { recursive: true });
  const temp = reserveTempPath(options.tempDir);
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(options.bytes());
      if (options.sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, options.path);
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {});
    throw error;
  } finally {
    releaseTempPath(temp);
  }
  if (!options.sync) return;
  await syncFolder(folder);
  // A new folder only survives loss of power if its parents are flushed.
  if (created !== undefined) for (const path of [dirname(folder), options.root]) await syncFolder(path);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Large enough not to fit into the last free blocks of a full disk. */
const CHECK_BYTES = new Uint8Array(1024 * 1024).fill(0x55);

/**
 * Checks whether blobs can be written: writes a file and removes it again. Flushes it only with `sync`, because a flush may
 * have to wait for the writes of others. Rejects with the error of the file system.
 */
export async function checkFolder(tempDir: string, sync: boolean): Promise<void> {
  await mkdir(tempDir, { recursive: true, mode: 0o700 });
  const temp = reserveTempPath(tempDir);
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(CHECK_BYTES);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(temp, { force: true }).catch(() => {});
    releaseTempPath(temp);
  }
}
