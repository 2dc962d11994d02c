import type { BrowserFamily, ImpersonateProfile } from '../../domain/browser-profiles.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import { toByteString } from '../../http-client/byte-string.ts';
import type { HttpRequest } from '../../http-client/request.ts';

/** What Chromium puts between the letters of the brand that is none, by version. */
const GREASE_MARKS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'] as const;
const GREASE_VERSIONS = ['8', '99', '24'] as const;
/** Where the brands that are none, of Chromium and of the browser stand, by version. */
const BRAND_ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/**
 * The value of `sec-ch-ua`. Chromium shuffles its brands and makes one of them up, by the number of the version alone
 * (user_agent_utils of Chromium; User-Agent Client Hints §6.2 asks for it).
 * @param brand of the browser beside Chromium's own
 */
export function brandList(brand: string, version: number): string {
  const made = `Not${GREASE_MARKS[version % GREASE_MARKS.length]}A${GREASE_MARKS[(version + 1) % GREASE_MARKS.length]}Brand`;
  const list = new Array<string>(3);
  const [none, engine, own] = BRAND_ORDERS[version % BRAND_ORDERS.length]!;
  list[none] = `"${made}";v="${GREASE_VERSIONS[version % GREASE_VERSIONS.length]}"`;
  list[engine] = `"Chromium";v="${version}"`;
  list[own] = `"${brand}";v="${version}"`;
  return list.join(', ');
}

/**
 * The fields of a navigation in the order in which a browser sends them, spelt as in HTTP/1.1. A value stands there
 * always; without one, only where the request brings it. `OTHER_FIELDS` is where fields go that the browser has no place for.
 */
type HeaderSlot = readonly [name: string, value: string | null];

const OTHER_FIELDS: HeaderSlot = ['', null];

interface HeaderOrders {
  readonly secure: readonly HeaderSlot[];
  /** The same where HTTP/1.1 is sure to be spoken. */
  readonly secureHttp1: readonly HeaderSlot[];
  /** Over http: less is said to what cannot be trusted. */
  readonly plain: readonly HeaderSlot[];
}

const WINDOWS_PLATFORM = 'Windows NT 10.0; Win64; x64';
const WEBKIT_VERSION = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
const ACCEPT_ENCODING_PLAIN = 'gzip, deflate';
const KEEP_ALIVE: HeaderSlot = ['Connection', 'keep-alive'];

const ordersByProfile = new Map<string, HeaderOrders>();

/** Made once for each profile. */
function headerOrdersOf(profile: ImpersonateProfile): HeaderOrders {
  let places = ordersByProfile.get(profile.name);
  if (places === undefined) {
    places = ORDERS_OF_FAMILY[profile.family](profile.version);
    ordersByProfile.set(profile.name, places);
  }
  return places;
}

