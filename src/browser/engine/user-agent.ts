import type { BrowserType } from '../../domain/browser-options.ts';
import type { FoundBrowser } from './found-browser.ts';
import type { PipeTransport } from './pipe-transport.ts';

/** Parameters of `Emulation.setUserAgentOverride`. */
export interface UserAgentOverride {
  readonly userAgent: string;
  /** In the order of preference: `de-CH,de,en-US,en`. The browser adds the weights in `Accept-Language`. */
  readonly acceptLanguage?: string;
  readonly platform?: string;
  readonly userAgentMetadata: {
    /** Deprecated for `fullVersionList`, and still `uaFullVersion` of `getHighEntropyValues()`. */
    readonly fullVersion: string;
    /** Of `Sec-CH-UA-Form-Factors`. */
    readonly formFactors: string[];
    brands: { brand: string; version: string }[];
    fullVersionList: { brand: string; version: string }[];
    readonly platform: string;
    readonly platformVersion: string;
    readonly architecture: string;
    readonly bitness: string;
    readonly model: string;
    readonly mobile: boolean;
  };
}

/** What a browser with windows sends as user agent and client hints. */
export interface BrowserIdentity {
  readonly userAgent: string;
  /** All four numbers: `153.0.8010.0`. */
  readonly version: string;
  /** The brand in client hints besides Chromium; null: it is Chromium itself. */
  readonly brand: string | null;
  /** It sends American English by itself, as the last field of a request. */
  readonly hasLanguages: boolean;
}

const BRAND_NAMES: Readonly<Partial<Record<BrowserType, string>>> = {
  chrome: 'Google Chrome',
  msedge: 'Microsoft Edge',
};

/** What is known of a browser. Of remote ones it is less. */
export type KnownBrowser = Pick<FoundBrowser, 'type' | 'version'> &
  Partial<Pick<FoundBrowser, 'headlessShell' | 'source'>>;

/**
 * What a found browser says. Headless shells have no languages; a configured or remote browser may be one under another name.
 */
export const identityOf = (
  { type, version, headlessShell, source }: KnownBrowser,
  headless: boolean,
): BrowserIdentity => ({
  ...browserIdentity(type, version ?? ''),
  hasLanguages: !headless || (headlessShell === false && source !== 'configured'),
});

/** The identity of the same version with windows: a headless browser would call itself `HeadlessChrome`. */
export function browserIdentity(
  type: BrowserType,
  version: string,
  platform: NodeJS.Platform = process.platform,
): BrowserIdentity {
  // User-Agent reduction: Chromium sends only its major version, and one fixed version of each operating system.
  const system = platform === 'darwin' ? 'Macintosh; Intel Mac OS X 10_15_7' : 'X11; Linux x86_64';
  const reduced = `${majorVersion(version)}.0.0.0`;
  const edge = type === 'msedge' ? ` Edg/${reduced}` : '';
  return {
    userAgent: `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${reduced} Safari/537.36${edge}`,
    version,
    brand: BRAND_NAMES[type] ?? null,
    hasLanguages: false,
  };
}

const majorVersion = (version: string): string => version.split('.', 1)[0]!;

/**
 * Operating systems: `hint` is the name in client hints, `platform` that in `navigator.platform`, `pattern` finds the version
 * in a `User-Agent`. The first match counts. `armv81`, with the digit one, is what Chrome on Android reports.
 */
const PLATFORMS = [
  { hint: 'Windows', platform: 'Win32', pattern: /Windows NT ([\d.]+)/ },
  { hint: 'iOS', platform: 'iPhone', pattern: /iPhone(?:.*? OS ([\d_]+))?/ },
  { hint: 'iOS', platform: 'iPad', pattern: /iPad(?:.*? OS ([\d_]+))?/ },
  { hint: 'Android', platform: 'Linux armv81', pattern: /Android(?: ([\d.]+))?/ },
  { hint: 'macOS', platform: 'MacIntel', pattern: /Mac OS X ([\d_.]+)/ },
  { hint: 'Chrome OS', platform: 'Linux x86_64', pattern: /CrOS \S+ ([\d.]+)/ },
  { hint: 'Linux', platform: 'Linux x86_64', pattern: /Linux()/ },
] as const;

/** Of Chromium in American English. */
const DEFAULT_LANGUAGES = 'en-US,en';

/**
 * What a browser in the language of the caller prefers, as `acceptLanguage` of `UserAgentOverride`.
 * @param locale a language tag: with its language, and English last, as in translations of Chromium (`IDS_ACCEPT_LANGUAGES`)
 * @param header `Accept-Language` of the caller (RFC 9110 §12.5.4), which counts if there is no locale
 * @returns null: the caller wants none
 */
