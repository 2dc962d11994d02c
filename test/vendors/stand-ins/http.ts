import {
  type ApiRequest,
  type ApiResponse,
  jsonBody,
  KEY,
  PIXEL,
  query,
  Refused,
  type StandIn,
} from '../stand-in.ts';

const CREDITS = 3;

const json = (status: number, body: object): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '1' }) },
  body: JSON.stringify(body),
});

/** An API of JSON, with everything that a template can say. */
const HTTP_JSON: StandIn = {
  name: 'own-json',
  kind: 'http',
  described: 'an API made up for this test, with JSON',
  settings: {
    options: {
      method: 'POST',
      path: '/v1/fetch',
      headers: { 'X-Auth': 'Key {key}', 'X-Session': '{session}' },
      body: {
        target: { url: '{url}', method: '{method}', headers: '{headers}', cookies: '{cookies}' },
        payload: '{body_base64}',
        place: 'country-{country_lower}',
        follow: '{follow_redirects}',
        picture: '{screenshot}',
        wait_ms: '{timeout_ms}',
        tags: ['fixed', '{session}'],
      },
      answer: {
        body: '$.result.content',
        body_encoding: 'base64',
        status: '$.result.status',
        headers: '$.result.headers',
        cookies: '$.result.cookies',
        final_url: "$.result['final url']",
        credits: '$.cost.total',
        request_id: 'X-Id',
        screenshot: '$.pictures[0]',
        error: '$.error.code',
      },
      failures: { no_money: 'credits', walled: 'blocked', 404: 'protocol' },
    },
  },
  tells: { status: true, headers: true, cookies: true, finalUrl: true, credits: CREDITS },
  can: {
    post: true,
    headers: true,
    binary: true,
    country: true,
    session: true,
    screenshot: true,
    noRedirects: true,
    cookies: true,
    wait: false,
  },
  renders: false,
  async answer(request, fetchTarget) {
    if (request.method !== 'POST' || request.url.pathname !== '/v1/fetch')
      throw new Refused('no such endpoint');
    if (request.headers['x-auth'] !== `Key ${KEY}`) return json(401, { error: { code: 'no_key' } });
    if (request.headers['content-type'] !== 'application/json') throw new Refused('not JSON');
    const asked = jsonBody(request, ['target', 'payload', 'place', 'follow', 'picture', 'wait_ms', 'tags']);
    if (typeof asked.follow !== 'boolean' || typeof asked.picture !== 'boolean')
      throw new Refused('a boolean as text');
    if (!Number.isInteger(asked.wait_ms)) throw new Refused('a number as text');
    const { url, method, headers, cookies } = asked.target;
    const page = await fetchTarget({
      url,
      method,
      headers: { ...headers, ...(cookies !== undefined && { cookie: cookies }) },
      body: asked.payload === undefined ? null : Buffer.from(asked.payload, 'base64'),
      followRedirects: asked.follow,
    });
    return {
      headers: { 'content-type': 'application/json', 'x-id': 'id-1' },
      body: JSON.stringify({
        result: {
          content: page.body.toString('base64'),
          status: page.status,
          headers: page.headers.map(([name, value]) => ({ name, value })),
          cookies: [],
          'final url': page.finalUrl,
        },
        cost: { total: CREDITS },
        pictures: asked.picture ? [PIXEL.toString('base64')] : [],
        error: null,
      }),
    };
  },
  troubles: {
    auth: json(401, { error: { code: 'no_key' } }),
    credits: json(200, { error: { code: 'no_money' } }),
    throttled: json(429, {}),
    timeout: json(504, {}),
    blocked: json(200, { error: { code: 'walled' }, cost: { total: 1 } }),
    unsupported: json(422, {}),
    protocol: json(404, {}),
  },
  asked(request: ApiRequest) {
    const { place, tags } = JSON.parse(request.body.toString());
    return { country: place?.replace('country-', '') ?? null, session: tags[1] ?? null };
  },
};

/** An API that answers with the page, and says the rest in headers. */
const HTTP_RAW: StandIn = {
  name: 'own-raw',
  kind: 'http',
  described: 'an API made up for this test, with the page as its response',
  settings: {
    options: {
      path: '/?token={key}&url={url}&cc={country}&render=1',
      renders: true,
      answer: { body: 'raw', status: 'X-Page-Status', final_url: 'X-Page-Url', credits: 'X-Cost' },
    },
  },
  tells: { status: true, headers: false, cookies: false, finalUrl: true, credits: CREDITS },
  can: {
    post: false,
    headers: false,
    binary: false,
    country: true,
    session: false,
    screenshot: false,
    noRedirects: false,
    cookies: false,
    wait: false,
  },
  renders: true,
  async answer(request, fetchTarget) {
    const { token, url, cc } = query(request, ['token', 'url', 'cc', 'render']);
    if (token !== KEY) return { status: 401, body: '' };
    if (cc === '') throw new Refused('an empty country');
    const page = await fetchTarget({ url: url! });
    return {
      headers: {
        'x-page-status': String(page.status),
        'x-page-url': page.finalUrl,
        'x-cost': String(CREDITS),
      },
      body: page.body,
    };
  },
  troubles: {
    auth: { status: 401, body: '' },
    credits: { status: 402, body: '' },
    throttled: { status: 429, body: '' },
    protocol: { status: 500, body: '' },
  },
  asked: ({ url }: ApiRequest) => ({ country: url.searchParams.get('cc'), session: null }),
};

export const HTTP = [HTTP_JSON, HTTP_RAW];
