import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Places } from './places.ts';

/** A hash of all that the built files are made of; null where there are no sources, as in what was packed. */
export async function sourceHash({ sources, lock }: Places): Promise<string | null> {
  const entries = await readdir(sources, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/^(?:dist|node_modules)/.test(relative(sources, file)))
    .sort();
  if (!files.some((file) => file.endsWith(`${sep}index.html`))) return null;
  const hash = createHash('sha256');
  for (const file of [lock, ...files]) {
    const bytes = await readFile(file);
    hash.update(`${relative(sources, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
