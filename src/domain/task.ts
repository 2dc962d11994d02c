/** The request of a caller, checked and frozen. docs/glossary.md defines the words used throughout the code. */
import type { MicroUnits } from '../base/numbers.ts';
import type { BrowserOptions } from './browser-options.ts';
import type { LinkSource } from './found-links.ts';
import type { CompareTo } from './monitors.ts';
import type { AskedNotify } from './notifications.ts';
import type { ProxyOptions } from './proxy.ts';
import type { ScraperOptions } from './scraper-options.ts';
import type { ScraperName } from './scrapers.ts';
import type { CookiePartition } from './storage-state.ts';
import type { TemplateReference } from './template.ts';
import type { WebhookMembers } from './webhooks.ts';

export const ROBOTS_MODES = ['ignore', 'report', 'respect'] as const;
export type RobotsMode = (typeof ROBOTS_MODES)[number];

/** What robots.txt says about the URL of a scrape. */
export interface RobotsResult {
  readonly mode: Exclude<RobotsMode, 'ignore'>;
  /** URL of the robots.txt. */
  readonly url: string;
  /** The product token whose rules apply (RFC 9309 §2.2.1). */
  readonly agent: string;
  /** null: the robots.txt could not be read. */
  readonly allowed: boolean | null;
  /** The line that matched the URL; null: none did. */
  readonly rule: string | null;
  readonly statusCode: number | null;
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

export const PROXY_TYPES = ['datacenter', 'residential', 'mobile', 'custom', 'none'] as const;
export type ProxyType = (typeof PROXY_TYPES)[number];

type BodyType = 'json' | 'form' | 'raw' | 'binary' | 'multipart';

/** Whether a request may be sent again without the caller's consent. Other methods are sent once (contract §7). */
export function isRepeatable(method: Method): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** A cookie of the request. If `domain` is null, it is sent only to the host of the URL. */
export interface CallerCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string | null;
  /** The cookie is for `domain`, but not for its subdomains. */
  readonly hostOnly?: true;
  /** Absent: the cookie is not partitioned. */
  readonly partition?: CookiePartition;
  readonly path: string | null;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'strict' | 'lax' | 'none' | null;
  /** Seconds since the epoch; null = a session cookie. */
  readonly expires: number | null;
}

export interface TaskBody {
  readonly type: BodyType;
  readonly bytes: Uint8Array;
  /** The `Content-Type` to send if the caller's headers have none; null: send none. */
  readonly contentType: string | null;
}

/** The caller's conditions for a page to count as a success; null, an empty list and 0 are no condition. */
export interface AcceptCriteria {
  readonly status: readonly number[];
  readonly selector: string | null;
  readonly contains: string | null;
  readonly notContains: string | null;
  readonly minBytes: number;
  readonly jsonPath: string | null;
}

/** An entry of `router.order`, `only` or `ignore`: `scraper` or `scraper/proxy_type`. */
export interface StepPattern {
  readonly scraper: ScraperName;
  readonly proxyType: ProxyType | null;
}

/** How the router ranks the routes that can do a task. */
export const SORTS = ['balanced', 'cheapest', 'fastest', 'reliable'] as const;
export type Sort = (typeof SORTS)[number];

/** Proxy types whose proxies the operator configures in pools; also the values of `escalate_proxy`. */
export const POOLED_TYPES = ['datacenter', 'residential', 'mobile'] as const;
export type PooledType = (typeof POOLED_TYPES)[number];

export interface RouterOptions {
  readonly sort: Sort;
  /** Proxy types to try after a block, in this order. */
  readonly escalateProxy: readonly PooledType[];
  readonly order: readonly StepPattern[];
  readonly only: readonly StepPattern[];
  readonly ignore: readonly StepPattern[];
  readonly allowFallbacks: boolean;
  /**
   * null: not set; then 3 with `auto`, and 1 with a named scraper. A number that the caller set also permits to repeat
   * methods such as POST (contract §7).
   */
  readonly maxAttempts: number | null;
  readonly accept: AcceptCriteria | null;
  /** Status of the answer with a blocked page: 200 (`return`) or 502 (`fail`). */
  readonly onBlocked: 'return' | 'fail';
  /** Ceiling over all attempts together; null: none. */
  readonly maxCost: MicroUnits | null;
  /** Vendors get the caller's credentials: cookies, `Authorization`, storage state. */
  readonly forwardCredentials: boolean;
  readonly robots: RobotsMode;
  readonly dryRun: boolean;
  readonly trace: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly retain: 'full' | 'metadata' | 'none';
  /** For asynchronous scrapes; null: not set. */
  readonly webhook: WebhookMembers | null;
  /** For asynchronous scrapes; null: not set. */
  readonly notify: AskedNotify | null;
  /** null: the page is not compared. */
  readonly compareTo: CompareTo | null;
}

export interface Task {
  /** Serialised (WHATWG URL), with the parameters of `query` and the fragment, without credentials. */
  readonly url: string;
  /** Host name (no port) of `url`, as serialised. */
  readonly host: string;
  readonly method: Method;
  /**
   * In the caller's order and spelling, one entry for each value. Credentials in the URL are here as `Authorization`;
   * a `Cookie` header is not here, but in `cookies`.
   */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly CallerCookie[];
  readonly body: TaskBody | null;
  /**
   * The request came through the proxy port: the scraper `http` sends no `User-Agent`, `Accept` and `Accept-Encoding` that the
   * client has not set, and the body of the page is kept as it was received.
   */
  readonly isProxied: boolean;
  /** Another Sluice sent the request: no third one is asked, so that two that name each other do not ask for ever. */
  readonly isRelayed: boolean;
  readonly timeoutMs: number;
  readonly allowRedirects: boolean;
  /** JSON pointers of the options in the request that not every scraper honours (contract §1). */
  readonly requested: readonly string[];
  /** The options for browsers at the top level of the request. */
  readonly browser: BrowserOptions;
  readonly scraper: ScraperName | 'auto';
  /** `scraper_options`. */
  readonly options: ScraperOptions;
  /** The template that the rules of `options.extract` come from; null: from none. */
  readonly template: TemplateReference | null;
  readonly proxyType: ProxyType;
  readonly proxy: ProxyOptions;
  readonly router: RouterOptions;
  /** What a crawl or a map needs of the page besides what the caller asked for; null: nothing. */
  readonly finds: LinkSource | null;
  /**
   * The request as received, as JSON text with masked secrets, for the record.
   * @param plainFields see `Page.plainFields`
   */
  readonly requestJson: (plainFields?: readonly string[]) => string;
}
