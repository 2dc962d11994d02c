import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportFile, ExportSpool } from '../../ports/exports.ts';
import { StorageError } from '../../ports/store.ts';

const FILE_MODE = 0o600;

/** @param folder of this process alone. What an earlier process left there is deleted. */
export async function openDiskSpool(folder: string): Promise<ExportSpool> {
  await rm(folder, { recursive: true, force: true });
  return {
    async withFile(id, type, pieces, maxBytes, use) {
      const path = join(folder, id);
      try {
        const bytes = await write(folder, path, pieces, maxBytes);
        if (bytes === null) return 'too_large';
        return await use(fileAt(path, bytes, type));
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

/** @returns the number of bytes; null: there are more than `maxBytes` */
async function write(
  folder: string,
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
  maxBytes: number,
): Promise<number | null> {
  const file = await storageErrors(async () => {
    await mkdir(folder, { recursive: true });
    return await open(path, 'w', FILE_MODE);
  });
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      const part = typeof piece === 'string' ? Buffer.from(piece) : piece;
      bytes += part.length;
      if (bytes > maxBytes) return null;
      if (part.length > 0) await storageErrors(() => file.writeFile(part));
    }
    return bytes;
  } finally {
    await file.close();
  }
}

const fileAt = (path: string, bytes: number, type: string): ExportFile => ({
  bytes,
  type,
  read: (from = 0, to = bytes) =>
    (from >= to ? [] : createReadStream(path, { start: from, end: to - 1 })) as AsyncIterable<Uint8Array>,
});

async function storageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StorageError(`an export cannot be written to the data folder: ${(cause as Error).message}`, {
      cause,
    });
  }
}
