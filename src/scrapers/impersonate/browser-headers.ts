import type { BrowserFamily, ImpersonateProfile } from '../../domain/browser-profiles.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import type { ScraperOptions } from '../../domain/scraper-options.ts';
import { toByteString } from '../../http-client/byte-string.ts';
import type { HttpRequest } from '../../http-client/request.ts';

/** The characters that Chromium puts into its invented brand (GREASE); the version number, modulo the length, selects them. */
const GREASE_MARKS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'] as const;
const GREASE_VERSIONS = ['8', '99', '24'] as const;
/** Positions of the invented brand, of Chromium's and of the browser's; selected by the version in the same way. */
const BRAND_ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/**
 * The value of `sec-ch-ua`. Chromium shuffles its brands and adds an invented one, depending on the version alone
 * (user_agent_utils of Chromium; User-Agent Client Hints §6.2).
 * @param brand of the browser, besides Chromium's own
 */
export function brandList(brand: string, version: number): string {
  const greaseBrand = `Not${GREASE_MARKS[version % GREASE_MARKS.length]}A${GREASE_MARKS[(version + 1) % GREASE_MARKS.length]}Brand`;
  const list = new Array<string>(3);
  const [greaseAt, chromiumAt, browserAt] = BRAND_ORDERS[version % BRAND_ORDERS.length]!;
  list[greaseAt] = `"${greaseBrand}";v="${GREASE_VERSIONS[version % GREASE_VERSIONS.length]}"`;
  list[chromiumAt] = `"Chromium";v="${version}"`;
  list[browserAt] = `"${brand}";v="${version}"`;
  return list.join(', ');
}

/**
 * A header field at its position in a browser's requests, spelt as in HTTP/1.1. A field with a value is always sent; one with
 * null only if the request has it.
 */
type HeaderSlot = readonly [name: string, value: string | null];

/** The position of all fields of the request that have no slot. */
const OTHER_FIELDS: HeaderSlot = ['', null];

/** The fields of a navigation, in the order in which the browser sends them. */
interface HeaderOrders {
  readonly secure: readonly HeaderSlot[];
  /** For https when only HTTP/1.1 is allowed. */
  readonly secureHttp1: readonly HeaderSlot[];
  /** For http. */
  readonly plain: readonly HeaderSlot[];
}

const WINDOWS_PLATFORM = 'Windows NT 10.0; Win64; x64';
const WEBKIT_VERSION = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
const ACCEPT_ENCODING_PLAIN = 'gzip, deflate';
const KEEP_ALIVE: HeaderSlot = ['Connection', 'keep-alive'];

const ordersByProfile = new Map<string, HeaderOrders>();

function headerOrdersOf(profile: ImpersonateProfile): HeaderOrders {
  let orders = ordersByProfile.get(profile.name);
  if (orders === undefined) {
    orders = ORDERS_OF_FAMILY[profile.family](profile.version);
    ordersByProfile.set(profile.name, orders);
  }
  return orders;
}

