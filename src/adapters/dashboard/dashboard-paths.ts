import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

interface DashboardPaths {
  /** The folder of the sources. In the installed package it contains only `outputDir`. */
  readonly sourceDir: string;
  /** The lock file of npm: with other versions of packages, other files are built. */
  readonly lockFile: string;
  readonly outputDir: string;
  /** In `outputDir`; contains the hash of the sources it was built from. */
  readonly hashFile: string;
  /** The script that builds the files. */
  readonly buildScript: string;
}

export function dashboardPaths(root: string): DashboardPaths {
  const outputDir = join(root, 'dashboard/dist');
  return {
    sourceDir: join(root, 'dashboard'),
    lockFile: join(root, 'package-lock.json'),
    outputDir,
    hashFile: join(outputDir, 'built-from'),
    buildScript: join(root, 'scripts/build-dashboard.ts'),
  };
}

/** A hash of all that the built files depend on; null if there are no sources, as in the installed package. */
export async function hashSources({ sourceDir, lockFile }: DashboardPaths): Promise<string | null> {
  const entries = await readdir(sourceDir, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/^(?:dist|node_modules)/.test(relative(sourceDir, file)))
    .sort();
  if (!files.some((file) => file.endsWith(`${sep}index.html`))) return null;
  const hash = createHash('sha256');
  for (const file of [lockFile, ...files]) {
    const bytes = await readFile(file);
    hash.update(`${relative(sourceDir, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
