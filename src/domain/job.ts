/** The request of a caller, checked and frozen. docs/glossary.md defines the words used throughout the code. */
import type { MicroUnits } from '../base/numbers.ts';
import type { BrowserOptions } from './browser-options.ts';
import type { ProxyOptions } from './proxy.ts';
import type { ScraperOptions } from './scraper-options.ts';
import type { ScraperName } from './scrapers.ts';
import type { CookiePartition } from './storage-state.ts';

export const ROBOTS_MODES = ['ignore', 'report', 'respect'] as const;
export type RobotsMode = (typeof ROBOTS_MODES)[number];

/** What robots.txt said to a scrape that asked it. */
export interface RobotsResult {
  readonly mode: Exclude<RobotsMode, 'ignore'>;
  /** Of the file. */
  readonly url: string;
  /** As whom it was read. */
  readonly agent: string;
  /** null: it could not be read. */
  readonly allowed: boolean | null;
  /** The line that decided; null: none did. */
  readonly rule: string | null;
  readonly statusCode: number | null;
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

export const PROXY_TYPES = ['datacenter', 'residential', 'mobile', 'custom', 'none'] as const;
export type ProxyType = (typeof PROXY_TYPES)[number];

type BodyType = 'json' | 'form' | 'raw' | 'binary' | 'multipart';

/** Methods that may be repeated without asking; all others are sent once (contract §7). */
export function isRepeatable(method: Method): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** A cookie that the caller gave. Host-only unless it names a domain. */
export interface CallerCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string | null;
  /** It names a domain, and is not for the hosts below it. */
  readonly hostOnly?: true;
  /** Absent: it is for the pages of all sites. */
  readonly partition?: CookiePartition;
  readonly path: string | null;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'strict' | 'lax' | 'none' | null;
  /** Seconds since the epoch; null = a session cookie. */
  readonly expires: number | null;
}

export interface JobBody {
  readonly type: BodyType;
  readonly bytes: Uint8Array;
  /** The `Content-Type` to send when the caller's headers have none; null: send none. */
  readonly contentType: string | null;
}

/** The caller's own definition of success. Absent members ask for nothing. */
export interface AcceptCriteria {
  readonly status: readonly number[];
  readonly selector: string | null;
  readonly contains: string | null;
  readonly notContains: string | null;
  readonly minBytes: number;
  readonly jsonPath: string | null;
}

/** `scraper` or `scraper/proxy_type` of `order`, `only`, `ignore`. */
export interface StepPattern {
  readonly scraper: ScraperName;
  readonly proxyType: ProxyType | null;
}

/** What to prefer among the ways that can do a job. */
export const SORTS = ['balanced', 'cheapest', 'fastest', 'reliable'] as const;
export type Sort = (typeof SORTS)[number];

/** What `escalate_proxy` may name. */
export const POOLED_TYPES = ['datacenter', 'residential', 'mobile'] as const;
export type PooledType = (typeof POOLED_TYPES)[number];

export interface RouterOptions {
  readonly sort: Sort;
  /** Proxy types that may be gone on to, in this order. */
  readonly escalateProxy: readonly PooledType[];
  readonly order: readonly StepPattern[];
  readonly only: readonly StepPattern[];
  readonly ignore: readonly StepPattern[];
  readonly allowFallbacks: boolean;
  /** null: the default (3 with `auto`, 1 with a named scraper), so that the side-effect rule can tell. */
  readonly maxAttempts: number | null;
  readonly accept: AcceptCriteria | null;
  /** What a blocked page is answered with: 200 and the page, or 502 and the page. */
  readonly onBlocked: 'return' | 'fail';
  /** Ceiling over all attempts together; null: none. */
  readonly maxCost: MicroUnits | null;
  readonly robots: RobotsMode;
  readonly dryRun: boolean;
  readonly trace: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly retain: 'full' | 'metadata' | 'none';
}

export interface Job {
  /** WHATWG-serialised, `query` added, without credentials, with fragment. */
  readonly url: string;
  /** Host name (no port) of `url`, as serialised. */
  readonly host: string;
  readonly method: Method;
  /**
   * The caller's headers in the caller's order, names as written; one entry a value. Includes
   * `Authorization` made from credentials in the URL. Never `Cookie`: that is merged into `cookies`.
   */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly CallerCookie[];
  readonly body: JobBody | null;
  readonly timeoutMs: number;
  readonly allowRedirects: boolean;
  /** JSON pointers of the options that the request asks for and that not every scraper honours (contract §1). */
  readonly requested: readonly string[];
  /** What members of the request itself ask of a browser. */
  readonly browser: BrowserOptions;
  readonly scraper: ScraperName | 'auto';
  /** `scraper_options`. */
  readonly options: ScraperOptions;
  readonly proxyType: ProxyType;
  readonly proxy: ProxyOptions;
  readonly router: RouterOptions;
  /** The request as it came, secrets masked, as JSON text: for the record. Made when first asked for. */
  readonly requestJson: () => string;
}
