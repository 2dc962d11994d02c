import { type ApiRequest, KEY, query, Refused, type StandIn } from '../stand-in.ts';

/** https://scrapfly.io/docs/scrape-api/getting-started and the official TypeScript SDK. */
const PARAMETERS = [
  'key',
  'url',
  'country',
  'proxy_pool',
  'render_js',
  'rendering_wait',
  'wait_for_selector',
  'asp',
  'session',
  'session_sticky_proxy',
  'retry',
  'timeout',
  'cost_budget',
  'format',
  'tags',
];
const COST = { datacenter: 1, residential: 25, render: 5 };
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'HEAD'];

/** https://scrapfly.io/docs/scrape-api/errors */
const rejected = (status: number, code: string) => ({
  status,
  headers: {
    'content-type': 'application/json',
    'x-scrapfly-reject-code': code,
    'x-scrapfly-api-cost': '0',
  },
  body: JSON.stringify({
    result: { status: 'DONE', success: false, error: { http_code: status, code, message: 'hint' } },
    context: { cost: { total: 0 } },
    uuid: 'r-1',
  }),
});

/** An error before the scrape begins. */
const generic = (status: number, message: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ status: 'error', http_code: status, reason: 'x', error_id: 'e-1', message }),
});

const isText = (type: string) => /^text\/|json|xml/.test(type);

const scrapfly = (name: string, render: boolean, proxyType: 'datacenter' | 'residential'): StandIn => ({
  name,
  kind: 'scrapfly',
  described: 'https://scrapfly.io/docs/scrape-api/getting-started',
  settings: { options: { render }, proxy_types: [proxyType] },
  tells: {
    status: true,
    headers: true,
    cookies: true,
    finalUrl: true,
    credits: COST[proxyType] + (render ? COST.render : 0),
  },
  can: {
    post: !render,
    headers: true,
    binary: true,
    country: true,
    session: true,
    screenshot: false,
    noRedirects: false,
    cookies: true,
    wait: render,
  },
  renders: render,
  async answer(request, fetchTarget) {
    if (!METHODS.includes(request.method) || request.url.pathname !== '/scrape')
      throw new Refused('no such endpoint');
    const headers = headersAsked(request);
    for (const one of headers.keys()) request.url.searchParams.delete(`headers[${one}]`);
    const asked = query(request, PARAMETERS);
    if (asked.key !== KEY) return generic(401, 'Invalid API key');
    if ((asked.render_js === 'true') !== render) throw new Refused('render_js is not what the operator set');
    if (asked.asp !== undefined) throw new Refused('asp was not asked for');
    if (asked.proxy_pool !== `public_${proxyType}_pool`) throw new Refused('the pool is another');
    if (asked.timeout !== undefined && (asked.retry !== 'false' || Number(asked.timeout) < 15_000))
      throw new Refused('timeout needs retry=false and at least 15 s');
    const page = await fetchTarget({
      url: asked.url!,
      method: request.method,
      headers: Object.fromEntries(headers),
      body: request.method === 'GET' ? null : request.body,
    });
    const type = page.headers.find(([one]) => one.toLowerCase() === 'content-type')?.[1] ?? '';
    const isError = page.status >= 400;
    const total = COST[proxyType] + (render ? COST.render : 0);
    return {
      headers: { 'content-type': 'application/json', 'x-scrapfly-api-cost': String(total) },
      body: JSON.stringify({
        uuid: 'r-1',
        context: { cost: { total, details: [] } },
        result: {
          status: 'DONE',
          success: !isError,
          ...(isError && { error: { http_code: page.status, code: 'ERR::SCRAPE::BAD_UPSTREAM_RESPONSE' } }),
          status_code: page.status,
          url: page.finalUrl,
          format: isText(type) ? 'text' : 'binary',
          content: page.body.toString(isText(type) ? 'utf8' : 'base64'),
          response_headers: Object.fromEntries(
            page.headers.map(([one, value]) => [one.toLowerCase(), value]),
          ),
          cookies: [],
        },
      }),
    };
  },
  troubles: {
    auth: generic(401, 'Invalid API key'),
    credits: rejected(429, 'ERR::SCRAPE::QUOTA_LIMIT_REACHED'),
    throttled: rejected(429, 'ERR::THROTTLE::MAX_CONCURRENT_REQUEST_EXCEEDED'),
    timeout: rejected(504, 'ERR::SCRAPE::OPERATION_TIMEOUT'),
    blocked: rejected(422, 'ERR::ASP::SHIELD_PROTECTION_FAILED'),
    unsupported: rejected(422, 'ERR::SCRAPE::DOMAIN_NOT_ALLOWED'),
    protocol: generic(500, 'Internal Server Error'),
  },
  asked({ url }: ApiRequest) {
    return { country: url.searchParams.get('country'), session: url.searchParams.get('session') };
  },
});

function headersAsked({ url }: ApiRequest): Map<string, string> {
  return new Map(
    [...url.searchParams].flatMap(([name, value]): [string, string][] => {
      const header = /^headers\[(.+)\]$/.exec(name)?.[1];
      return header === undefined ? [] : [[header, value]];
    }),
  );
}

export const SCRAPFLY = [
  scrapfly('scrapfly-http', false, 'residential'),
  scrapfly('scrapfly-browser', true, 'datacenter'),
];
