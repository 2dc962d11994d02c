import { NET } from '../../src/router/observations.ts';
import type { Policy } from './simulate.ts';
import { pageChance, price, type World } from './world.ts';

const WORTH = 250;
const SECOND = 0.5;

/** Knows every chance and price of the moment, and looks three attempts ahead. Nobody can; it is the measure. */
export function oracle(world: World): Policy {
  const { arms, missed, netFails } = world;
  return {
    name: 'oracle',
    next({ ask, now, tried, unitsLeft, secondsLeft }) {
      const p = arms.map((_, arm) => pageChance(world, ask, arm, now) * (1 - netFails));
      const full = arms.map((_, arm) => price(world, ask, arm, now));
      const spend = arms.map(
        ({ failShare }, arm) =>
          p[arm]! * full[arm]! + (1 - p[arm]!) * (full[arm]! * failShare + missed * WORTH),
      );
      const fits = (arm: number, units: number, seconds: number) =>
        full[arm]! <= units &&
        arms[arm]!.seconds * 1.25 <= seconds &&
        !tried.some(([done, sign]) => done === arm && sign !== NET);
      /** Least loss from here: spend, waiting, and the page that does not come. */
      const loss = (
        used: readonly number[],
        units: number,
        seconds: number,
      ): readonly [number, number | null] => {
        let least = WORTH;
        let best: number | null = null;
        for (let arm = 0; arm < arms.length; arm++) {
          if (used.includes(arm) || !fits(arm, units, seconds)) continue;
          const rest =
            used.length === 2
              ? WORTH
              : loss([...used, arm], units - spend[arm]!, seconds - arms[arm]!.seconds)[0];
          const mine = spend[arm]! + SECOND * arms[arm]!.seconds + (1 - p[arm]!) * rest;
          if (mine >= least) continue;
          least = mine;
          best = arm;
        }
        return [least, best];
      };
      const [, arm] = loss([], unitsLeft, secondsLeft);
      return arm === null ? null : { arm };
    },
  };
}
