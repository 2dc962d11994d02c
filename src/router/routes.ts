import type { ProxyType } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { type Effort, SCRAPER_NAMES, SCRAPERS, type ScraperName } from '../domain/scrapers.ts';

/**
 * What an exit adds: units of effort where bytes are paid, for a document alone (`http`) or with all that it loads (`browser`),
 * and a factor on the time. Bytes through a proxy of the caller's own cost nothing here.
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

/** The size on which the estimates rest, of a document alone and with all that it loads; in both directions. */
const USUAL_BYTES = { http: 50_000, browser: 350_000 } as const;

/** What an attempt by this step takes, until it has been learned. */
export function effortOf(step: Step): Effort {
  const { units, failShare, seconds } = SCRAPERS[step.scraper].effort;
  const exit = EXIT_EFFORT[step.proxyType];
  return {
    units: round(units + exit[SCRAPERS[step.scraper].engine]),
    failShare,
    seconds: round(seconds * exit.slower),
  };
}

/** Units of effort of a page by this step that moved so many bytes; null: bytes are not paid. */
export function measuredEffort(step: Step, bytes: number): number | null {
  const { engine, effort } = SCRAPERS[step.scraper];
  const exitUnits = EXIT_EFFORT[step.proxyType][engine];
  return exitUnits === 0 ? null : round(effort.units + (exitUnits * bytes) / USUAL_BYTES[engine]);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** A scraper with a kind of exit: what a site can see of it, and what it takes. */
export interface Route {
  readonly name: string;
  readonly js: boolean;
  /** 0: seen to be no browser; 1: connects like one; 2: passes a check by script; 3: hardened. */
  readonly fingerprint: 0 | 1 | 2 | 3;
  /** 0: an address of a data center; 1: of a household; 2: of a mobile network. */
  readonly ip: 0 | 1 | 2;
  /** Of an attempt that gives the page, in units of effort. */
  readonly cost: number;
  /** The share of `cost` that a failing attempt takes. */
  readonly failShare: number;
  readonly seconds: number;
  /** Bytes are paid. */
  readonly byBytes?: boolean;
  /** Another service fetches: it has every capability, and only pages are paid. */
  readonly vendor?: boolean;
}

/** The kinds of exits. What a proxy of the caller's own can do is not known, and nothing is learned from it. */
const EXIT_TYPES = ['datacenter', 'residential', 'mobile', 'custom'] as const;
const IP_KIND = { datacenter: 0, residential: 1, mobile: 2, custom: 1 } as const;

/** Every scraper with every kind of exit. */
export const ROUTES: readonly Route[] = SCRAPER_NAMES.flatMap((scraper) =>
  EXIT_TYPES.map((exit) => {
    const { engine, fingerprint } = SCRAPERS[scraper];
    const { units, failShare, seconds } = effortOf({ scraper, proxyType: exit });
    const name = `${scraper}/${exit}`;
    const route = { name, fingerprint, ip: IP_KIND[exit], cost: units, failShare, seconds };
    return { ...route, js: engine === 'browser', byBytes: exit === 'residential' || exit === 'mobile' };
  }),
);

const FIRST_INDEX = Object.fromEntries(
  SCRAPER_NAMES.map((name, at) => [name, at * EXIT_TYPES.length]),
) as Record<ScraperName, number>;
const EXIT_INDEX: Readonly<Record<ProxyType, number>> = {
  none: 0,
  datacenter: 0,
  residential: 1,
  mobile: 2,
  custom: 3,
};

/** The index of a step in `ROUTES`. */
export function routeIndex(step: Step): number {
  return FIRST_INDEX[step.scraper] + EXIT_INDEX[step.proxyType];
}

/** More time than a route usually takes must be left. */
const TIME_MARGIN = 1.25;

export const hasTime = ({ seconds }: Route, secondsLeft: number): boolean =>
  seconds * TIME_MARGIN <= secondsLeft;

/** How the durations of one route spread: nearly nine in ten lie within a factor of two of the usual one. */
const TIME_STEEPNESS = 4;
/** How the prices of one route spread over sites: a little more. */
const PRICE_STEEPNESS = 3.5;

/** P(a value stays below a limit): log-logistic around the usual value. */
const logLogistic = (usual: number, limit: number, steep: number): number =>
  1 / (1 + (usual / limit) ** steep);

/** P(an attempt by a route ends in the time that is left). */
export const probabilityInTime = ({ seconds }: Route, secondsLeft: number): number =>
  logLogistic(seconds, secondsLeft, TIME_STEEPNESS);

/** P(a page that is estimated at `units` costs no more than what is left), where nothing was paid yet. */
export const probabilityWithinUnits = (units: number, unitsLeft: number): number =>
  logLogistic(units, unitsLeft, PRICE_STEEPNESS);
