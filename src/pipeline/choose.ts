import { VERDICT_RANK } from '../domain/verdict.ts';
import type { Tried } from './attempt.ts';

/**
 * Which attempt is delivered (contract §8 a): the last that is whole, `ok` and accepted, else the best verdict, of
 * equal ones what is accepted, then whole before cut, then the later one. Null when no attempt gave a page.
 */
export function chooseDelivered(tried: readonly Tried[]): Tried | null {
  let best: Tried | null = null;
  for (const t of tried) {
    if (t.delivered === null) continue;
    if (best === null || !better(best, t)) best = t;
  }
  return best;
}

/** Whether `a`, the earlier one, is to be kept against `b`. */
function better(a: Tried, b: Tried): boolean {
  const whole = Number(isWhole(b)) - Number(isWhole(a));
  const good = Number(isGood(b)) - Number(isGood(a));
  if (good !== 0) return good < 0;
  const rank = VERDICT_RANK.indexOf(b.verdict) - VERDICT_RANK.indexOf(a.verdict);
  if (rank !== 0) return rank > 0;
  // `unaccepted` means: unmet everywhere (§7).
  if (a.unmet !== b.unmet) return b.unmet;
  return whole < 0;
}

const isWhole = (t: Tried): boolean => t.delivered?.page.cut === null;
const isGood = (t: Tried): boolean => t.verdict === 'ok' && t.errors.length === 0;
