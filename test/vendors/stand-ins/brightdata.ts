import { type ApiRequest, type ApiResponse, jsonBody, KEY, Refused, type StandIn } from '../stand-in.ts';

const MEMBERS = ['zone', 'url', 'format', 'method', 'country', 'data_format'];

/** A failure after the request reached the unlocker: the outer status is 200. */
const failure = (status: number, code: string, text: string): ApiResponse => ({
  status: 200,
  headers: { 'x-brd-status-code': String(status), 'x-brd-error-code': code, 'x-brd-error': text },
  body: '',
});

export const BRIGHTDATA: readonly StandIn[] = [
  {
    name: 'brightdata',
    kind: 'brightdata',
    described:
      'https://docs.brightdata.com/api-reference/rest-api/unlocker/unlock-website and https://docs.brightdata.com/scraping-automation/web-unlocker/error-codes',
    settings: { options: { zone: 'web_unlocker1' } },
    tells: { status: true, headers: false, cookies: false, finalUrl: false, credits: null },
    can: {
      post: false,
      headers: false,
      binary: true,
      country: true,
      session: false,
      screenshot: false,
      noRedirects: false,
      cookies: false,
      wait: false,
    },
    renders: false,
    async answer(request, fetchTarget) {
      if (request.method !== 'POST' || request.url.pathname !== '/request')
        throw new Refused('no such endpoint');
      if (request.headers.authorization !== `Bearer ${KEY}`)
        return { status: 401, headers: { 'content-type': 'text/plain' }, body: 'Invalid token' };
      const asked = jsonBody(request, MEMBERS);
      if (asked.zone !== 'web_unlocker1')
        return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'zone "x" not found' };
      if (asked.format !== 'raw' || asked.method !== 'GET') throw new Refused('format or method');
      if (asked.country !== undefined && !/^[a-z]{2}$/.test(asked.country)) throw new Refused('country');
      const page = await fetchTarget({ url: asked.url });
      return {
        headers: { 'content-type': 'text/html', 'x-brd-status-code': String(page.status) },
        body: page.body,
      };
    },
    troubles: {
      auth: { status: 401, headers: { 'content-type': 'text/plain' }, body: 'Invalid token' },
      credits: {
        headers: {
          'x-brd-status-code': '407',
          'x-brd-err-code': 'client_10020',
          'x-brd-err-msg': 'Account suspended',
        },
        body: '',
      },
      throttled: failure(429, 'sr_rate_limit', 'You have reached the rate limit of this target'),
      timeout: failure(502, 'domcontentloaded_event_timeout', 'timeout 60000ms exceeded'),
      blocked: failure(502, 'reject_block', 'the target blocked the request'),
      unsupported: failure(403, 'policy_20050', 'this target is not allowed'),
      protocol: { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal error' },
    },
    asked(request: ApiRequest) {
      return { country: JSON.parse(request.body.toString()).country ?? null, session: null };
    },
  },
];
