import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const ABANDONED_MS = 3_600_000;
/** Temp files that this process is writing now. */
const reservedPaths = new Set<string>();

/** A name in `dir` that nobody else has, or had (in containers pids come again); give it back with `leaveTemp`. */
function reserveTempPath(dir: string): string {
  const path = join(dir, `${process.pid}.${randomBytes(8).toString('hex')}.tmp`);
  reservedPaths.add(path);
  return path;
}

function releaseTempPath(path: string): void {
  reservedPaths.delete(path);
}

/**
 * Removes what killed writers left. Another process (a backup, say) may be writing here right now: its files stay
 * while it lives, for an hour at most.
 */
export async function removeAbandonedFiles(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    if (!name.endsWith('.tmp') || reservedPaths.has(path)) continue;
    const pid = Number.parseInt(name, 10);
    if (pid !== process.pid && isAlive(pid)) {
      const found = await stat(path).catch(() => null);
      if (found === null || Date.now() - found.mtimeMs < ABANDONED_MS) continue;
    }
    await rm(path, { force: true });
  }
}

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
  /** Asked once for what to write. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** The root of the blobs, up to which folders are made. */
  readonly root: string;
  /** Also survive loss of power: flush the file, then the folders that name it. */
  readonly sync: boolean;
}

/** Writes whole or not at all: under a temp name first, then renamed. Rejects with the error of the file system. */
export async function writeFileAtomically(order: AtomicWriteOptions): Promise<void> {
  const folder = dirname(order.path);
  const made = await mkdir(folder, { recursive: true });
  const temp = reserveTempPath(order.tempDir);
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(order.bytes());
      if (order.sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, order.path);
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {});
    throw error;
  } finally {
    releaseTempPath(temp);
  }
  if (!order.sync) return;
  await syncFolder(folder);
  // The name of a new folder is only safe when its parents are flushed too.
  if (made !== undefined) for (const path of [dirname(folder), order.root]) await syncFolder(path);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Large enough that the last blocks of a full disk do not pass for room. */
const PROBE_BYTES = new Uint8Array(1024 * 1024).fill(0x55);

/**
 * Writes a file, flushes it if `sync`, and takes it away again: what a blob is written with, no more, for a flush may
 * wait for what others write. Rejects with the error of the file system.
 */
export async function probeFolder(tempDir: string, sync: boolean): Promise<void> {
  await mkdir(tempDir, { recursive: true, mode: 0o700 });
  const temp = reserveTempPath(tempDir);
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(PROBE_BYTES);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(temp, { force: true }).catch(() => {});
    releaseTempPath(temp);
  }
}