export function preferredLanguages(locale: string | null, header: string | null = null): string | null {
  if (locale !== null) {
    const language = locale.split('-', 1)[0]!;
    return [...new Set([locale, ...(language === 'en' ? [] : [language]), 'en-US', 'en'])].join(',');
  }
  const weighted = (header ?? '').split(',').map((part) => {
    const [tag, weight] = part.split(';', 2).map((one) => one.trim());
    const given = /^q\s*=\s*([\d.]+)$/i.exec(weight ?? '')?.[1];
    return { tag: tag!, weight: given === undefined ? 1 : Number(given) };
  });
  const tags = weighted
    .filter(({ tag, weight }) => LANGUAGE_TAG.test(tag) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
  return tags.length === 0 ? null : [...new Set(tags)].join(',');
}

const LANGUAGE_TAG = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i;

interface UserAgentSource {
  /** See `acceptLanguage` of `UserAgentOverride`; null: American English. */
  readonly languages?: string | null;
  /** The browser's identity. Its brand and full version are used if the `User-Agent` is the browser's own. */
  readonly identity?: BrowserIdentity | null;
}

/**
 * The `navigator` members and client hints (WICG User-Agent Client Hints) that match a `User-Agent`. The hints are empty if the
 * `User-Agent` is not that of a Chromium: other browsers send none.
 */
export function createUserAgentOverride(
  userAgent: string,
  { languages = null, identity = null }: UserAgentSource = {},
): UserAgentOverride {
  const system = PLATFORMS.find(({ pattern }) => pattern.test(userAgent));
  const version = system?.pattern.exec(userAgent)?.[1]?.replaceAll('_', '.') ?? '';
  const [, full = '', major = ''] = /Chrom(?:e|ium)\/((\d+)[\d.]*)/.exec(userAgent) ?? [];
  const isChromium = major !== '';
  const isOwn = identity !== null && userAgent === identity.userAgent;
  const brand = isOwn ? identity.brand : brandName(userAgent);
  const brands = (version: string, suffix: string) =>
    isChromium ? brandVersions(Number(major), brand, version, suffix) : [];
  const isMobile = /Android|Mobile/.test(userAgent);
  const formFactor = /Mobile/.test(userAgent) ? 'Mobile' : isMobile ? 'Tablet' : 'Desktop';
  return {
    userAgent,
    // Written by the browser itself, the field has its usual place.
    ...(languages === null && identity?.hasLanguages === true
      ? {}
      : { acceptLanguage: languages ?? DEFAULT_LANGUAGES }),
    ...(system === undefined ? {} : { platform: system.platform }),
    userAgentMetadata: {
      fullVersion: isOwn ? identity.version : full,
      formFactors: isChromium ? [formFactor] : [],
      brands: brands(major, ''),
      fullVersionList: brands(isOwn ? identity.version : full, '.0.0.0'),
      platform: isChromium ? (system?.hint ?? '') : '',
      platformVersion: isChromium ? version : '',
      architecture: !isChromium || isMobile ? '' : isOwn && process.arch === 'arm64' ? 'arm' : 'x86',
      bitness: isChromium && !isMobile ? '64' : '',
      model: isChromium ? (/Android [\d.]+; ([^;)]+?)(?: Build\/|[;)])/.exec(userAgent)?.[1] ?? '') : '',
      mobile: /Mobile/.test(userAgent),
    },
  };
}

function brandName(userAgent: string): string {
  if (/Edg(?:A|iOS)?\//.test(userAgent)) return 'Microsoft Edge';
  return /OPR\//.test(userAgent) ? 'Opera' : 'Google Chrome';
}

const GREASE_MARKS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'] as const;
const GREASE_VERSIONS = ['8', '99', '24'] as const;
/** Positions of the invented brand, Chromium, and the brand of the product in the list. */
const ORDERS_OF_3 = ['012', '021', '102', '120', '201', '210'] as const;
const ORDERS_OF_2 = ['01', '10'] as const;

/**
 * The list of brands in client hints. Chromium adds an invented one, so that servers do not rely on a fixed list. Its name and
 * the order depend on the major version (GREASE in User-Agent Client Hints).
 * @param suffix of the version of the invented brand
 */
function brandVersions(major: number, brand: string | null, version: string, suffix: string) {
  const mark = (index: number) => GREASE_MARKS[index % GREASE_MARKS.length];
  const all = [
    {
      brand: `Not${mark(major)}A${mark(major + 1)}Brand`,
      version: `${GREASE_VERSIONS[major % GREASE_VERSIONS.length]}${suffix}`,
    },
    { brand: 'Chromium', version },
    ...(brand === null ? [] : [{ brand, version }]),
  ];
  const orders = brand === null ? ORDERS_OF_2 : ORDERS_OF_3;
  const order = orders[major % orders.length]!;
  const sorted = all.slice();
  for (const [index, entry] of all.entries()) sorted[Number(order[index])] = entry;
  return sorted;
}

interface OverrideMessage {
  readonly method?: string;
  readonly params?: {
    readonly userAgent: string;
    readonly acceptLanguage?: string;
    readonly locale?: string;
  };
}

interface VersionReply {
  readonly result?: { readonly protocolVersion?: string; userAgent?: string };
}

/**
 * Playwright overrides the user agent of each page, frame and worker, but not the brands of client hints, which would still be
 * `HeadlessChrome`. This transport adds the brands of `identity`, and languages. It also puts `Headless` into the user agent
 * that Playwright reads from the browser, because Playwright uses it to detect that there are no windows.
 */
export function withIdentity(
  transport: PipeTransport,
  identity: BrowserIdentity,
  headless: boolean,
): PipeTransport {
  const outer: PipeTransport = {
    send(message) {
      const { method, params } = message as OverrideMessage;
      // A list of languages (`listForPlaywright`) is no language of numbers and dates.
      if (method === 'Emulation.setLocaleOverride' && params?.locale?.includes(',') === true)
        return transport.send({ ...message, params: {} });
      if (method !== 'Emulation.setUserAgentOverride' || params === undefined) return transport.send(message);
      const { acceptLanguage = null } = params;
      const isList = acceptLanguage?.includes(',') === true;
      const override = createUserAgentOverride(params.userAgent, {
        languages: isList ? acceptLanguage.replace(/,$/, '') : preferredLanguages(acceptLanguage),
        identity,
      });
      transport.send({ ...message, params: override });
    },
    close: () => transport.close(),
  };
  transport.onmessage = (message) => {
    const { result } = message as VersionReply;
    if (headless && result?.protocolVersion !== undefined)
      result.userAgent = identity.userAgent.replace(' Chrome/', ' HeadlessChrome/');
    outer.onmessage?.(message);
  };
  transport.onclose = (reason) => outer.onclose?.(reason);
  return outer;
}
