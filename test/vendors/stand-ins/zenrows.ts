import { type ApiRequest, KEY, passedHeaders, query, Refused, type StandIn } from '../stand-in.ts';

/** https://docs.zenrows.com/universal-scraper-api/api-reference */
const PARAMETERS = [
  'apikey',
  'url',
  'mode',
  'js_render',
  'js_instructions',
  'custom_headers',
  'premium_proxy',
  'proxy_country',
  'session_id',
  'original_status',
  'allowed_status_codes',
  'wait_for',
  'wait',
  'block_resources',
  'json_response',
  'response_type',
  'screenshot',
];
const METHODS = ['GET', 'POST', 'PUT'];

function costOf({ js_render, premium_proxy }: Readonly<Record<string, string>>): number {
  if (premium_proxy === 'true') return js_render === 'true' ? 25 : 10;
  return js_render === 'true' ? 5 : 1;
}

/** https://docs.zenrows.com/api-error-codes */
const failed = (status: number, code: string, title: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'x-request-id': 'r-1' },
  body: JSON.stringify({
    code,
    title,
    status,
    type: `https://docs.zenrows.com/api-error-codes#${code}`,
    instance: '/v1',
  }),
});

/** Countries are those of premium proxies: one of the two has those only. */
const zenrows = (name: string, render: boolean, isPremium: boolean): StandIn => ({
  name,
  kind: 'zenrows',
  described: 'https://docs.zenrows.com/universal-scraper-api/api-reference',
  settings: { options: { render }, proxy_types: [isPremium ? 'residential' : 'datacenter'] },
  tells: {
    status: true,
    headers: true,
    cookies: false,
    finalUrl: true,
    credits: costOf({ js_render: String(render), premium_proxy: String(isPremium) }),
  },
  can: {
    post: !render,
    headers: true,
    binary: !render,
    country: isPremium,
    session: true,
    screenshot: false,
    noRedirects: false,
    cookies: true,
    wait: render,
  },
  renders: render,
  async answer(request, fetchTarget) {
    if (!METHODS.includes(request.method) || request.url.pathname !== '/v1/')
      throw new Refused('no such endpoint');
    const asked = query(request, PARAMETERS);
    if (asked.apikey !== KEY) return failed(401, 'AUTH003', 'API Key not found');
    if ((asked.js_render === 'true') !== render) throw new Refused('js_render is not what the operator set');
    if ((asked.premium_proxy === 'true') !== isPremium) throw new Refused('the proxies are others');
    if (asked.proxy_country !== undefined && !isPremium)
      throw new Refused('proxy_country needs premium_proxy');
    if (asked.session_id !== undefined && !/^\d{1,5}$/.test(asked.session_id))
      throw new Refused('session_id is no small integer');
    const cost = costOf(asked);
    const page = await fetchTarget({
      url: asked.url!,
      method: request.method,
      headers: passedHeaders(request, asked.custom_headers === 'true'),
      body: request.method === 'GET' ? null : request.body,
    });
    const isAllowed = asked.allowed_status_codes?.split(',').includes(String(page.status));
    if (page.status === 404 && !isAllowed) return failed(404, 'RESP002', 'Page not found');
    if (page.status >= 400 && !isAllowed) return failed(422, 'RESP001', 'Could not get content');
    return {
      status: asked.original_status === 'true' ? page.status : 200,
      headers: {
        ...Object.fromEntries(page.headers.map(([one, value]) => [`Zr-${one}`, value])),
        'Zr-Final-Url': page.finalUrl,
        'X-Request-Id': 'r-1',
        'X-Request-Cost': String(cost * 0.00042),
        'X-Request-Credits': String(cost),
        'Concurrency-Limit': '20',
        'Concurrency-Remaining': '19',
      },
      body: page.body,
    };
  },
  troubles: {
    auth: failed(401, 'AUTH003', 'API Key not found'),
    credits: failed(402, 'AUTH004', 'Usage exceeded'),
    throttled: failed(429, 'AUTH006', 'Concurrency limit exceeded'),
    timeout: failed(504, 'CTX0002', 'Operation timeout exceeded'),
    blocked: failed(422, 'RESP001', 'Could not get content'),
    unsupported: failed(400, 'REQS001', 'Requests to this domain are forbidden'),
    protocol: failed(500, 'CTX', 'Internal server error'),
  },
  asked({ url }: ApiRequest) {
    return { country: url.searchParams.get('proxy_country'), session: url.searchParams.get('session_id') };
  },
});

export const ZENROWS = [zenrows('zenrows-http', false, false), zenrows('zenrows-browser', true, true)];
