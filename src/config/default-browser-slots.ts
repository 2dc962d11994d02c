import { availableParallelism } from 'node:os';
import { machineMemory } from './machine-memory.ts';

/** A page waits for its network half of the time: two to a core keep the cores busy (measured). */
const PER_CORE = 2;
/** What a page with its renderer may take; the service and the browser itself take another one. */
const PAGE_BYTES = 384 * 2 ** 20;
const MOST = 64;

/** How many pages are open at once when `SLUICE_BROWSER_SLOTS` is not set: by cores and memory, at least one. */
export function defaultBrowserSlots(cores = availableParallelism(), memory = machineMemory()): number {
  const fit = Math.floor(memory / PAGE_BYTES) - 2;
  return Math.max(1, Math.min(PER_CORE * cores, fit, MOST));
}
