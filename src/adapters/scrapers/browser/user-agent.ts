/** What `Emulation.setUserAgentOverride` takes. */
export interface AgentOverride {
  readonly userAgent: string;
  readonly acceptLanguage?: string;
  readonly platform?: string;
  readonly userAgentMetadata: {
    brands: { brand: string; version: string }[];
    fullVersionList: { brand: string; version: string }[];
    readonly platform: string;
    readonly platformVersion: string;
    readonly architecture: string;
    readonly model: string;
    readonly mobile: boolean;
  };
}

/** Name in client hints, name in `navigator.platform`, and where its version stands in a `User-Agent`. */
const SYSTEMS = [
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
 */
export function agentOverride(userAgent: string, locale: string | null): AgentOverride {
  const system = SYSTEMS.find(({ pattern }) => pattern.test(userAgent));
  const version = system?.pattern.exec(userAgent)?.[1]?.replaceAll('_', '.') ?? '';
  const [, full = '', major = ''] = /Chrom(?:e|ium)\/((\d+)[\d.]*)/.exec(userAgent) ?? [];
  const isChromium = major !== '';
  const brands = isChromium ? brandsOf(userAgent) : [];
  return {
    userAgent,
    ...(locale === null ? {} : { acceptLanguage: locale }),
    ...(system === undefined ? {} : { platform: system.platform }),
    userAgentMetadata: {
      brands: brands.map((brand) => ({ brand, version: major })).concat(isChromium ? [NO_BRAND] : []),
      fullVersionList: brands
        .map((brand) => ({ brand, version: full }))
        .concat(isChromium ? [{ ...NO_BRAND, version: `${NO_BRAND.version}.0.0.0` }] : []),
      platform: isChromium ? (system?.hint ?? '') : '',
      platformVersion: isChromium ? version : '',
      architecture: isChromium && !/Android|Mobile/.test(userAgent) ? 'x86' : '',
      model: isChromium ? (/Android [\d.]+; ([^;)]+?)(?: Build\/|[;)])/.exec(userAgent)?.[1] ?? '') : '',
      mobile: /Mobile/.test(userAgent),
    },
  };
}

/** Browsers name one that does not exist, so that nobody counts on the list. */
const NO_BRAND = { brand: 'Not_A Brand', version: '24' };

function brandsOf(userAgent: string): string[] {
  if (/Edg(?:A|iOS)?\//.test(userAgent)) return ['Chromium', 'Microsoft Edge'];
  return /OPR\//.test(userAgent) ? ['Chromium', 'Opera'] : ['Chromium', 'Google Chrome'];
}
