import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Of a clone, or of the package that was installed. */
export const PACKAGE_ROOT: string = join(import.meta.dirname, '../../..');

interface DashboardPaths {
  /** The sources; in what was packed they are not there, only `built` is. */
  readonly sourceDir: string;
  /** Which packages the sources are built with. */
  readonly lockFile: string;
  readonly outputDir: string;
  /** Inside of `built`: the hash of what it was built from. */
  readonly hashFile: string;
  /** Builds, in a process of its own. */
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

/** A hash of all that the built files are made of; null where there are no sources, as in what was packed. */
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
