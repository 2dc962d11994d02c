import { availableParallelism, homedir, totalmem } from 'node:os';
import { delimiter } from 'node:path';

/** Bytes of memory of this machine or, where there is one, the limit of the control group (v1 or v2). */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  // 0 or a number beyond any machine: no limit.
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

/** Contract §11, `SLUICE_MEMORY_BYTES`. */
const MEMORY_DIVISOR = 4;
const MIN_MEMORY_BYTES = 64 * 2 ** 20;

/** A quarter of the memory of this machine or container. */
export function defaultMemoryBytes(): number {
  return Math.max(MIN_MEMORY_BYTES, Math.floor(machineMemory() / MEMORY_DIVISOR));
}

/** A page waits for its network half of the time: two to a core keep the cores busy (measured). */
const PAGES_PER_CORE = 2;
/** What a page with its renderer may take; the service and the browser itself take another one. */
const PAGE_BYTES = 384 * 2 ** 20;
const MAX_SLOTS = 64;

/** How many pages are open at once when `SLUICE_BROWSER_SLOTS` is not set: by cores and memory, at least one. */
export function defaultBrowserSlots(cores = availableParallelism(), memory = machineMemory()): number {
  const fit = Math.floor(memory / PAGE_BYTES) - 2;
  return Math.max(1, Math.min(PAGES_PER_CORE * cores, fit, MAX_SLOTS));
}

/**
 * Gives the client library of `http_impersonate` a thread for every second processor, four at most, where the operator has
 * not said how many (`TOKIO_WORKER_THREADS`); by itself it takes one for each. What it does passes through the main
 * thread, which fewer keep busy, and fewer wake each other less (docs/history/performance-0.1.md). To be called before it is loaded.
 */
export function limitLibraryThreads(): void {
  process.env.TOKIO_WORKER_THREADS ??= String(Math.max(1, Math.min(4, availableParallelism() >> 1)));
}

/** Where programs lie on this machine. It is not configuration: it was there before the service. */
interface MachinePaths {
  /** The folders of `PATH`. */
  readonly searchPath: readonly string[];
  readonly homeDir: string;
  /** `XDG_CACHE_HOME` and `PLAYWRIGHT_BROWSERS_PATH`; null when they are not set. */
  readonly cacheDir: string | null;
  readonly playwrightDir: string | null;
}

export function readMachinePaths(): MachinePaths {
  const { PATH, XDG_CACHE_HOME, PLAYWRIGHT_BROWSERS_PATH } = process.env;
  return {
    searchPath: (PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    homeDir: homedir(),
    cacheDir: XDG_CACHE_HOME || null,
    playwrightDir: PLAYWRIGHT_BROWSERS_PATH || null,
  };
}
