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

/** The scrapers of this program. */
export type BuiltInScraper = keyof typeof SCRAPERS;
/** `vendor:<name>`: the paid service, or other scraping system, of that name in the file of vendors. */
export type VendorScraper = `vendor:${string}`;
export type ScraperName = BuiltInScraper | VendorScraper;
export const SCRAPER_NAMES = Object.keys(SCRAPERS) as readonly BuiltInScraper[];

const VENDOR_PREFIX = 'vendor:';
export const vendorScraper = (vendorName: string): VendorScraper => `vendor:${vendorName}`;
export const vendorName = (scraper: VendorScraper): string => scraper.slice(VENDOR_PREFIX.length);
export const isVendor = (scraper: ScraperName): scraper is VendorScraper => scraper.startsWith(VENDOR_PREFIX);

/** Whether it is a browser of this service. Whether a vendor uses one is the vendor's matter. */
export const isBrowser = (scraper: ScraperName): boolean =>
  !isVendor(scraper) && SCRAPERS[scraper].engine === 'browser';

/** The scraper of this name; null: there can be none. Whether there is such a vendor is known later. */
export function scraperNamed(text: string): ScraperName | null {
  if (VENDOR_NAME.test(text.slice(VENDOR_PREFIX.length)) && text.startsWith(VENDOR_PREFIX))
    return text as VendorScraper;
  return SCRAPER_NAMES.find((name) => name === text) ?? null;
}

/** Names of vendors. */
export const VENDOR_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
