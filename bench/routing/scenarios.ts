import { arms } from './arms.ts';
import { cheapestFirst, fixed, sticky, thompson } from './baselines.ts';
import { classes } from './classes.ts';
import { oracle } from './oracle.ts';
import type { Policy } from './simulate.ts';
import type { SluicePolicy } from './sluice.ts';
import { sluice } from './sluice.ts';
import { type SimulatedVendor, withVendors } from './vendors.ts';
import type { Settings, World } from './world.ts';

export const ORDINARY: Settings = {
  arms: arms(),
  classes: classes(),
  days: 10,
  sites: 2_500,
  requests: 60_000,
  changeDays: 8,
  tableNoise: 0.4,
  siteNoise: 0.7,
  netFails: 0.01,
  falseAlarms: 0.005,
  alarmedSites: 0.005,
  missed: 0.02,
  zipf: 0.75,
  breakage: true,
};

/** An installation with vendors: a few days, so that there are many requests in the minutes after something has happened. */
export const vendorSettings = (vendors: readonly SimulatedVendor[]): Settings => ({
  ...ORDINARY,
  ...withVendors(vendors),
  days: 2.5,
  sites: 1_500,
  maxBatch: 20,
  breakage: false,
});

export interface Scenario {
  readonly name: string;
  readonly settings: Settings;
}

const GUARDED = [0.15, 0.08, 0.08, 0.09, 0.05, 0.14, 0.12, 0.07, 0.07, 0.06, 0.04, 0.02, 0.02, 0.01];
const CREDITS = [1, 1.5, 10, 25, 5, 8, 25, 30, 50, 30];
const priced = (costs: readonly (number | null)[]) =>
  arms().map((arm, at) => ({ ...arm, effort: costs[at] ?? arm.effort }));
const noVendor = arms().map((arm) => (arm.vendor ? { ...arm, effort: 600 } : arm));

export const SCENARIOS: readonly Scenario[] = [
  { name: 'S1 ordinary mix', settings: ORDINARY },
  { name: 'S2 targets change every 1.5 days', settings: { ...ORDINARY, changeDays: 1.5 } },
  {
    name: 'S3 mostly guarded, 15 % open',
    settings: { ...ORDINARY, classes: classes().map((one, at) => ({ ...one, share: GUARDED[at]! })) },
  },
  { name: 'S4 5 % of the sites always taken for blocked', settings: { ...ORDINARY, alarmedSites: 0.05 } },
  { name: 'S4b 5 % of the blocks not seen', settings: { ...ORDINARY, missed: 0.05 } },
  { name: 'S5 no vendor that can be paid', settings: { ...ORDINARY, arms: noVendor } },
  { name: 'S6 prices in credits', settings: { ...ORDINARY, arms: priced(CREDITS) } },
  {
    name: 'S7 long tail: 20,000 sites, few requests each',
    settings: { ...ORDINARY, sites: 20_000, requests: 40_000, zipf: 0.4 },
  },
];

export function policies(world: World): { readonly others: readonly Policy[]; readonly auto: SluicePolicy } {
  const { arms: ways, missed } = world;
  return {
    auto: sluice(ways, { missed }),
    others: [
      oracle(world),
      thompson(ways),
      fixed('waterfall, cheapest first', ways, cheapestFirst(ways)),
      fixed('ladder of four steps', ways, [1, 2, 5, 9]),
      sticky('sticky 6 h, 5 % anew', ways, [1, 2, 4, 5, 9, 7, 8], 6, 0.05),
      fixed('browser first', ways, [4, 4, 7, 9]),
      fixed('always the hardened browser', ways, [7, 7, 9]),
    ],
  };
}
