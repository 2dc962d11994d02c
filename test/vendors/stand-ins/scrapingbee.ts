import {
  type ApiRequest,
  type ApiResponse,
  KEY,
  PIXEL,
  query,
  Refused,
  type StandIn,
  type TargetResponse,
} from '../stand-in.ts';

/** https://www.scrapingbee.com/documentation/ and the parameters of the official Node SDK. */
const PARAMETERS = [
  'api_key',
  'url',
  'render_js',
  'premium_proxy',
  'country_code',
  'session_id',
  'cookies',
  'forward_headers',
  'forward_headers_pure',
  'json_response',
  'screenshot',
  'transparent_status_code',
  'timeout',
  'wait',
  'wait_for',
  'device',
];

const failed = (status: number, message: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

/** https://help.scrapingbee.com/en/article/credit-system-explained-1h2ackp/ */
function costOf({ render_js, premium_proxy }: Readonly<Record<string, string>>): number {
  if (premium_proxy === 'true') return render_js === 'true' ? 25 : 10;
  return render_js === 'true' ? 5 : 1;
}

/** https://help.scrapingbee.com/en/article/what-kind-of-headers-are-returned-by-the-api-17lh4xw/ */
function answerOf(page: TargetResponse, first: number, cost: number): ApiResponse {
  return {
    status: page.status,
    headers: {
      ...Object.fromEntries(page.headers.map(([name, value]) => [`Spb-${name}`, value])),
      'Spb-cost': String(cost),
      'Spb-initial-status-code': String(first),
      'Spb-resolved-url': page.finalUrl,
    },
    body: page.body,
  };
}

function jsonOf(page: TargetResponse, first: number, cost: number): ApiResponse {
  return {
    status: page.status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      headers: Object.fromEntries(page.headers),
      cost,
      'initial-status-code': first,
      'resolved-url': page.finalUrl,
      type: 'html',
      body: page.body.toString(),
      cookies: [],
      screenshot: PIXEL.toString('base64'),
    }),
  };
}

/** Countries are those of premium proxies: one of the two has those only. */
const scrapingbee = (name: string, render: boolean, isPremium: boolean): StandIn => ({
  name,
  kind: 'scrapingbee',
  described: 'https://www.scrapingbee.com/documentation/',
  settings: { options: { render }, proxy_types: [isPremium ? 'residential' : 'datacenter'] },
  tells: {
    status: true,
    headers: true,
    cookies: false,
    finalUrl: true,
    credits: costOf({ render_js: String(render), premium_proxy: String(isPremium) }),
  },
  can: {
    post: false,
    headers: true,
    binary: !render,
    country: isPremium,
    session: true,
    screenshot: render,
    noRedirects: false,
    cookies: true,
    wait: render,
  },
  renders: render,
  async answer(request, fetchTarget) {
    if (request.method !== 'GET' || request.url.pathname !== '/v1/') throw new Refused('no such endpoint');
    const asked = query(request, PARAMETERS);
    if (asked.api_key !== KEY) return failed(401, 'Invalid api key');
    if (asked.render_js !== String(render)) throw new Refused('render_js is not said, and costs by default');
    if ((asked.premium_proxy === 'true') !== isPremium) throw new Refused('the proxies are others');
    if (asked.country_code !== undefined && !isPremium) throw new Refused('country_code needs premium_proxy');
    if (asked.session_id !== undefined && !/^\d{1,8}$/.test(asked.session_id))
      throw new Refused('session_id is no number up to 10000000');
    if (asked.timeout !== undefined && (Number(asked.timeout) < 1_000 || Number(asked.timeout) > 140_000))
      throw new Refused('timeout is not within 1000 and 140000');
    const headers = {
      ...(asked.forward_headers === 'true' && headersOf(request)),
      ...(asked.cookies !== undefined && { cookie: asked.cookies.replaceAll(';', '; ') }),
    };
    const target = { url: asked.url!, headers };
    const page = await fetchTarget(target);
    const first = await fetchTarget({ ...target, followRedirects: false });
    return asked.json_response === 'true'
      ? jsonOf(page, first.status, costOf(asked))
      : answerOf(page, first.status, costOf(asked));
  },
  troubles: {
    auth: failed(401, 'Invalid api key: x'),
    credits: failed(401, 'Monthly API calls limit reached: 1000'),
    throttled: failed(429, 'Too many concurrent requests'),
    unsupported: failed(400, 'Unknown arguments'),
    timeout: failed(500, 'The request timed out'),
    protocol: failed(500, 'Server responded with an error'),
  },
  asked({ url }: ApiRequest) {
    return { country: url.searchParams.get('country_code'), session: url.searchParams.get('session_id') };
  },
});

/** Headers with the prefix `Spb-`, without it. */
function headersOf({ headers }: ApiRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      name.startsWith('spb-') && name !== 'spb-cookie' ? [[name.slice(4), String(value)]] : [],
    ),
  );
}

export const SCRAPINGBEE = [
  scrapingbee('scrapingbee-http', false, false),
  scrapingbee('scrapingbee-browser', true, true),
];
