import { join } from 'node:path';

/** This very file is in src/ when run from the sources, and somewhere in dist/ when packed. */
const [, root, folder] = /^(.*)[/\\](src|dist)[/\\]/.exec(import.meta.filename)!;

/** Root of the repository or of the installed package. */
export const PACKAGE_ROOT: string = root!;

/**
 * The file of a module that runs as a thread or a process of its own.
 * @param module its path in src/, without extension. scripts/bundle.ts keeps such a module as a file of its own if its name
 *   ends with `-thread` or `-child`.
 * @returns an absolute path
 */
export function moduleFile(module: string): string {
  return join(PACKAGE_ROOT, folder!, `${module}.${folder === 'src' ? 'ts' : 'js'}`);
}
