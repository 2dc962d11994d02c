import { MANAGED, OPEN } from './classes.ts';
import { ORDINARY } from './scenarios.ts';
import { type Policy, simulate } from './simulate.ts';
import { type Batch, makeWorkload } from './workload.ts';
import { DAY, makeWorld, type World } from './world.ts';

const SITES = 8;
const EVERY_S = 4;
const RISES_S = 6 * 3600;
const FALLS_S = 18 * 3600;
const AT_S = 20 * DAY;
/** So many requests in a row must be cheap. */
const ROW = 20;
const CHEAP_UNITS = 3;

/**
 * Eight sites that are asked every 4 s for a day; a defence stands from the 6th to the 18th hour. Gives the minutes, the
 * median of the sites, from its fall until pages are cheap again. The policy has seen other sites before.
 */
export function hotSite(seed: number, policyOf: (world: World) => Policy): number {
  const settings = { ...ORDINARY, requests: 15_000, sites: 1_200, changeDays: 1e6, breakage: false };
  const world = makeWorld(seed, settings);
  const policy = policyOf(world);
  simulate(world, makeWorkload(world, seed + 1), policy);
  const first = world.all.length;
  const batches: Batch[] = [];
  for (let n = 0; n < SITES; n++) {
    const site = world.all.length;
    world.all.push({
      paths: [
        [
          [0, OPEN],
          [AT_S + RISES_S, MANAGED],
          [AT_S + FALLS_S, OPEN],
        ],
      ],
      noise: world.arms.map(() => 0),
      size: 1,
      alarmed: false,
      slow: 1,
    });
    for (let k = 0; k < DAY / EVERY_S; k++) {
      const ask = { id: 2e7 + site * 30_000 + k, site, path: 0, deadline: 60, ceiling: 250 };
      batches.push({ at: AT_S + k * EVERY_S + n * 0.1, atOnce: 1, asks: [ask] });
    }
  }
  const results = simulate(
    world,
    batches.sort((a, b) => a.at - b.at),
    policy,
  );
  const minutes: number[] = [];
  for (let n = 0; n < SITES; n++) {
    const after = results
      .filter(({ ask, begunAt }) => ask.site === first + n && begunAt >= AT_S + FALLS_S)
      .sort((a, b) => a.begunAt - b.begunAt);
    let sum = 0;
    let cheapFrom: number | null = null;
    for (const [i, { cost }] of after.entries()) {
      sum += cost - (after[i - ROW]?.cost ?? 0);
      if (i < ROW - 1 || sum / ROW >= CHEAP_UNITS) continue;
      cheapFrom = after[i - ROW + 1]!.begunAt;
      break;
    }
    minutes.push(cheapFrom === null ? Number.POSITIVE_INFINITY : (cheapFrom - AT_S - FALLS_S) / 60);
  }
  return minutes.sort((a, b) => a - b)[SITES / 2]!;
}
