import type { ProxyType, ScraperName } from '../domain/job.ts';
import { SCRAPER_NAMES } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { CAPABILITIES } from './capabilities.ts';
import { effortOf } from './effort.ts';

/** A way of fetching as the belief sees it: what it can show a target, and what it takes. */
export interface Way {
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
const EXITS = ['datacenter', 'residential', 'mobile', 'custom'] as const;
const IP_OF = { datacenter: 0, residential: 1, mobile: 2, custom: 1 } as const;

/** Every scraper through every kind of exit. */
export const WAYS: readonly Way[] = SCRAPER_NAMES.flatMap((scraper) =>
  EXITS.map((exit) => {
    const { engine, fingerprint } = CAPABILITIES[scraper];
    const { units, failShare, seconds } = effortOf({ scraper, proxyType: exit });
    const name = `${scraper}/${exit}`;
    const way = { name, fingerprint, ip: IP_OF[exit], cost: units, failShare, seconds };
    return { ...way, js: engine === 'browser', byBytes: exit === 'residential' || exit === 'mobile' };
  }),
);

const FIRST_OF = Object.fromEntries(SCRAPER_NAMES.map((name, at) => [name, at * EXITS.length])) as Record<
  ScraperName,
  number
>;
const EXIT_AT: Readonly<Record<ProxyType, number>> = {
  none: 0,
  datacenter: 0,
  residential: 1,
  mobile: 2,
  custom: 3,
};

/** The place of a step in WAYS. */
export function wayOf(step: Step): number {
  return FIRST_OF[step.scraper] + EXIT_AT[step.proxyType];
}

/** Over the usual time of a way: what is left must be more. */
const MARGIN = 1.25;

export const hasTime = ({ seconds }: Way, secondsLeft: number): boolean => seconds * MARGIN <= secondsLeft;

/** How durations of one way spread: nearly nine in ten lie within a factor of two of the usual one. */
const STEEP = 4;
/** How prices of one way spread over sites: a little less. */
const STEEP_PRICE = 3.5;

/** P(a value stays below a limit), log-logistic about the usual value. */
const below = (usual: number, limit: number, steep: number): number => 1 / (1 + (usual / limit) ** steep);

/** P(an attempt by a way ends in time). */
export const inTime = ({ seconds }: Way, secondsLeft: number): number => below(seconds, secondsLeft, STEEP);

/** P(a page that should cost `units` costs no more than what is left), where nothing was paid yet. */
export const isPaidBy = (units: number, unitsLeft: number): number => below(units, unitsLeft, STEEP_PRICE);
