import { OK } from '../../src/router/observations.ts';
import type { Route } from '../../src/router/routes.ts';
import { chance } from './chance.ts';
import type { Move, Policy, Trip } from './simulate.ts';
import { targetOf } from './simulate.ts';

const fits = ({ effort, seconds }: Route, { unitsLeft, secondsLeft }: Trip): boolean =>
  effort <= unitsLeft && seconds * 1.25 <= secondsLeft;

/** The next arm of a list that fits what is left. */
function nextOf(arms: readonly Route[], list: readonly number[], trip: Trip): Move {
  while (++trip.at < list.length) {
    const arm = list[trip.at]!;
    if (fits(arms[arm]!, trip)) return { arm };
  }
  return null;
}

/** The same list for all targets. */
export function fixed(name: string, arms: readonly Route[], list: readonly number[]): Policy {
  return { name, next: (trip) => nextOf(arms, list, trip) };
}

export const cheapestFirst = (arms: readonly Route[]): number[] =>
  arms.map((_, at) => at).sort((a, b) => arms[a]!.effort - arms[b]!.effort);

/** Begins a ladder at the rung that worked last, and for a share of the asks at its foot. */
export function sticky(
  name: string,
  arms: readonly Route[],
  ladder: readonly number[],
  hours: number,
  anew: number,
): Policy {
  const last = new Map<number, { rung: number; at: number }>();
  return {
    name,
    next(trip) {
      const { site, id } = trip.ask;
      if (trip.at === -1) {
        const known = last.get(site);
        const foot = ((id * 7919) % 1000) / 1000 < anew;
        if (known !== undefined && trip.now - known.at < hours * 3600 && !foot) trip.at = known.rung - 1;
      }
      return nextOf(arms, ladder, trip);
    },
    ended({ ask: { site }, now }, arm, sign) {
      if (sign !== OK) return null;
      const rung = ladder.indexOf(arm);
      const known = last.get(site);
      last.set(site, { rung, at: known?.rung === rung ? known.at : now });
      return null;
    },
  };
}

/** Thompson sampling: each target and arm by itself, cost over a drawn chance of success. */
export function thompson(arms: readonly Route[]): Policy {
  const random = chance(12_345);
  const counts = new Map<number, { good: number; bad: number }[]>();
  const gamma = (k: number) => {
    let sum = 0;
    for (let i = 0; i < k; i++) sum -= Math.log(1 - random());
    return sum;
  };
  const of = (trip: Trip) => {
    const target = targetOf(trip.ask);
    const mine = counts.get(target) ?? arms.map(() => ({ good: 1, bad: 1 }));
    counts.set(target, mine);
    return mine;
  };
  return {
    name: 'Thompson sampling, each target alone',
    next(trip) {
      const mine = of(trip);
      let best: number | null = null;
      let least = Number.POSITIVE_INFINITY;
      for (const [arm, way] of arms.entries()) {
        if (!fits(way, trip) || trip.tried.some(([tried]) => tried === arm)) continue;
        const good = gamma(Math.round(mine[arm]!.good));
        const p = good / (good + gamma(Math.round(mine[arm]!.bad)));
        const index = (way.effort + 0.5 * way.seconds) / p;
        if (p * 250 < way.effort || index >= least) continue;
        least = index;
        best = arm;
      }
      return best === null ? null : { arm: best };
    },
    ended(trip, arm, sign) {
      const mine = of(trip)[arm]!;
      mine.good = 1 + (mine.good - 1) * 0.97 + (sign === OK ? 1 : 0);
      mine.bad = 1 + (mine.bad - 1) * 0.97 + (sign === OK ? 0 : 1);
      return null;
    },
  };
}