const ORDERS_OF_FAMILY: Readonly<Record<BrowserFamily, (version: string) => HeaderOrders>> = {
  chrome: (version) => chromium('Google Chrome', version, ''),
  edge: (version) => chromium('Microsoft Edge', version, ` Edg/${version}.0.0.0`),
  firefox,
  safari: (version) => {
    const told = version.includes('.') ? version : `${version}.0`;
    const system = 'Macintosh; Intel Mac OS X 10_15_7';
    return safari(`Mozilla/5.0 (${system}) ${WEBKIT_VERSION} Version/${told} Safari/605.1.15`);
  },
  safari_ios: (version) => {
    const told = version.includes('.') ? version : `${version}.0`;
    // From 26.1 on Safari tells the last version of the system before the new numbers.
    const system = told === '26.0' ? '26_0' : '18_7';
    return safari(
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) ${WEBKIT_VERSION} Version/${told} Mobile/15E148 Safari/604.1`,
    );
  },
};

/** Measured on Chromium 156: navigations with and without a body, with cookies and with fields added. */
function chromium(brand: string, version: string, suffix: string): HeaderOrders {
  const agent = `Mozilla/5.0 (${WINDOWS_PLATFORM}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36${suffix}`;
  const accept =
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,' +
    'application/signed-exchange;v=b3;q=0.7';
  const make = (secure: boolean): HeaderSlot[] => {
    const only = (...places: HeaderSlot[]) => (secure ? places : []);
    return [
      ['Host', null],
      KEEP_ALIVE,
      ['Content-Length', null],
      ['Cache-Control', null],
      ...only(
        ['sec-ch-ua', brandList(brand, Number(version))],
        ['sec-ch-ua-mobile', '?0'],
        ['sec-ch-ua-platform', '"Windows"'],
      ),
      ['Upgrade-Insecure-Requests', '1'],
      ['Content-Type', null],
      ['User-Agent', agent],
      ['Origin', null],
      ['Authorization', null],
      OTHER_FIELDS,
      ['Accept', accept],
      ...only(
        ['Sec-Fetch-Site', 'none'],
        ['Sec-Fetch-Mode', 'navigate'],
        ['Sec-Fetch-User', '?1'],
        ['Sec-Fetch-Dest', 'document'],
      ),
      ['Referer', null],
      ['Accept-Encoding', secure ? ACCEPT_ENCODING : ACCEPT_ENCODING_PLAIN],
      ['Accept-Language', 'en-US,en;q=0.9'],
      ['Cookie', null],
      ...only(['Priority', 'u=0, i']),
    ];
  };
  const secure = make(true);
  return { secure, secureHttp1: secure.filter(([name]) => name !== 'Priority'), plain: make(false) };
}

/** Measured on Firefox 153: a navigation over HTTP/2, over HTTP/1.1 and in the clear. */
function firefox(version: string): HeaderOrders {
  const agent = `Mozilla/5.0 (${WINDOWS_PLATFORM}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
  // From 147 on the weights of languages are those of Chromium (Mozilla's bug 2000765).
  const language = `en-US,en;q=${Number(version) >= 147 ? 0.9 : 0.5}`;
  const make = (secure: boolean): HeaderSlot[] => {
    const only = (...places: HeaderSlot[]) => (secure ? places : []);
    return [
      ['Host', null],
      ['User-Agent', agent],
      ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['Accept-Language', language],
      ['Accept-Encoding', secure ? ACCEPT_ENCODING : ACCEPT_ENCODING_PLAIN],
      ['Content-Type', null],
      ['Content-Length', null],
      ['Origin', null],
      ['Authorization', null],
      OTHER_FIELDS,
      KEEP_ALIVE,
      ['Referer', null],
      ['Cookie', null],
      ['Upgrade-Insecure-Requests', '1'],
      ...only(
        ['Sec-Fetch-Dest', 'document'],
        ['Sec-Fetch-Mode', 'navigate'],
        ['Sec-Fetch-Site', 'none'],
        ['Sec-Fetch-User', '?1'],
      ),
      ['Priority', 'u=0, i'],
    ];
  };
  const secureHttp1 = make(true);
  return { secure: [...secureHttp1, ['TE', 'trailers']], secureHttp1, plain: make(false) };
}

function safari(agent: string): HeaderOrders {
  const accept: HeaderSlot = ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'];
  const language: HeaderSlot = ['Accept-Language', 'en-US,en;q=0.9'];
  const rest: readonly HeaderSlot[] = [
    ['Content-Type', null],
    ['Origin', null],
    ['Authorization', null],
    OTHER_FIELDS,
    ['Referer', null],
    ['Content-Length', null],
    ['Cookie', null],
  ];
  const secure: readonly HeaderSlot[] = [
    ['Host', null],
    ['Sec-Fetch-Dest', 'document'],
    ['User-Agent', agent],
    accept,
    ...rest,
    ['Sec-Fetch-Site', 'none'],
    ['Sec-Fetch-Mode', 'navigate'],
    language,
    ['Priority', 'u=0, i'],
    ['Accept-Encoding', 'gzip, deflate, br'],
    KEEP_ALIVE,
  ];
  return {
    secure,
    secureHttp1: secure,
    plain: [
      ['Host', null],
      ['Upgrade-Insecure-Requests', '1'],
      accept,
      ...rest,
      ['User-Agent', agent],
      language,
      ['Accept-Encoding', ACCEPT_ENCODING_PLAIN],
      KEEP_ALIVE,
    ],
  };
}

/**
 * The fields of a request as the browser would send them. A field of the caller's that the browser has a place for
 * stands there in place of the browser's own, spelt as the caller wrote it; all others go together, in the caller's
 * order, to where Chromium puts what is added to a navigation.
 */
export function browserHeaderFields(
  request: HttpRequest,
  profile: ImpersonateProfile,
  { userAgent, http2 }: Pick<ScraperOptions, 'userAgent' | 'http2'>,
  cookie: string | null,
): HeaderList {
  const { secure, secureHttp1, plain } = headerOrdersOf(profile);
  const places = request.url.protocol === 'http:' ? plain : http2 === false ? secureHttp1 : secure;
  const names = lowerNames(places);
  const given = fieldsOfRequest(request, userAgent, cookie).map((field) => ({
    field,
    name: field[0].toLowerCase(),
  }));
  const fields: [string, string][] = [];
  places.forEach((place, n) => {
    const before = fields.length;
    for (const { field, name } of given)
      if (place === OTHER_FIELDS ? !names.includes(name) : name === names[n]) fields.push(field);
    if (fields.length === before && place[1] !== null) fields.push([place[0], place[1]]);
  });
  return fields;
}

/** What the request brings, byte strings: the caller's fields, and those that its body and cookies make. */
function fieldsOfRequest(
  request: HttpRequest,
  userAgent: string | null,
  cookie: string | null,
): [string, string][] {
  const { headers, body, method, authorization } = request;
  const given: [string, string][] = [['Host', request.url.host]];
  for (const [name, value] of headers) given.push([name, toByteString(value)]);
  const has = (name: string) => headers.some(([one]) => one.toLowerCase() === name);
  if (userAgent !== null && !has('user-agent')) given.push(['User-Agent', toByteString(userAgent)]);
  if (authorization !== null) given.push(['Authorization', authorization]);
  if (cookie !== null) given.push(['Cookie', toByteString(cookie)]);
  if (body !== null) {
    if (body.contentType !== null && !has('content-type')) {
      given.push(['Content-Type', toByteString(body.contentType)]);
    }
    given.push(['Content-Length', String(body.bytes.length)]);
  } else if (method === 'POST' || method === 'PUT' || method === 'PATCH') {
    given.push(['Content-Length', '0']);
  }
  return given;
}

const lowerNamesCache = new WeakMap<readonly HeaderSlot[], readonly string[]>();

/** Of each profile once: this is done for every request. */
function lowerNames(places: readonly HeaderSlot[]): readonly string[] {
  let names = lowerNamesCache.get(places);
  if (names === undefined) {
    names = places.map(([name]) => name.toLowerCase());
    lowerNamesCache.set(places, names);
  }
  return names;
}
