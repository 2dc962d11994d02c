import { join } from 'node:path';

/** Of a clone, or of the package that was installed. */
export const ROOT: string = join(import.meta.dirname, '../../..');

export interface Places {
  /** The sources; in what was packed they are not there, only `built` is. */
  readonly sources: string;
  /** Which packages the sources are built with. */
  readonly lock: string;
  readonly built: string;
  /** Inside of `built`: the hash of what it was built from. */
  readonly stamp: string;
  /** Builds, in a process of its own. */
  readonly script: string;
}

export function placesIn(root: string): Places {
  const built = join(root, 'dashboard/dist');
  return {
    sources: join(root, 'dashboard'),
    lock: join(root, 'package-lock.json'),
    built,
    stamp: join(built, 'built-from'),
    script: join(root, 'scripts/build-dashboard.ts'),
  };
}
