import type { ScraperName } from '../domain/job.ts';

export interface Capability {
  readonly engine: 'http' | 'browser';
  /** Honours the browser-only members of a request. */
  readonly browserFields: boolean;
  /** Takes HEAD and OPTIONS. */
  readonly allMethods: boolean;
  /** Sends a body with GET, and any body by `data`. */
  readonly bodyOnGet: boolean;
  /** What a target sees of it: see `Way.fingerprint`. */
  readonly fingerprint: 0 | 1 | 2 | 3;
  /** Honours `scraper_options.impersonate`. */
  readonly impersonates: boolean;
  /** Cheaper first; the order in which `auto` thinks of them. */
  readonly rank: number;
}

const HTTP = {
  engine: 'http',
  browserFields: false,
  allMethods: true,
  bodyOnGet: true,
  impersonates: false,
} as const;
const BROWSER = {
  engine: 'browser',
  browserFields: true,
  allMethods: false,
  bodyOnGet: false,
  impersonates: false,
} as const;

/** Scraper × what it can do: choosing is reading this table. */
export const CAPABILITIES: Readonly<Record<ScraperName, Capability>> = {
  http: { ...HTTP, fingerprint: 0, rank: 0 },
  http_impersonate: { ...HTTP, impersonates: true, fingerprint: 1, rank: 1 },
  browser: { ...BROWSER, fingerprint: 2, rank: 2 },
  browser_stealth: { ...BROWSER, fingerprint: 3, rank: 3 },
};
