import { type ApiRequest, KEY, passedHeaders, query, Refused, type StandIn } from '../stand-in.ts';

/** https://docs.scraperapi.com/control-and-optimization/supported-parameters */
const PARAMETERS = [
  'api_key',
  'url',
  'render',
  'wait_for_selector',
  'screenshot',
  'country_code',
  'premium',
  'ultra_premium',
  'session_number',
  'keep_headers',
  'device_type',
  'follow_redirect',
  'retry_404',
  'max_cost',
  'output_format',
  'autoparse',
];
const METHODS = ['GET', 'POST', 'PUT'];

function costOf({ render, premium }: Readonly<Record<string, string>>): number {
  if (premium === 'true') return render === 'true' ? 25 : 10;
  return render === 'true' ? 10 : 1;
}

const failed = (status: number, body: string, statusCode?: number) => ({
  status,
  headers: { 'content-type': 'text/plain', ...(statusCode && { 'sa-statuscode': String(statusCode) }) },
  body,
});
const EXHAUSTED =
  'Request failed. You will not be charged for this request. Please make sure your url is valid.';

const scraperapi = (name: string, render: boolean): StandIn => ({
  name,
  kind: 'scraperapi',
  described: 'https://docs.scraperapi.com/control-and-optimization/supported-parameters',
  settings: { options: { render } },
  tells: {
    status: true,
    headers: false,
    cookies: false,
    finalUrl: true,
    credits: costOf({ render: String(render) }),
  },
  can: {
    post: !render,
    headers: true,
    binary: false,
    country: true,
    session: true,
    screenshot: false,
    noRedirects: !render,
    cookies: true,
    wait: false,
  },
  renders: render,
  async answer(request, fetchTarget) {
    if (!METHODS.includes(request.method) || request.url.pathname !== '/')
      throw new Refused('no such endpoint');
    const asked = query(request, PARAMETERS);
    if (asked.api_key !== KEY)
      return failed(401, 'Unauthorized request, please make sure your API key is valid.');
    if ((asked.render === 'true') !== render) throw new Refused('render is not what the operator set');
    if (asked.premium === 'true') throw new Refused('premium was not asked for');
    if (asked.session_number !== undefined && !/^\d+$/.test(asked.session_number))
      throw new Refused('session_number is no integer');
    const cost = costOf(asked);
    if (Number(asked.max_cost ?? cost) < cost)
      return failed(403, 'This request would cost more than your max_cost.');
    const page = await fetchTarget({
      url: asked.url!,
      method: request.method,
      headers: passedHeaders(request, asked.keep_headers === 'true'),
      body: request.method === 'GET' ? null : request.body,
      followRedirects: asked.follow_redirect !== 'false',
    });
    if (page.status >= 400 && page.status !== 404) return failed(500, EXHAUSTED, page.status);
    return {
      status: page.status,
      headers: {
        'content-type':
          page.headers.find(([one]) => one.toLowerCase() === 'content-type')?.[1] ?? 'text/plain',
        'sa-statuscode': String(page.status),
        'sa-final-url': page.finalUrl,
        'sa-credit-cost': String(cost),
      },
      // It converts bodies to text.
      body: page.body.toString(),
    };
  },
  troubles: {
    auth: failed(401, 'Unauthorized request, please make sure your API key is valid.'),
    credits: failed(403, 'You have exhausted the API Credits available in this monthly cycle.'),
    throttled: failed(429, 'You are sending requests too fast, and exceeding your concurrency limit.'),
    blocked: failed(500, EXHAUSTED, 403),
    unsupported: failed(403, 'This request would cost more than your max_cost.'),
    protocol: failed(500, EXHAUSTED),
  },
  asked({ url }: ApiRequest) {
    return { country: url.searchParams.get('country_code'), session: url.searchParams.get('session_number') };
  },
});

export const SCRAPERAPI = [scraperapi('scraperapi-http', false), scraperapi('scraperapi-browser', true)];
