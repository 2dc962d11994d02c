import { type VendorScraper, vendorScraper } from '../../src/domain/scrapers.ts';
import type { VendorPayment } from '../../src/domain/vendors.ts';
import { type Route, vendorRoute } from '../../src/router/routes.ts';
import { arms } from './arms.ts';
import { classes, type SiteClass } from './classes.ts';

/** What is wrong with a vendor for a while, in seconds from the begin of the simulation. */
export interface Trouble {
  readonly from: number;
  readonly until: number;
  /** `down`: an error at once; `hangs`: no answer; `decays`: block pages and empty pages, charged as pages. */
  readonly how: 'down' | 'hangs' | 'decays';
}

/** A vendor of the simulation. Its route is among the arms, after those of the own scrapers. */
export interface SimulatedVendor {
  readonly scraper: VendorScraper;
  readonly route: Route;
  /** P(page) at each class. */
  readonly p: readonly number[];
  /** `credits`: by success, and more at some classes. */
  readonly charges: VendorPayment;
  readonly seconds: number;
  /** Requests at once that the account allows; null: any number. */
  readonly slots: number | null;
  readonly troubles: readonly Trouble[];
  /** From an instant on, the price is so many times the first one. The operator's file says so at once. */
  readonly prices: readonly (readonly [from: number, factor: number])[];
}

/** P(page) while a vendor decays, as a share of what it was. */
export const DECAYED = 0.05;

/** What is wrong with a vendor at an instant; null: nothing. */
export const troubleOf = ({ troubles }: SimulatedVendor, now: number): Trouble | null =>
  troubles.find(({ from, until }) => from <= now && now < until) ?? null;

export function priceFactor({ prices }: SimulatedVendor, now: number): number {
  let factor = 1;
  for (const [from, next] of prices) if (from <= now) factor = next;
  return factor;
}

const HOUR = 3600;
const trouble =
  (how: Trouble['how']) =>
  (fromHour: number, untilHour: number): Trouble => ({
    from: fromHour * HOUR,
    until: untilHour * HOUR,
    how,
  });
export const down = trouble('down');
export const hangs = trouble('hangs');
export const decays = trouble('decays');

interface Description {
  readonly units: number;
  readonly percents: string;
  readonly charges: SimulatedVendor['charges'];
  readonly seconds: number;
  readonly slots?: number | null;
  readonly troubles?: readonly Trouble[];
  readonly prices?: readonly (readonly [fromHour: number, factor: number])[];
}

function vendor(
  name: string,
  { units, percents, charges, seconds, slots = null, troubles = [], prices = [] }: Description,
): SimulatedVendor {
  const scraper = vendorScraper(name);
  return {
    scraper,
    route: vendorRoute({ scraper, proxyType: 'datacenter' }, { units, paidBy: charges }),
    p: percents.split(' ').map((text) => Number(text) / 100),
    charges,
    seconds,
    slots,
    troubles,
    prices: prices.map(([from, factor]) => [from * HOUR, factor] as const),
  };
}

// By class:     open js tls ip ipjs low man str A  B  C  D  E  wall
const STRONG = '97 95 95 93 92 95 92 88 92 88 88 75 92 15';
const MIDDLE = '97 94 94 92 85 92 82 45 80 50 55 30 85 5';
const SIMPLE = '96 90 92 90 50 75 45 15 60 25 30 10 65 5';

export const strong = (more: Partial<Description> = {}) =>
  vendor('strong', { units: 40, percents: STRONG, charges: 'success', seconds: 12, ...more });
export const middle = (more: Partial<Description> = {}) =>
  vendor('middle', { units: 18, percents: MIDDLE, charges: 'credits', seconds: 8, ...more });
const simple = (more: Partial<Description> = {}) =>
  vendor('simple', { units: 8, percents: SIMPLE, charges: 'request', seconds: 5, ...more });
export const twin = (more: Partial<Description> = {}) =>
  vendor('twin', { units: 24, percents: MIDDLE, charges: 'success', seconds: 9, ...more });

/** The own ways of a small installation, which has no other addresses than those of a datacentre. */
const OWN = [0, 1, 4, 5];
const GUARDED = [0.25, 0.08, 0.08, 0.14, 0.06, 0.12, 0.09, 0.04, 0.04, 0.03, 0.02, 0.01, 0.03, 0.01];

/** The settings of a world with vendors beside four own ways. */
export function withVendors(vendors: readonly SimulatedVendor[]): {
  readonly arms: readonly Route[];
  readonly classes: readonly SiteClass[];
  readonly vendors: readonly SimulatedVendor[];
} {
  const ways = arms();
  return {
    arms: [...OWN.map((arm) => ways[arm]!), ...vendors.map(({ route }) => route)],
    classes: classes().map((one, at) => ({
      ...one,
      share: GUARDED[at]!,
      p: [...OWN.map((arm) => one.p[arm]!), ...vendors.map(({ p }) => p[at]!)],
    })),
    vendors,
  };
}

export interface VendorScenario {
  readonly name: string;
  readonly vendors: readonly SimulatedVendor[];
}

export const VENDOR_SCENARIOS: readonly VendorScenario[] = [
  { name: 'V1 two vendors, nothing happens', vendors: [middle(), strong()] },
  {
    name: 'V2 four vendors; the best is down for 4 h, and hangs for 3 h a day later',
    vendors: [simple(), middle({ troubles: [down(20, 24), hangs(40, 43)] }), twin(), strong()],
  },
  {
    name: 'V3 three vendors; the best decays silently, for 6 h and for 90 min',
    vendors: [middle({ troubles: [decays(20, 26), decays(40, 41.5)] }), twin(), strong()],
  },
  {
    name: 'V4 two vendors; the cheap one decays, the other is down, neither can be replaced',
    vendors: [simple({ troubles: [decays(20, 25)] }), strong({ troubles: [down(36, 40)] })],
  },
  {
    name: 'V5 three vendors; prices change by 2.2 and by 0.5, and back',
    vendors: [
      middle({
        prices: [
          [20, 2.2],
          [40, 1],
        ],
      }),
      twin({
        prices: [
          [30, 0.5],
          [50, 1],
        ],
      }),
      strong(),
    ],
  },
  {
    name: 'V6 three vendors; the account of the best has three slots',
    vendors: [middle({ slots: 3 }), twin({ slots: 6 }), strong()],
  },
];
