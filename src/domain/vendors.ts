import type { TObject } from 'typebox';
import type { MicroUnits } from '../base/numbers.ts';
import { DEFAULT_PROXY_OPTIONS } from './proxy.ts';
import { honours, SCRAPER_OPTIONS } from './scraper-options.ts';
import { SCRAPER_NAMES, type VendorScraper } from './scrapers.ts';
import type { Method, PooledType, ProxyType, Task } from './task.ts';

/** The APIs that `SLUICE_VENDORS` can name. `http` is described by the operator. */
export const VENDOR_KINDS = [
  'zyte',
  'scrapfly',
  'scrapingbee',
  'scraperapi',
  'zenrows',
  'scrapedo',
  'brightdata',
  'oxylabs',
  'firecrawl',
  'browserless',
  'flaresolverr',
  'sluice',
  'http',
] as const;
export type VendorKind = (typeof VENDOR_KINDS)[number];

/** `details.reason` of `vendor.failed`. */
export const VENDOR_REASONS = [
  'auth',
  'credits',
  'throttled',
  'timeout',
  'blocked',
  'protocol',
  'unsupported',
] as const;
export type VendorReason = (typeof VENDOR_REASONS)[number];

/** What a request costs, in micro-units. At most one of the three is set; all null: the price is not known. */
export interface VendorPrice {
  readonly perRequest: MicroUnits | null;
  /** Of a request that the vendor charges for. */
  readonly perSuccess: MicroUnits | null;
  readonly perCredit: MicroUnits | null;
}

/** What a vendor is paid for: each attempt, each page, or each page by the credits that it took. */
export type VendorPayment = 'request' | 'success' | 'credits';

