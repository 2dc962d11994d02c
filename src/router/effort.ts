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

/** What the estimates take a document for, and a page with all that it loads; both ways. */
const USUAL_BYTES = { http: 50_000, browser: 350_000 } as const;

const engineOf = ({ scraper }: Step): 'http' | 'browser' =>
  scraper === 'browser' || scraper === 'browser_stealth' ? 'browser' : 'http';

/** What an attempt by this step takes, in units of effort and in seconds: an estimate until it has been learned. */
export function effortOf(step: Step): Effort {
  const { units, failShare, seconds } = OF_SCRAPER[step.scraper];
  const exit = OF_EXIT[step.proxyType];
  return {
    units: round(units + exit[engineOf(step)]),
    failShare,
    seconds: round(seconds * exit.slower),
  };
}

/** Units that a page by this step took which moved so many bytes; null: bytes are not what it is paid by. */
export function effortPaid(step: Step, bytes: number): number | null {
  const engine = engineOf(step);
  const share = OF_EXIT[step.proxyType][engine];
  return share === 0 ? null : round(OF_SCRAPER[step.scraper].units + (share * bytes) / USUAL_BYTES[engine]);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
