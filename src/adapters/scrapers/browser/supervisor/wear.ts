import { readFileSync } from 'node:fs';

/** What a browser may do before another one takes its place. */
export interface WearLimits {
  readonly pages: number;
  readonly ageMs: number;
  /** Of memory that its first process holds when a page has been closed: what pages held themselves is gone then. */
  readonly bytes: number;
  /** So long after the last page, what is kept beside one idle browser ends: one apart, a spare, pages made ahead. */
  readonly idleMs: number;
}

/** A browser that has shown a thousand pages holds about a tenth more than a fresh one; this is for those that do not. */
export const WEAR_LIMITS: WearLimits = { pages: 1_000, ageMs: 3_600_000, bytes: 2 ** 30, idleMs: 20_000 };

const PAGE_BYTES = 4_096;

/** Memory that a process holds and does not share, in bytes; 0 where there is no /proc, or no such process. */
export function ownBytes(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
    return (Number(resident) - Number(shared)) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
