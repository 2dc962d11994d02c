import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Root of the repository or of the installed package: the next folder upwards with a package.json. */
export const PACKAGE_ROOT: string = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/**
 * The file of a module that runs as a thread or a process of its own.
 * @param module its path in src/, without extension. scripts/pack.ts keeps such a module as a file of its own if its name
 *   ends with `-thread`, `-process` or `-child`.
 * @returns an absolute path: in src/ when run from the sources, in dist/ when packed
 */
export function moduleFile(module: string): string {
  return join(PACKAGE_ROOT, EXTENSION === '.ts' ? 'src' : 'dist', `${module}${EXTENSION}`);
}
