import { type ApiRequest, type ApiResponse, jsonBody, PIXEL, Refused, type StandIn } from '../stand-in.ts';

const MEMBERS = [
  'cmd',
  'url',
  'session',
  'session_ttl_minutes',
  'maxTimeout',
  'cookies',
  'returnOnlyCookies',
  'returnScreenshot',
  'proxy',
  'waitInSeconds',
  'disableMedia',
];

const failure = (message: string): ApiResponse => ({
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ status: 'error', message: `Error: ${message}`, version: '3.4.0' }),
});

export const FLARESOLVERR: readonly StandIn[] = [
  {
    name: 'flaresolverr',
    kind: 'flaresolverr',
    described:
      'https://github.com/FlareSolverr/FlareSolverr: README.md and src/flaresolverr_service.py, version 3',
    tells: { status: false, headers: false, cookies: true, finalUrl: true, credits: null },
    can: {
      post: false,
      headers: false,
      binary: false,
      country: false,
      session: false,
      screenshot: true,
      noRedirects: false,
      cookies: true,
      wait: false,
    },
    renders: true,
    async answer(request, fetchTarget) {
      if (request.method !== 'POST' || request.url.pathname !== '/v1') throw new Refused('no such endpoint');
      const asked = jsonBody(request, MEMBERS);
      if (asked.cmd !== 'request.get') throw new Refused('no such command');
      if (!Number.isInteger(asked.maxTimeout)) throw new Refused('maxTimeout is no number');
      // As Selenium takes them: a page with this cookie is loaded twice.
      const cookies: { name: string; value: string }[] = asked.cookies ?? [];
      if (cookies.some((one) => typeof one.name !== 'string' || typeof one.value !== 'string'))
        throw new Refused('a cookie without name or value');
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const page = await fetchTarget({ url: asked.url, headers: cookie === '' ? {} : { cookie } });
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          status: 'ok',
          message: 'Challenge not detected!',
          solution: {
            url: page.finalUrl,
            status: 200,
            headers: {},
            response: page.body.toString(),
            cookies: [
              {
                name: 'cf_clearance',
                value: 'c1',
                domain: '127.0.0.1',
                path: '/',
                expiry: 2_000_000_000,
                secure: false,
                httpOnly: true,
                sameSite: 'Lax',
              },
            ],
            userAgent: 'Mozilla/5.0',
            ...(asked.returnScreenshot && { screenshot: PIXEL.toString('base64') }),
          },
          startTimestamp: 1,
          endTimestamp: 2,
          version: '3.4.0',
        }),
      };
    },
    troubles: {
      blocked: failure(
        'Error solving the challenge. Cloudflare has blocked this request. Probably your IP is banned for this site, check in your web browser.',
      ),
      timeout: failure('Error solving the challenge. Timeout after 60.0 seconds.'),
      unsupported: failure('Error solving the challenge. Message: unknown error: net::ERR_NAME_NOT_RESOLVED'),
      protocol: failure('Error solving the challenge. Message: session not created: Chrome failed to start'),
    },
    asked(request: ApiRequest) {
      return { country: null, session: JSON.parse(request.body.toString()).session ?? null };
    },
  },
];
