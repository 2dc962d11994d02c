import { access, constants } from 'node:fs/promises';

/**
 * What one process of a browser may have of memory of its own, in KiB: an empty page has 0.6 GiB of it, most of which it
 * never touches, and one of 100,000 pixels in a picture 0.8. What is shared, such as pictures on their way, is not counted.
 */
const DATA_KIB = 2 * 2 ** 20;
/** MiB of objects of a page's scripts: V8 ends a page that has more, before it takes the time to look for free ones. */
export const SCRIPT_MIB = 768;

const SHELL = '/bin/sh';
/** The shell tells programs where it stands; what it cannot do, where the machine allows even less, is left as it is. */
const SCRIPT = 'unset PWD OLDPWD SHLVL; ulimit -c 0; ulimit -d "$0"; exec "$@"';

export interface Words {
  readonly path: string;
  readonly args: readonly string[];
}

/**
 * The words that start a program with limits for it and all its processes (getrlimit(2), RLIMIT_DATA, RLIMIT_CORE):
 * who goes beyond ends alone, and the machine is not asked for what it has not. Where they cannot be set (no Linux, no
 * shell), the program itself. Rejects when there is no such program.
 */
export async function withLimits({ path, args }: Words): Promise<Words> {
  try {
    await access(path, constants.X_OK);
  } catch (error) {
    // As it would be without the shell.
    throw new Error(`spawn ${path} ${(error as NodeJS.ErrnoException).code}`);
  }
  if (process.platform !== 'linux') return { path, args };
  const shell = await access(SHELL, constants.X_OK).then(
    () => true,
    () => false,
  );
  return shell ? { path: SHELL, args: ['-c', SCRIPT, String(DATA_KIB), path, ...args] } : { path, args };
}
