import type { ProxyType, ScraperName } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';

/** What choosing counts in where nothing is priced: 1 is a plain fetch from an address of a datacentre. */
interface Effort {
  /** Of an attempt that gives the page. */
  readonly units: number;
  /** The part of it that an attempt costs which fails. */
  readonly failShare: number;
  /** How long a page usually takes, seconds. */
  readonly seconds: number;
}

const HTTP: Effort = { units: 1, failShare: 0.4, seconds: 0.6 };
const IMPERSONATE: Effort = { units: 1.1, failShare: 0.4, seconds: 0.7 };
const BROWSER: Effort = { units: 14, failShare: 0.6, seconds: 3 };
const STEALTH: Effort = { units: 18, failShare: 0.6, seconds: 5 };

const OF_SCRAPER: Readonly<Record<ScraperName, Effort>> = {
  http: HTTP,
  http_impersonate: IMPERSONATE,
  browser: BROWSER,
  browser_stealth: STEALTH,
};

/**
 * An exit that is paid by the gigabyte makes an attempt dearer by what goes through it: a document alone, or with all
 * that it loads. Bytes through a proxy of the caller's own are not ours.
 */
const OF_EXIT: Readonly<
  Record<ProxyType, { readonly http: number; readonly browser: number; readonly slower: number }>
> = {
  none: { http: 0, browser: 0, slower: 1 },
  datacenter: { http: 0, browser: 0, slower: 1 },
  custom: { http: 0, browser: 0, slower: 1.5 },
  residential: { http: 4.9, browser: 34, slower: 2 },
  mobile: { http: 10.9, browser: 76, slower: 2.6 },
};

/** What an attempt by this step takes, in units of effort and in seconds: an estimate until it has been learned. */
export function effortOf({ scraper, proxyType }: Step): Effort {
  const { units, failShare, seconds } = OF_SCRAPER[scraper];
  const exit = OF_EXIT[proxyType];
  const browses = scraper === 'browser' || scraper === 'browser_stealth';
  return {
    units: round(units + (browses ? exit.browser : exit.http)),
    failShare,
    seconds: round(seconds * exit.slower),
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
