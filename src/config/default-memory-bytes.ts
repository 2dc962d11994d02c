import { machineMemory } from './machine-memory.ts';

/** Contract §11, `SLUICE_MEMORY_BYTES`. */
const SHARE = 4;
const LEAST = 64 * 2 ** 20;

/** A quarter of the memory of this machine or container. */
export function defaultMemoryBytes(): number {
  return Math.max(LEAST, Math.floor(machineMemory() / SHARE));
}
