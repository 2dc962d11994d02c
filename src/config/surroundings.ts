import { homedir } from 'node:os';
import { delimiter } from 'node:path';

/** Where programs lie on this machine. It is not configuration: it was there before the service. */
export interface Surroundings {
  /** The folders of `PATH`. */
  readonly searchPath: readonly string[];
  readonly homeDir: string;
  /** `XDG_CACHE_HOME` and `PLAYWRIGHT_BROWSERS_PATH`; null when they are not set. */
  readonly cacheDir: string | null;
  readonly playwrightDir: string | null;
}

export function readSurroundings(): Surroundings {
  const { PATH, XDG_CACHE_HOME, PLAYWRIGHT_BROWSERS_PATH } = process.env;
  return {
    searchPath: (PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    homeDir: homedir(),
    cacheDir: XDG_CACHE_HOME || null,
    playwrightDir: PLAYWRIGHT_BROWSERS_PATH || null,
  };
}
