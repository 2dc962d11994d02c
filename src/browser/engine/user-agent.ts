import type { BrowserType } from './found-browser.ts';
import type { PipeTransport } from './pipe-transport.ts';

/** What `Emulation.setUserAgentOverride` takes. */
export interface UserAgentOverride {
  readonly userAgent: string;
  readonly acceptLanguage?: string;
  readonly platform?: string;
  readonly userAgentMetadata: {
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

/** What a browser with windows says that it is. */
export interface BrowserIdentity {
  readonly userAgent: string;
  /** All four numbers. */
  readonly version: string;
  /** In client hints, beside Chromium; null: it is Chromium itself. */
  readonly brand: string | null;
}

const BRAND_NAMES: Readonly<Partial<Record<BrowserType, string>>> = {
  chrome: 'Google Chrome',
  msedge: 'Microsoft Edge',
};

/** Browsers without windows say `HeadlessChrome`; these are the words of the same version with windows. */
export function browserIdentity(
  type: BrowserType,
  version: string,
  platform: NodeJS.Platform = process.platform,
): BrowserIdentity {
  // Chromium tells no more than the first number, and the same systems everywhere (User-Agent reduction).
  const system = platform === 'darwin' ? 'Macintosh; Intel Mac OS X 10_15_7' : 'X11; Linux x86_64';
  const reduced = `${majorVersion(version)}.0.0.0`;
  const edge = type === 'msedge' ? ` Edg/${reduced}` : '';
  return {
    userAgent: `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${reduced} Safari/537.36${edge}`,
    version,
    brand: BRAND_NAMES[type] ?? null,
  };
}

const majorVersion = (version: string): string => version.split('.', 1)[0]!;

/** Name in client hints, name in `navigator.platform`, and where its version stands in a `User-Agent`. */
const PLATFORMS = [
  { hint: 'Windows', platform: 'Win32', pattern: /Windows NT ([\d.]+)/ },
  { hint: 'iOS', platform: 'iPhone', pattern: /iPhone(?:.*? OS ([\d_]+))?/ },
  { hint: 'iOS', platform: 'iPad', pattern: /iPad(?:.*? OS ([\d_]+))?/ },
  { hint: 'Android', platform: 'Linux armv81', pattern: /Android(?: ([\d.]+))?/ },
  { hint: 'macOS', platform: 'MacIntel', pattern: /Mac OS X ([\d_.]+)/ },
  { hint: 'Chrome OS', platform: 'Linux x86_64', pattern: /CrOS \S+ ([\d.]+)/ },
  { hint: 'Linux', platform: 'Linux x86_64', pattern: /Linux()/ },
] as const;

/**
 * What a page is told by scripts and by client hints (WICG User-Agent Client Hints), so that it fits the given
 * `User-Agent`. Of browsers that are no Chromium, which send no hints, they are empty.
 * @param own of the browser: where the `User-Agent` is its own, its brand and full version are told
 */
export function createUserAgentOverride(
  userAgent: string,
  locale: string | null,
  own: BrowserIdentity | null,
): UserAgentOverride {
  const system = PLATFORMS.find(({ pattern }) => pattern.test(userAgent));
  const version = system?.pattern.exec(userAgent)?.[1]?.replaceAll('_', '.') ?? '';
  const [, full = '', major = ''] = /Chrom(?:e|ium)\/((\d+)[\d.]*)/.exec(userAgent) ?? [];
  const isChromium = major !== '';
  const isOwn = own !== null && userAgent === own.userAgent;
  const brand = isOwn ? own.brand : brandName(userAgent);
  const brands = (version: string, suffix: string) =>
    isChromium ? brandVersions(Number(major), brand, version, suffix) : [];
  const isMobile = /Android|Mobile/.test(userAgent);
  return {
    userAgent,
    ...(locale === null ? {} : { acceptLanguage: locale }),
    ...(system === undefined ? {} : { platform: system.platform }),
    userAgentMetadata: {
      brands: brands(major, ''),
      fullVersionList: brands(isOwn ? own.version : full, '.0.0.0'),
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
/** Where the made-up brand, Chromium and the brand stand. */
const ORDERS_OF_3 = ['012', '021', '102', '120', '201', '210'] as const;
const ORDERS_OF_2 = ['01', '10'] as const;

/**
 * Chromium lists a brand that does not exist among the others, so that nobody counts on the list; its name and the order depend on
 * the first number of the version.
 * @param suffix of the version of the brand that does not exist
 */
function brandVersions(major: number, brand: string | null, version: string, suffix: string) {
  const mark = (at: number) => GREASE_MARKS[at % GREASE_MARKS.length];
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
  for (const [at, one] of all.entries()) sorted[Number(order[at])] = one;
  return sorted;
}

interface OverrideMessage {
  readonly method?: string;
  readonly params?: { readonly userAgent: string; readonly acceptLanguage?: string };
}

interface VersionReply {
  readonly result?: { readonly protocolVersion?: string; userAgent?: string };
}

/**
 * Playwright tells each page, frame and worker its user agent, without the brands of client hints: those would still
 * say `HeadlessChrome`. The transport completes these messages. It also gives the browser's user agent its `Headless` back where
 * Playwright asks for it: Playwright knows from it that there are no windows.
 */
export function withIdentity(
  transport: PipeTransport,
  identity: BrowserIdentity,
  headless: boolean,
): PipeTransport {
  const outer: PipeTransport = {
    send(message) {
      const { method, params } = message as OverrideMessage;
      if (method !== 'Emulation.setUserAgentOverride' || params === undefined) return transport.send(message);
      const override = createUserAgentOverride(params.userAgent, params.acceptLanguage ?? null, identity);
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
