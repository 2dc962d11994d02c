/** What choosing counts in where nothing is priced: 1 is a plain fetch from an address of a data centre. */
export interface Effort {
  /** Of an attempt that gives the page. */
  readonly units: number;
  /** The share of it that a failing attempt costs. */
  readonly failShare: number;
  /** How long a page usually takes. */
  readonly seconds: number;
}

/** What kind of program fetches: an HTTP client, or a browser, which also runs the scripts of a page. */
export type ScraperEngine = 'http' | 'browser';

interface ScraperFacts {
  readonly engine: ScraperEngine;
  /** Takes HEAD and OPTIONS too. */
  readonly allMethods: boolean;
  /** Sends a body with GET. */
  readonly bodyOnGet: boolean;
  /** It is an HTTP client that pretends to be a browser. */
  readonly impersonates: boolean;
  /** What a target sees: 0: no browser; 1: connects like one; 2: passes a check by script; 3: hardened. */
  readonly fingerprint: 0 | 1 | 2 | 3;
  readonly effort: Effort;
}

const HTTP_CLIENT = { engine: 'http', allMethods: true, bodyOnGet: true } as const;
const BROWSER = { engine: 'browser', allMethods: false, bodyOnGet: false, impersonates: false } as const;

/** All scrapers, the cheapest first: `auto` considers them in this order. */
export const SCRAPERS = {
  http: {
    ...HTTP_CLIENT,
    impersonates: false,
    fingerprint: 0,
    effort: { units: 1, failShare: 0.4, seconds: 0.6 },
  },
  http_impersonate: {
    ...HTTP_CLIENT,
    impersonates: true,
    fingerprint: 1,
    effort: { units: 1.1, failShare: 0.4, seconds: 0.7 },
  },
  browser: { ...BROWSER, fingerprint: 2, effort: { units: 14, failShare: 0.6, seconds: 3 } },
  browser_stealth: { ...BROWSER, fingerprint: 3, effort: { units: 18, failShare: 0.6, seconds: 5 } },
} as const satisfies Readonly<Record<string, ScraperFacts>>;

export type ScraperName = keyof typeof SCRAPERS;
export const SCRAPER_NAMES = Object.keys(SCRAPERS) as readonly ScraperName[];

export const isBrowser = (scraper: ScraperName): boolean => SCRAPERS[scraper].engine === 'browser';
