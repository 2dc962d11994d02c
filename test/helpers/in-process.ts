import { createInProcessCoordination } from '../../src/adapters/coordination/in-process.ts';
import { type Clock, systemClock } from '../../src/base/time.ts';
import type { SharedCounters } from '../../src/ports/coordination.ts';

/** The coordination of a process alone, with counters that end with it: those of the service are in its database. */
export const inProcess = (clock: Clock = systemClock) =>
  createInProcessCoordination(clock, countersFor(clock));

function countersFor(clock: Clock): SharedCounters {
  const counters = new Map<string, { readonly total: number; readonly expiresAt: number }>();
  const total = (name: string): number => {
    const counter = counters.get(name);
    return counter !== undefined && counter.expiresAt > clock.now() ? counter.total : 0;
  };
  return {
    total,
    add(name, { amount, limit, expiresAt }) {
      const sum = total(name) + amount;
      if (amount > 0 && limit !== null && sum > limit) return null;
      counters.set(name, { total: sum, expiresAt });
      return sum;
    },
  };
}
