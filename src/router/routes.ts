import type { Step } from '../domain/scrape.ts';
import { type BuiltInScraper, type Effort, isVendor, SCRAPER_NAMES, SCRAPERS } from '../domain/scrapers.ts';
import type { ProxyType } from '../domain/task.ts';
import type { VendorFacts, VendorPayment } from '../domain/vendors.ts';

/**
 * What a proxy type adds: units of effort for its traffic (`http`: a document alone, `browser`: with its subresources), and a
 * factor on the time. A unit is the effort of a plain HTTP request. In this file nothing is money. The caller pays for the
 * traffic of their own proxy, so it adds no effort.
 */
const EXIT_EFFORT: Readonly<
  Record<ProxyType, { readonly http: number; readonly browser: number; readonly slower: number }>
> = {
  none: { http: 0, browser: 0, slower: 1 },
  datacenter: { http: 0, browser: 0, slower: 1 },
  custom: { http: 0, browser: 0, slower: 1.5 },
  residential: { http: 4.9, browser: 34, slower: 2 },
  mobile: { http: 10.9, browser: 76, slower: 2.6 },
};

/** The traffic in both directions that the estimates assume. */
const USUAL_BYTES = { http: 50_000, browser: 350_000 } as const;

/** The initial estimate of what an attempt by this step takes. */
export function effortOf(step: Step & { readonly scraper: BuiltInScraper }): Effort {
  const { units, failShare, seconds } = SCRAPERS[step.scraper].effort;
  const exit = EXIT_EFFORT[step.proxyType];
  return {
    units: round(units + exit[SCRAPERS[step.scraper].engine]),
    failShare,
    seconds: round(seconds * exit.slower),
  };
}

/** Units of effort of a page by this step with this traffic; null if traffic is free, or the vendor's. */
export function measuredEffort({ scraper, proxyType }: Step, bytes: number): number | null {
  if (isVendor(scraper)) return null;
  const { engine, effort } = SCRAPERS[scraper];
  const exitUnits = EXIT_EFFORT[proxyType][engine];
  return exitUnits === 0 ? null : round(effort.units + (exitUnits * bytes) / USUAL_BYTES[engine]);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** A scraper with a kind of exit: what sites can see of it, and what it takes. */
export interface Route {
  readonly name: string;
  /** It runs scripts. */
  readonly js: boolean;
  /** 0: recognizable as no browser; 1: connects like a browser; 2: passes checks by script; 3: hardened. */
  readonly fingerprint: 0 | 1 | 2 | 3;
  /** 0: datacenter address; 1: residential; 2: mobile. */
  readonly ip: 0 | 1 | 2;
  /** Of a successful attempt, in units. */
  readonly effort: number;
  /** The share of `effort` that a failing attempt takes. */
  readonly failShare: number;
  readonly seconds: number;
  /** The effort grows with the traffic. */
  readonly byBytes?: boolean;
  /** Another service fetches the page. It has every capability. */
  readonly vendor?: boolean;
  /** No page costs more than `effort`. */
  readonly hasFixedPrice?: boolean;
}

/** The kinds of exits. The kind of a caller's own proxy is not known: it is taken for residential. Nothing is learned from it. */
const EXIT_TYPES = ['datacenter', 'residential', 'mobile', 'custom'] as const;
const IP_KIND = { datacenter: 0, residential: 1, mobile: 2, custom: 1 } as const;

/** Every scraper of this program with every kind of exit. The routes of vendors come after them. */
export const ROUTES: readonly Route[] = SCRAPER_NAMES.flatMap((scraper) =>
  EXIT_TYPES.map((exit) => {
    const { engine, fingerprint } = SCRAPERS[scraper];
    const { units, failShare, seconds } = effortOf({ scraper, proxyType: exit });
    const name = `${scraper}/${exit}`;
    const route = { name, fingerprint, ip: IP_KIND[exit], effort: units, failShare, seconds };
    return { ...route, js: engine === 'browser', byBytes: exit === 'residential' || exit === 'mobile' };
  }),
);

const FIRST_INDEX = Object.fromEntries(
  SCRAPER_NAMES.map((name, index) => [name, index * EXIT_TYPES.length]),
) as Record<BuiltInScraper, number>;
const EXIT_INDEX: Readonly<Record<ProxyType, number>> = {
  none: 0,
  datacenter: 0,
  residential: 1,
  mobile: 2,
  custom: 3,
};

const routeName = ({ scraper, proxyType }: Step): string => `${scraper}/${proxyType}`;

/** The index of a step in routes that begin with `ROUTES`; -1: it is the step of a vendor that is not among them. */
export function routeIndex(step: Step, routes: readonly Route[] = ROUTES): number {
  if (!isVendor(step.scraper)) return FIRST_INDEX[step.scraper] + EXIT_INDEX[step.proxyType];
  const name = routeName(step);
  for (let index = ROUTES.length; index < routes.length; index++)
    if (routes[index]!.name === name) return index;
  return -1;
}

/** Usual duration of an attempt by a vendor, and the share of its price that it charges for an attempt that fails. */
const VENDOR_SECONDS = 8;
const VENDOR_FAIL_SHARE = 0.1;

/** The route of a vendor. @param units what a page costs */
export const vendorRoute = (
  step: Step,
  { units, paidBy }: { readonly units: number; readonly paidBy: VendorPayment },
): Route => ({
  name: routeName(step),
  js: true,
  fingerprint: 3,
  ip: 2,
  effort: units,
  failShare: paidBy === 'request' ? 1 : VENDOR_FAIL_SHARE,
  seconds: VENDOR_SECONDS,
  vendor: true,
  hasFixedPrice: paidBy !== 'credits',
});

/** What is known of the time that a vendor takes. */
type VendorTime = Pick<VendorFacts, 'scraper' | 'seconds' | 'waitSeconds'>;

/** The routes, with the time that attempts by vendors take at this moment, including the wait for a slot of the account. */
export function withDurations(routes: readonly Route[], vendors: readonly VendorTime[]): readonly Route[] {
  if (vendors.length === 0) return routes;
  return routes.map((route) => {
    const vendor = vendors.find(({ scraper }) => route.name.startsWith(`${scraper}/`));
    return vendor === undefined ? route : { ...route, seconds: vendor.seconds() + vendor.waitSeconds() };
  });
}

/** The remaining time must be longer than the usual time of a route by this factor. */
const TIME_MARGIN = 1.25;

export const hasTime = ({ seconds }: Route, secondsLeft: number): boolean =>
  seconds * TIME_MARGIN <= secondsLeft;

/** Spread of the durations of one route: nearly nine in ten are within a factor of two of the usual one. */
const TIME_STEEPNESS = 4;
/** Spread of the effort of one route over sites, which is a little larger. */
const EFFORT_STEEPNESS = 3.5;

/** P(a value is below a limit), with a log-logistic distribution around the usual value. */
const logLogistic = (usual: number, limit: number, steepness: number): number =>
  1 / (1 + (usual / limit) ** steepness);

/** P(an attempt by a route ends within the time that is left). */
export const probabilityInTime = ({ seconds }: Route, secondsLeft: number): number =>
  logLogistic(seconds, secondsLeft, TIME_STEEPNESS);

/** P(a page takes no more units than are left). @param effort an estimate; a measured effort needs no such probability */
export const probabilityWithinUnits = (effort: number, unitsLeft: number): number =>
  logLogistic(effort, unitsLeft, EFFORT_STEEPNESS);
