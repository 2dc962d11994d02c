import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Beside what it describes; made while unpacking, from the bytes that were written. */
const FILE = 'manifest.json';

/** Path below the folder → what lies there. */
export type Manifest = Record<string, { readonly bytes: number; readonly sha256: string }>;

export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return writeFile(join(folder, FILE), JSON.stringify(manifest, null, 1));
}

/** What differs from the manifest, in words; null when every byte is as it was written. */
export async function differsFromManifest(folder: string): Promise<string | null> {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(await readFile(join(folder, FILE), 'utf8')) as Manifest;
  } catch (error) {
    return `${FILE} cannot be read: ${(error as Error).message}`;
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const there = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const strange = there.find((path) => path !== FILE && !Object.hasOwn(manifest, path));
  if (strange !== undefined) return `${strange} does not belong there`;
  for (const [path, { bytes, sha256 }] of Object.entries(manifest)) {
    const file = join(folder, path);
    const found = await stat(file).catch(() => null);
    if (found === null) return `${path} is missing`;
    if (found.size !== bytes || (await sha256Of([file])) !== sha256) return `${path} is damaged`;
  }
  return null;
}

/** The hash of files, one after the other, in hex; read in pieces, so that others get their turn. */
export async function sha256Of(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 }))
      hash.update(piece as Buffer);
  }
  return hash.digest('hex');
}
