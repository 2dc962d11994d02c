import { type ApiResponse, jsonBody, KEY, PIXEL, query, Refused, type StandIn } from '../stand-in.ts';

const MEMBERS = [
  'url',
  'html',
  'cookies',
  'gotoOptions',
  'waitForTimeout',
  'waitForSelector',
  'userAgent',
  'viewport',
  'bestAttempt',
];

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly url?: string;
  readonly domain?: string;
}

const failure = (status: number, body: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  body,
});

export const BROWSERLESS: readonly StandIn[] = [
  {
    name: 'browserless',
    kind: 'browserless',
    described:
      'https://docs.browserless.io/rest-apis/content and https://github.com/browserless/browserless: src/shared/{content,scrape}.http.ts',
    tells: { status: true, headers: false, cookies: false, finalUrl: true, credits: null },
    can: {
      post: false,
      headers: false,
      binary: false,
      country: false,
      session: false,
      screenshot: true,
      noRedirects: false,
      cookies: true,
      wait: true,
    },
    renders: true,
    async answer(request, fetchTarget) {
      const { token, timeout } = query(request, ['token', 'timeout', 'launch']);
      if (request.method !== 'POST') throw new Refused('the endpoints take POST');
      if (!(Number(timeout) > 0 && Number(timeout) <= 1_800_000)) throw new Refused('bad timeout');
      if (token !== KEY) return failure(401, 'Bad or missing authentication.');
      const isScrape = request.url.pathname === '/scrape';
      if (!isScrape && request.url.pathname !== '/content') throw new Refused('no such endpoint');
      const asked = jsonBody(request, isScrape ? [...MEMBERS, 'elements', 'debugOpts'] : MEMBERS);
      if ((asked.cookies ?? []).some((one: Cookie) => (one.url ?? one.domain) === undefined))
        throw new Refused('a cookie without url and domain');
      if (isScrape && !Array.isArray(asked.elements)) throw new Refused('elements is required');
      const cookie = (asked.cookies ?? [])
        .filter((one: Cookie) => one.domain === undefined || one.domain === new URL(asked.url).hostname)
        .map((one: Cookie) => `${one.name}=${one.value}`)
        .join('; ');
      const page = await fetchTarget({ url: asked.url, headers: cookie === '' ? {} : { cookie } });
      const headers = {
        'content-type': isScrape ? 'application/json' : 'text/html; charset=UTF-8',
        'x-response-code': String(page.status),
        'x-response-url': page.finalUrl.slice(0, 1000),
      };
      const html = page.body.toString();
      if (!isScrape) return { headers, body: html };
      const { debugOpts } = asked;
      const debug = {
        console: [],
        cookies: debugOpts.cookies ? [] : null,
        html: debugOpts.html ? html : null,
        network: { inbound: [], outbound: [] },
        screenshot: debugOpts.screenshot ? PIXEL.toString('base64') : null,
      };
      return { headers, body: JSON.stringify({ data: [], debug }) };
    },
    troubles: {
      auth: failure(401, 'Bad or missing authentication.'),
      throttled: failure(429, 'Too many requests'),
      timeout: failure(408, 'Request has timed out'),
      unsupported: failure(500, 'net::ERR_NAME_NOT_RESOLVED at http://no-such-name.test/'),
      protocol: failure(500, 'Failed to launch the browser process'),
    },
    asked: () => ({ country: null, session: null }),
  },
];
