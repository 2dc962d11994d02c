import { availableParallelism, homedir, totalmem } from 'node:os';
import { delimiter } from 'node:path';

/** Bytes of memory of this machine, or the lower limit of its control group (v1 or v2). */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  // Without a limit it is 0, or larger than the memory of any machine.
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

const MEMORY_DIVISOR = 4;
const MIN_MEMORY_BYTES = 64 * 2 ** 20;

/** The default of `SLUICE_MEMORY_BYTES`: a quarter of the memory of this machine or container. */
export function defaultMemoryBytes(): number {
  return Math.max(MIN_MEMORY_BYTES, Math.floor(machineMemory() / MEMORY_DIVISOR));
}

/** A page waits for the network half of the time: two pages per core keep the cores busy (measured). */
const PAGES_PER_CORE = 2;
/** What a page with its renderer may take; the service and the browser itself each need as much again. */
const PAGE_BYTES = 384 * 2 ** 20;
const MAX_SLOTS = 64;

/** The default of `SLUICE_BROWSER_SLOTS`: as many pages as cores and memory allow, at least one. */
export function defaultBrowserSlots(cores = availableParallelism(), memory = machineMemory()): number {
  const fittingMemory = Math.floor(memory / PAGE_BYTES) - 2;
  return Math.max(1, Math.min(PAGES_PER_CORE * cores, fittingMemory, MAX_SLOTS));
}

/**
 * Limits the client library of `http_impersonate` to a thread for every second processor, at most four, unless the operator
 * has set `TOKIO_WORKER_THREADS`. By itself it starts one for each processor; fewer are enough to keep the main thread busy,
 * and wake each other less often (docs/history/performance-0.1.md). Must be called before the library is loaded.
 */
export function limitLibraryThreads(): void {
  process.env.TOKIO_WORKER_THREADS ??= String(Math.max(1, Math.min(4, availableParallelism() >> 1)));
}

/** Where programs and caches lie on this machine. Given by the system, not configured for the service. */
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
