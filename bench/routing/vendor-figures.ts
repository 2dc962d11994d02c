import { type Figures, figuresOf } from './figures.ts';
import { oracle } from './oracle.ts';
import type { Ended } from './simulate.ts';
import { simulate } from './simulate.ts';
import { sluice } from './sluice.ts';
import type { Trouble } from './vendors.ts';
import { makeWorkload } from './workload.ts';
import { makeWorld, type Settings } from './world.ts';

/** A trouble of a vendor, as `auto` met it. Minutes. */
export interface TroubleFigures {
  readonly how: Trouble['how'];
  /** From its begin until attempts by the vendor are rare. */
  readonly recovery: number;
  /** From its end until the vendor is used again where it is best. */
  readonly foundAgain: number;
  /** Success during it, in points below the oracle's. */
  readonly lostPoints: number;
}

export interface VendorFigures {
  readonly auto: Figures;
  readonly oracle: Figures;
  readonly troubles: readonly TroubleFigures[];
}

const MINUTE = 60;
const WINDOW = 10 * MINUTE;
const BEFORE = 4 * 3600;
/** Attempts by a vendor are rare if they are at most this share of what they were before, or so few in ten minutes. */
const RARE = 0.1;
const FEW = 3;
/** A vendor is used again if it brings this share of the pages that it brings under the oracle, of what it was before. */
const AGAIN = 0.8;

/** Runs `auto` and the oracle in a world with vendors. */
export function vendorFigures(seed: number, settings: Settings): VendorFigures {
  const world = makeWorld(seed, settings);
  const workload = makeWorkload(world, seed + 1_000);
  const { arms, vendors = [], missed } = settings;
  const auto = sluice(arms, { missed, vendors });
  const byAuto = simulate(world, workload, auto);
  const byOracle = simulate(world, workload, oracle(world));
  const troubles = vendors.flatMap(({ troubles: own }, at) =>
    own.map((trouble) => troubleFigures(trouble, arms.length - vendors.length + at, byAuto, byOracle)),
  );
  return { auto: figuresOf(byAuto), oracle: figuresOf(byOracle), troubles };
}

function troubleFigures(
  { from, until, how }: Trouble,
  arm: number,
  byAuto: readonly Ended[],
  byOracle: readonly Ended[],
): TroubleFigures {
  const within = (results: readonly Ended[], begin: number, end: number) =>
    results.filter(({ begunAt }) => begin <= begunAt && begunAt < end);
  const share = (results: readonly Ended[], is: (ended: Ended) => boolean) =>
    results.filter(is).length / Math.max(1, results.length);
  const tries = ({ arms }: Ended) => arms.includes(arm);
  const brings = ({ ok, arms }: Ended) => ok && arms.at(-1) === arm;
  const before = share(within(byAuto, from - BEFORE, from), tries);
  let recovery = 0;
  for (; from + recovery + WINDOW < until; recovery += MINUTE) {
    const window = within(byAuto, from + recovery, from + recovery + WINDOW);
    if (window.filter(tries).length <= Math.max(FEW, RARE * before * window.length)) break;
  }
  /** Pages by the vendor, as a share of those under the oracle. */
  const pages = (begin: number, end: number) =>
    share(within(byAuto, begin, end), brings) / Math.max(1e-9, share(within(byOracle, begin, end), brings));
  const usual = pages(from - BEFORE, from);
  let found = 0;
  while (found < BEFORE && pages(until + found, until + found + WINDOW) < AGAIN * usual) found += MINUTE;
  const success = (results: readonly Ended[]) => share(within(results, from, until), ({ ok }) => ok);
  return {
    how,
    recovery: recovery / MINUTE,
    foundAgain: found / MINUTE,
    lostPoints: 100 * (success(byOracle) - success(byAuto)),
  };
}
