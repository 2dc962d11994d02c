import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { leaveTemp, takeTemp } from './temp-files.ts';

export interface WriteOrder {
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
export async function writeWhole(order: WriteOrder): Promise<void> {
  const folder = dirname(order.path);
  const made = await mkdir(folder, { recursive: true });
  const temp = takeTemp(order.tempDir);
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
    leaveTemp(temp);
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
