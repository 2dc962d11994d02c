import { statfs } from 'node:fs/promises';
import { availableParallelism, homedir, totalmem } from 'node:os';
import { delimiter } from 'node:path';
import type { Space } from '../domain/system.ts';

/** Bytes of memory of this machine, or the lower limit of its control group (v1 or v2). */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  // Without a limit, Node returns 0 or a number larger than the memory of any machine.
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

/** That memory, and what is free of it. */
export function machineMemorySpace(): Space {
  const total = machineMemory();
  return { total, free: Math.min(total, process.availableMemory()) };
}

/** The disk of this folder, as `df` counts it: without what is reserved for root. */
export async function diskSpace(folder: string): Promise<Space> {
  const { blocks, bfree, bavail, bsize } = await statfs(folder);
  return { total: (blocks - bfree + bavail) * bsize, free: bavail * bsize };
}

const MEMORY_DIVISOR = 4;
const MIN_MEMORY_BYTES = 64 * 2 ** 20;

/** The default of `SLUICE_MEMORY_BYTES`: a quarter of the memory of this machine or container. */
export function defaultMemoryBytes(): number {
  return Math.max(MIN_MEMORY_BYTES, Math.floor(machineMemory() / MEMORY_DIVISOR));
}

/** A page waits for the network half of the time: two pages per core keep the cores busy (measured). */
const PAGES_PER_CORE = 2;
/** Memory that a page with its renderer process may need. The service and the browser process each need as much, too. */
const PAGE_BYTES = 384 * 2 ** 20;
/** Limit of the default only. The operator can set more. */
const MAX_SLOTS = 64;

/** The default of `SLUICE_BROWSER_SLOTS`: as many pages as cores and memory allow, at least one. */
export function defaultBrowserSlots(cores = availableParallelism(), memory = machineMemory()): number {
  const slotsInMemory = Math.floor(memory / PAGE_BYTES) - 2;
  return Math.max(1, Math.min(PAGES_PER_CORE * cores, slotsInMemory, MAX_SLOTS));
}

/**
 * Limits the client library of `http_impersonate` to one thread for two processors, at most four, unless the operator has set
 * `TOKIO_WORKER_THREADS`. Its default is one thread for each processor. Fewer are enough to keep the main thread busy, and
 * wake each other less often (docs/history/performance-0.1.md). Must be called before the library is loaded.
 */
export function limitLibraryThreads(): void {
  process.env.TOKIO_WORKER_THREADS ??= String(Math.max(1, Math.min(4, availableParallelism() >> 1)));
}

/** Folders in which to look for browsers, from standard variables of the system. */
interface MachinePaths {
  /** The folders of `PATH`. */
  readonly searchPath: readonly string[];
  readonly homeDir: string;
  /** `XDG_CACHE_HOME`; null: not set. */
  readonly cacheDir: string | null;
  /** `PLAYWRIGHT_BROWSERS_PATH`; null: not set. */
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