/** An entry of the file of vendors. */
export interface VendorSettings {
  readonly name: string;
  readonly kind: VendorKind;
  /** A secret. null: the kind needs none. */
  readonly key: string | null;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** `auto` may use it. */
  readonly auto: boolean;
  /** Requests at once, over all replicas; null: no limit. */
  readonly concurrency: number | null;
  readonly price: VendorPrice;
  /** What the account pays for. */
  readonly proxyTypes: readonly PooledType[];
  /** Most that may be spent in a day (UTC); null: no limit. */
  readonly dailyCap: MicroUnits | null;
  /** Checked by the schema of the kind. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What the file of vendors may say about a kind. */
export interface VendorKindRules {
  /** null: the operator must set `base_url`. */
  readonly baseUrl: string | null;
  readonly needsKey: boolean;
  /** What accounts usually have. */
  readonly proxyTypes: readonly PooledType[];
  /** Only the operator knows what kind of exits it has. Absent: it has only the `proxyTypes`. */
  readonly anyProxyType?: true;
  /** Of the member `options`. */
  readonly options: TObject;
  /** What is wrong with options that match the schema, by their names. */
  problem?(options: Readonly<Record<string, unknown>>): string | null;
}

/** Where the cost of an attempt comes from: the vendor said it, it follows from the operator's prices, or nobody knows. */
export type CostSource = 'reported' | 'estimated' | 'unknown';

/** What a vendor said about its work: `scraper_data.vendor` in answers. */
export interface VendorUse {
  readonly name: string;
  readonly kind: VendorKind;
  readonly requestId: string | null;
  readonly credits: number | null;
  /** null: unknown. */
  readonly cost: MicroUnits | null;
  readonly costSource: CostSource;
  /** The cost in units of effort; null: unknown. */
  readonly effort: number | null;
}

/** A request to a vendor that has ended. */
export interface VendorCallFacts {
  /** Name in the file of vendors. */
  readonly vendor: string;
  readonly result: 'ok' | 'cancelled' | VendorReason;
  readonly ms: number;
  /** null: unknown. */
  readonly cost: MicroUnits | null;
  /** null: the vendor does not tell. */
  readonly credits: number | null;
}

/** What the API of a vendor can do. */
export interface VendorCapabilities {
  /** Runs the scripts of pages. */
  readonly renders: boolean;
  readonly methods: readonly Method[];
  /** Sends the caller's headers to the target. */
  readonly headers: boolean;
  readonly cookies: boolean;
  readonly country: boolean;
  readonly session: boolean;
  /** Can be told not to follow redirects. */
  readonly noRedirects: boolean;
  /** Pointers of further members of the request. */
  readonly members: ReadonlySet<string>;
}

/** What a Sluice is called in `Via` (RFC 9110 §7.6.3) of requests to another one. */
export const VIA_NAME = 'sluice';

/** A vendor that failed, and has returned no page since. */
export interface VendorOutage {
  readonly reason: VendorReason;
  /** ms since the epoch. */
  readonly since: number;
  /** When it may be used again, also if that is over. ms since the epoch. */
  readonly until: number;
}

/** What the router knows of a vendor. */
export interface VendorFacts {
  readonly scraper: VendorScraper;
  readonly auto: boolean;
  /** It is another Sluice. */
  readonly isSluice: boolean;
  readonly proxyTypes: readonly PooledType[];
  readonly capabilities: VendorCapabilities;
  /** Units of effort of a page, for `auto`. */
  readonly effort: number;
  readonly paidBy: VendorPayment;
  /** Of a page; null: not known, or it depends on the request. */
  readonly usualPrice: MicroUnits | null;
  /** The most that an attempt may cost; null: not known. */
  price(task: Task, proxyType: ProxyType): MicroUnits | null;
  /** Why it is left alone now, such as an empty account; null: it is not. */
  resting(): VendorReason | null;
  /** Why and since when it was left alone, with no page since, even if it may be used again; null: it was not. */
  outage(): VendorOutage | null;
  /** The usual duration of an attempt, as learned, without the wait for a slot. */
  seconds(): number;
  /** How long an attempt would wait now, because all slots of the account are taken; 0: a slot is free. */
  waitSeconds(): number;
  /** Whether an attempt by it runs in this process. */
  isUsed(): boolean;
  /** Whether the daily cap is reached. */
  isSpent(): boolean;
}

const URL_MEMBER = '/url';

/** The JSON Pointer of a member of the request that the vendor cannot honour; null: it can do the task. */
export function unsupportedByVendor(task: Task, vendor: VendorCapabilities): string | null {
  const { method, headers, cookies, body, allowRedirects, isProxied, proxy, options } = task;
  const unsupported: readonly (readonly [is: boolean, pointer: string])[] = [
    [isProxied, URL_MEMBER],
    [!vendor.methods.includes(method), '/method'],
    [body !== null && (method === 'GET' || method === 'HEAD'), '/data'],
    [headers.length > 0 && !vendor.headers, '/headers'],
    [cookies.length > 0 && !vendor.cookies, '/cookies'],
    [proxy.country !== null && !vendor.country, '/proxy/country'],
    [proxy.session !== null && !vendor.session, '/proxy/session'],
    [proxy.pool !== null, '/proxy/pool'],
    [proxy.region !== null, '/proxy/region'],
    [proxy.city !== null, '/proxy/city'],
    [proxy.bypass.length > 0, '/proxy/bypass'],
    [proxy.rotate !== DEFAULT_PROXY_OPTIONS.rotate, '/proxy/rotate'],
    [proxy.sessionTtlMs !== DEFAULT_PROXY_OPTIONS.sessionTtlMs, '/proxy/session_ttl_s'],
    [!allowRedirects && !vendor.noRedirects, '/allow_redirects'],
    [!options.verifyTls, '/scraper_options/verify_tls'],
    [options.maxRedirects !== SCRAPER_OPTIONS.max_redirects.default, '/scraper_options/max_redirects'],
    [options.userAgent !== null && !vendor.headers, '/scraper_options/user_agent'],
  ];
  const found = unsupported.find(([is]) => is)?.[1];
  return found ?? task.requested.find((pointer) => !vendor.members.has(pointer)) ?? null;
}

/** Whether the vendor honours a member of `scraper_options`. What is read from the page is read by this program. */
export function vendorHonours({ headers, members }: VendorCapabilities, option: string): boolean {
  if (option === 'verify_tls' || option === 'max_redirects') return false;
  if (option === 'user_agent') return headers;
  const pointer = `/scraper_options/${option}`;
  return members.has(pointer) || SCRAPER_NAMES.every((scraper) => honours(scraper, pointer));
}

const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Whether the request has credentials of the caller, which a vendor gets only with `forward_credentials`. */
export const hasCredentials = ({ headers, cookies, options }: Task): boolean =>
  cookies.length > 0 ||
  options.storageState !== null ||
  options.profile !== null ||
  headers.some(([name]) => CREDENTIAL_HEADERS.has(name.toLowerCase()));