const ORDERS_OF_FAMILY: Readonly<Record<BrowserFamily, (version: string) => HeaderOrders>> = {
  chrome: (version) => chromiumOrders('Google Chrome', version, ''),
  edge: (version) => chromiumOrders('Microsoft Edge', version, ` Edg/${version}.0.0.0`),
  firefox: firefoxOrders,
  safari: (version) => {
    const system = 'Macintosh; Intel Mac OS X 10_15_7';
    return safariOrders(
      `Mozilla/5.0 (${system}) ${WEBKIT_VERSION} Version/${safariVersion(version)} Safari/605.1.15`,
    );
  },
  safari_ios: (version) => {
    const fullVersion = safariVersion(version);
    // From 26.1 on Safari reports the last version of iOS before the numbering changed.
    const system = fullVersion === '26.0' ? '26_0' : '18_7';
    return safariOrders(
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) ${WEBKIT_VERSION} Version/${fullVersion} Mobile/15E148 Safari/604.1`,
    );
  },
};

function safariVersion(version: string): string {
  return version.includes('.') ? version : `${version}.0`;
}

/**
 * Measured on Chromium 156: navigations with and without a body, with cookies and with fields added.
 * @param brand in `sec-ch-ua` @param agentSuffix appended to the `User-Agent`
 */
function chromiumOrders(brand: string, version: string, agentSuffix: string): HeaderOrders {
  const agent = `Mozilla/5.0 (${WINDOWS_PLATFORM}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36${agentSuffix}`;
  const accept =
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,' +
    'application/signed-exchange;v=b3;q=0.7';
  const slotsFor = (secure: boolean): HeaderSlot[] => {
    const ifSecure = (...slots: HeaderSlot[]) => (secure ? slots : []);
    return [
      ['Host', null],
      KEEP_ALIVE,
      ['Content-Length', null],
      ['Cache-Control', null],
      ...ifSecure(
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
      ...ifSecure(
        ['Sec-Fetch-Site', 'none'],
        ['Sec-Fetch-Mode', 'navigate'],
        ['Sec-Fetch-User', '?1'],
        ['Sec-Fetch-Dest', 'document'],
      ),
      ['Referer', null],
      ['Accept-Encoding', secure ? ACCEPT_ENCODING : ACCEPT_ENCODING_PLAIN],
      ['Accept-Language', 'en-US,en;q=0.9'],
      ['Cookie', null],
      ...ifSecure(['Priority', 'u=0, i']),
    ];
  };
  const secure = slotsFor(true);
  return { secure, secureHttp1: secure.filter(([name]) => name !== 'Priority'), plain: slotsFor(false) };
}

/** Measured on Firefox 153: a navigation over HTTP/2, over HTTP/1.1 and in the clear. */
function firefoxOrders(version: string): HeaderOrders {
  const agent = `Mozilla/5.0 (${WINDOWS_PLATFORM}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
  // From version 147 on, languages have the same weights as in Chromium (Mozilla bug 2000765).
  const language = `en-US,en;q=${Number(version) >= 147 ? 0.9 : 0.5}`;
  const slotsFor = (secure: boolean): HeaderSlot[] => {
    const ifSecure = (...slots: HeaderSlot[]) => (secure ? slots : []);
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
      ...ifSecure(
        ['Sec-Fetch-Dest', 'document'],
        ['Sec-Fetch-Mode', 'navigate'],
        ['Sec-Fetch-Site', 'none'],
        ['Sec-Fetch-User', '?1'],
      ),
      ['Priority', 'u=0, i'],
    ];
  };
  const secureHttp1 = slotsFor(true);
  return { secure: [...secureHttp1, ['TE', 'trailers']], secureHttp1, plain: slotsFor(false) };
}

function safariOrders(agent: string): HeaderOrders {
  const accept: HeaderSlot = ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'];
  const language: HeaderSlot = ['Accept-Language', 'en-US,en;q=0.9'];
  /** The slots between `Accept` and the last fields. */
  const middle: readonly HeaderSlot[] = [
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
    ...middle,
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
      ...middle,
      ['User-Agent', agent],
      language,
      ['Accept-Encoding', ACCEPT_ENCODING_PLAIN],
      KEEP_ALIVE,
    ],
  };
}

/**
 * The header fields of a request, as the browser would send them. A field of the caller replaces the browser's field with the
 * same name, in its position, but spelt as the caller wrote it. All other fields of the caller are sent together, in their
 * order, at the place of `OTHER_FIELDS`.
 */
export function browserHeaderFields(
  request: HttpRequest,
  profile: ImpersonateProfile,
  { userAgent, http2 }: Pick<ScraperOptions, 'userAgent' | 'http2'>,
  cookie: string | null,
): HeaderList {
  const { secure, secureHttp1, plain } = headerOrdersOf(profile);
  const slots = request.url.protocol === 'http:' ? plain : http2 === false ? secureHttp1 : secure;
  const names = lowerNames(slots);
  const requestFields = fieldsOfRequest(request, userAgent, cookie).map((field) => ({
    field,
    name: field[0].toLowerCase(),
  }));
  const fields: [string, string][] = [];
  slots.forEach((slot, index) => {
    const countBefore = fields.length;
    for (const { field, name } of requestFields)
      if (slot === OTHER_FIELDS ? !names.includes(name) : name === names[index]) fields.push(field);
    const [slotName, slotValue] = slot;
    if (fields.length === countBefore && slotValue !== null) fields.push([slotName, slotValue]);
  });
  return fields;
}

/** The fields that the request itself has: the caller's, and those for its body and cookies. Values are byte strings. */
function fieldsOfRequest(
  request: HttpRequest,
  userAgent: string | null,
  cookie: string | null,
): [string, string][] {
  const { headers, body, method, authorization } = request;
  const fields: [string, string][] = [['Host', request.url.host]];
  for (const [name, value] of headers) fields.push([name, toByteString(value)]);
  const has = (name: string) => headers.some(([callerName]) => callerName.toLowerCase() === name);
  if (userAgent !== null && !has('user-agent')) fields.push(['User-Agent', toByteString(userAgent)]);
  if (authorization !== null) fields.push(['Authorization', authorization]);
  if (cookie !== null) fields.push(['Cookie', toByteString(cookie)]);
  if (body !== null) {
    if (body.contentType !== null && !has('content-type')) {
      fields.push(['Content-Type', toByteString(body.contentType)]);
    }
    fields.push(['Content-Length', String(body.bytes.length)]);
  } else if (method === 'POST' || method === 'PUT' || method === 'PATCH') {
    fields.push(['Content-Length', '0']);
  }
  return fields;
}

const lowerNamesCache = new WeakMap<readonly HeaderSlot[], readonly string[]>();

/** The names of the slots in lower case; cached, because every request needs them. */
function lowerNames(slots: readonly HeaderSlot[]): readonly string[] {
  let names = lowerNamesCache.get(slots);
  if (names === undefined) {
    names = slots.map(([name]) => name.toLowerCase());
    lowerNamesCache.set(slots, names);
  }
  return names;
}
