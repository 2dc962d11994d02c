import { NET } from '../../src/router/observations.ts';
import type { Policy } from './simulate.ts';
import { failShareOf, pageChance, price, vendorOf, type World } from './world.ts';

const WORTH = 250;
const SECOND = 0.5;

/** Knows every chance and price of the moment, and looks three attempts ahead. Nobody can; it is the measure. */
export function oracle(world: World): Policy {
  const { arms, missed, netFails } = world;
  const usual = arms.map(({ seconds }, arm) => vendorOf(world, arm)?.seconds ?? seconds);
  return {
    name: 'oracle',
    next({ ask, now, tried, unitsLeft, secondsLeft, slotWait }) {
      const p = arms.map((_, arm) => pageChance(world, ask, arm, now) * (1 - netFails));
      const full = arms.map((_, arm) => price(world, ask, arm, now));
      const spend = arms.map(
        (_, arm) =>
          p[arm]! * full[arm]! + (1 - p[arm]!) * (full[arm]! * failShareOf(world, arm, now) + missed * WORTH),
      );
      const seconds = usual.map((each, arm) => each + slotWait(arm));
      const fits = (arm: number, units: number, left: number) =>
        full[arm]! <= units &&
        seconds[arm]! * 1.25 <= left &&
        !tried.some(([done, sign]) => done === arm && sign !== NET);
      /** Least loss from here: spend, waiting, and the page that does not come. */
      const loss = (
        used: readonly number[],
        units: number,
        left: number,
      ): readonly [number, number | null] => {
        let least = WORTH;
        let best: number | null = null;
        for (let arm = 0; arm < arms.length; arm++) {
          if (used.includes(arm) || !fits(arm, units, left)) continue;
          const rest =
            used.length === 2 ? WORTH : loss([...used, arm], units - spend[arm]!, left - seconds[arm]!)[0];
          const mine = spend[arm]! + SECOND * seconds[arm]! + (1 - p[arm]!) * rest;
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
