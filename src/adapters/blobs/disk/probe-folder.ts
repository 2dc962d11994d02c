import { mkdir, open, rm } from 'node:fs/promises';
import { leaveTemp, takeTemp } from './temp-files.ts';

/** Large enough that the last blocks of a full disk do not pass for room. */
const PROBE = new Uint8Array(1024 * 1024).fill(0x55);

/**
 * Writes a file, flushes it if `sync`, and takes it away again: what a blob is written with, no more, for a flush may
 * wait for what others write. Rejects with the error of the file system.
 */
export async function probeFolder(tempDir: string, sync: boolean): Promise<void> {
  await mkdir(tempDir, { recursive: true, mode: 0o700 });
  const temp = takeTemp(tempDir);
  try {
    const handle = await open(temp, 'wx', 0o600);
    try {
      await handle.writeFile(PROBE);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(temp, { force: true }).catch(() => {});
    leaveTemp(temp);
  }
}
