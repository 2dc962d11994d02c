import type { BrowserFamily, ImpersonateProfile } from '../../../../domain/impersonate-profiles.ts';
import { brandList } from './brands.ts';

/**
 * The fields of a navigation in the order in which a browser sends them, spelt as in HTTP/1.1. A value stands there
 * always; without one, only where the request brings it. `OTHERS` is where fields go that the browser has no place for.
 */
export type Place = readonly [name: string, value: string | null];

export const OTHERS: Place = ['', null];

export interface Places {
  readonly secure: readonly Place[];
  /** The same where HTTP/1.1 is sure to be spoken. */
  readonly first: readonly Place[];
  /** Over http: less is said to what cannot be trusted. */
  readonly plain: readonly Place[];
}

const WINDOWS = 'Windows NT 10.0; Win64; x64';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CODINGS = 'gzip, deflate, br, zstd';
const CODINGS_PLAIN = 'gzip, deflate';
const EACH: Place = ['Connection', 'keep-alive'];

const made = new Map<string, Places>();

/** Made once for each profile. */
export function placesOf(profile: ImpersonateProfile): Places {
  let places = made.get(profile.name);
  if (places === undefined) {
    places = MAKE[profile.family](profile.version);
    made.set(profile.name, places);
  }
  return places;
}

const MAKE: Readonly<Record<BrowserFamily, (version: string) => Places>> = {
  chrome: (version) => chromium('Google Chrome', version, ''),
  edge: (version) => chromium('Microsoft Edge', version, ` Edg/${version}.0.0.0`),
  firefox,
  safari: (version) => {
    const told = version.includes('.') ? version : `${version}.0`;
    const system = 'Macintosh; Intel Mac OS X 10_15_7';
    return safari(`Mozilla/5.0 (${system}) ${WEBKIT} Version/${told} Safari/605.1.15`);
  },
  safari_ios: (version) => {
    const told = version.includes('.') ? version : `${version}.0`;
    // From 26.1 on Safari tells the last version of the system before the new numbers.
    const system = told === '26.0' ? '26_0' : '18_7';
    return safari(
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) ${WEBKIT} Version/${told} Mobile/15E148 Safari/604.1`,
    );
  },
};

/** Measured on Chromium 156: navigations with and without a body, with cookies and with fields added. */
function chromium(brand: string, version: string, suffix: string): Places {
  const agent = `Mozilla/5.0 (${WINDOWS}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36${suffix}`;
  const accept =
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,' +
    'application/signed-exchange;v=b3;q=0.7';
  const make = (secure: boolean): Place[] => {
    const only = (...places: Place[]) => (secure ? places : []);
    return [
      ['Host', null],
      EACH,
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
      OTHERS,
      ['Accept', accept],
      ...only(
        ['Sec-Fetch-Site', 'none'],
        ['Sec-Fetch-Mode', 'navigate'],
        ['Sec-Fetch-User', '?1'],
        ['Sec-Fetch-Dest', 'document'],
      ),
      ['Referer', null],
      ['Accept-Encoding', secure ? CODINGS : CODINGS_PLAIN],
      ['Accept-Language', 'en-US,en;q=0.9'],
      ['Cookie', null],
      ...only(['Priority', 'u=0, i']),
    ];
  };
  const secure = make(true);
  return { secure, first: secure.filter(([name]) => name !== 'Priority'), plain: make(false) };
}

/** Measured on Firefox 153: a navigation over HTTP/2, over HTTP/1.1 and in the clear. */
function firefox(version: string): Places {
  const agent = `Mozilla/5.0 (${WINDOWS}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
  // From 147 on the weights of languages are those of Chromium (Mozilla's bug 2000765).
  const language = `en-US,en;q=${Number(version) >= 147 ? 0.9 : 0.5}`;
  const make = (secure: boolean): Place[] => {
    const only = (...places: Place[]) => (secure ? places : []);
    return [
      ['Host', null],
      ['User-Agent', agent],
      ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['Accept-Language', language],
      ['Accept-Encoding', secure ? CODINGS : CODINGS_PLAIN],
      ['Content-Type', null],
      ['Content-Length', null],
      ['Origin', null],
      ['Authorization', null],
      OTHERS,
      EACH,
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
  const first = make(true);
  return { secure: [...first, ['TE', 'trailers']], first, plain: make(false) };
}

function safari(agent: string): Places {
  const accept: Place = ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'];
  const language: Place = ['Accept-Language', 'en-US,en;q=0.9'];
  const rest: readonly Place[] = [
    ['Content-Type', null],
    ['Origin', null],
    ['Authorization', null],
    OTHERS,
    ['Referer', null],
    ['Content-Length', null],
    ['Cookie', null],
  ];
  const secure: readonly Place[] = [
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
    EACH,
  ];
  return {
    secure,
    first: secure,
    plain: [
      ['Host', null],
      ['Upgrade-Insecure-Requests', '1'],
      accept,
      ...rest,
      ['User-Agent', agent],
      language,
      ['Accept-Encoding', CODINGS_PLAIN],
      EACH,
    ],
  };
}
