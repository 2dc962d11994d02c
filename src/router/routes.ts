import type { ProxyType } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { type Effort, SCRAPER_NAMES, SCRAPERS, type ScraperName } from '../domain/scrapers.ts';

/**
 * An exit that is paid by the gigabyte makes an attempt dearer by what goes through it: a document alone, or with all
 * that it loads. Bytes through a proxy of the caller's own are not ours.
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

/** What the estimates take a document for, and a page with all that it loads; both ways. */
const USUAL_BYTES = { http: 50_000, browser: 350_000 } as const;

/** What an attempt by this step takes, in units of effort and in seconds: an estimate until it has been learned. */
export function effortOf(step: Step): Effort {
  const { units, failShare, seconds } = SCRAPERS[step.scraper].effort;
  const exit = EXIT_EFFORT[step.proxyType];
  return {
    units: round(units + exit[SCRAPERS[step.scraper].engine]),
    failShare,
    seconds: round(seconds * exit.slower),
  };
}

/** Units that a page by this step took which moved so many bytes; null: bytes are not what it is paid by. */
export function measuredEffort(step: Step, bytes: number): number | null {
  const { engine, effort } = SCRAPERS[step.scraper];
  const share = EXIT_EFFORT[step.proxyType][engine];
  return share === 0 ? null : round(effort.units + (share * bytes) / USUAL_BYTES[engine]);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** A way of fetching as the belief sees it: what it can show a target, and what it takes. */
export interface Route {
  readonly name: string;
  readonly js: boolean;
  /** 0: seen to be no browser; 1: connects like one; 2: passes a check by script; 3: hardened. */
  readonly fingerprint: 0 | 1 | 2 | 3;
  /** 0: an address of a datacentre; 1: of a household; 2: of a mobile network. */
  readonly ip: 0 | 1 | 2;
  /** An attempt that gives the page, in units of effort. */
  readonly cost: number;
  /** The part of `cost` that an attempt takes which fails. */
  readonly failShare: number;
  readonly seconds: number;
  /** It is paid by what the page weighs. */
  readonly byBytes?: boolean;
  /** Another service does it: it brings all there is, and is paid for pages alone. */
  readonly vendor?: boolean;
}

/** The exits that behave alike. What a proxy of the caller's own can do is not known, and nothing is learned from it. */
const EXIT_TYPES = ['datacenter', 'residential', 'mobile', 'custom'] as const;
const IP_KIND = { datacenter: 0, residential: 1, mobile: 2, custom: 1 } as const;

/** Every scraper through every kind of exit. */
export const ROUTES: readonly Route[] = SCRAPER_NAMES.flatMap((scraper) =>
  EXIT_TYPES.map((exit) => {
    const { engine, fingerprint } = SCRAPERS[scraper];
    const { units, failShare, seconds } = effortOf({ scraper, proxyType: exit });
    const name = `${scraper}/${exit}`;
    const way = { name, fingerprint, ip: IP_KIND[exit], cost: units, failShare, seconds };
    return { ...way, js: engine === 'browser', byBytes: exit === 'residential' || exit === 'mobile' };
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

/** The place of a step in WAYS. */
export function routeIndex(step: Step): number {
  return FIRST_INDEX[step.scraper] + EXIT_INDEX[step.proxyType];
}

/** Over the usual time of a way: what is left must be more. */
const MARGIN = 1.25;

export const hasTime = ({ seconds }: Route, secondsLeft: number): boolean => seconds * MARGIN <= secondsLeft;

/** How durations of one way spread: nearly nine in ten lie within a factor of two of the usual one. */
const TIME_STEEPNESS = 4;
/** How prices of one way spread over sites: a little less. */
const PRICE_STEEPNESS = 3.5;

/** P(a value stays below a limit), log-logistic about the usual value. */
const logLogistic = (usual: number, limit: number, steep: number): number =>
  1 / (1 + (usual / limit) ** steep);

/** P(an attempt by a way ends in time). */
export const probabilityInTime = ({ seconds }: Route, secondsLeft: number): number =>
  logLogistic(seconds, secondsLeft, TIME_STEEPNESS);

/** P(a page that should cost `units` costs no more than what is left), where nothing was paid yet. */
export const probabilityWithinUnits = (units: number, unitsLeft: number): number =>
  logLogistic(units, unitsLeft, PRICE_STEEPNESS);
