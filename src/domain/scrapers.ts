/** What a scraper costs, for choosing if no prices are configured. The unit is a plain fetch from a datacenter address. */
export interface Effort {
  /** Cost of an attempt that gets the page. */
  readonly units: number;
  /** Cost of a failing attempt, as a share of `units`. */
  readonly failShare: number;
  /** Usual duration of an attempt. */
  readonly seconds: number;
}

/** `browser` also runs the scripts of a page. */
export type ScraperEngine = 'http' | 'browser';

interface ScraperFacts {
  readonly engine: ScraperEngine;
  /** Supports every method of the request, such as HEAD and OPTIONS. */
  readonly allMethods: boolean;
  /** Can send a body with GET. */
  readonly bodyOnGet: boolean;
  /** Is an HTTP client that imitates the TLS and HTTP/2 fingerprint of a browser. */
  readonly impersonates: boolean;
  /** How much it looks like a browser: 0: not at all; 1: its connections do; 2: it runs scripts; 3: it also hides automation. */
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
