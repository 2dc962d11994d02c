import { totalmem } from 'node:os';

/** Contract §11, `SLUICE_MEMORY_BYTES`. */
const SHARE = 4;
const LEAST = 64 * 2 ** 20;

/** A quarter of the memory of this machine or, where there is one, of the limit of the control group (v1 or v2). */
export function defaultMemoryBytes(): number {
  const limit = process.constrainedMemory();
  // 0 or a number beyond any machine: no limit.
  const memory = limit > 0 && limit < totalmem() ? limit : totalmem();
  return Math.max(LEAST, Math.floor(memory / SHARE));
}
