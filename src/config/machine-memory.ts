import { totalmem } from 'node:os';

/** Bytes of memory of this machine or, where there is one, the limit of the control group (v1 or v2). */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  // 0 or a number beyond any machine: no limit.
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
