import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

interface DashboardPaths {
  /** The folder of the sources. In the installed package it contains only `outputDir`. */
  readonly sourceDir: string;
  /** The room of src/ that the dashboard imports. The installed package does not have it. */
  readonly sharedDir: string;
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
    sharedDir: join(root, 'src/snippets'),
    lockFile: join(root, 'package-lock.json'),
    outputDir,
    hashFile: join(outputDir, 'built-from'),
    buildScript: join(root, 'scripts/build-dashboard.ts'),
  };
}

/** A hash of all that the built files depend on; null if there are no sources, as in the installed package. */
export async function hashSources({
  sourceDir,
  sharedDir,
  lockFile,
}: DashboardPaths): Promise<string | null> {
  const files = (await filesOf(sourceDir)).filter(
    (file) => !/^(?:dist|node_modules)/.test(relative(sourceDir, file)),
  );
  if (!files.some((file) => file.endsWith(`${sep}index.html`))) return null;
  const hash = createHash('sha256');
  for (const file of [lockFile, ...(await filesOf(sharedDir)), ...files]) {
    const bytes = await readFile(file);
    hash.update(`${relative(sourceDir, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** The files of a folder and its folders, in order; none if there is no such folder. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
