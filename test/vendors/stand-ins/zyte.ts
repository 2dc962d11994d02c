import { type ApiRequest, jsonBody, KEY, PIXEL, Refused, type StandIn } from '../stand-in.ts';

const MEMBERS = [
  'url',
  'httpResponseBody',
  'httpResponseHeaders',
  'httpRequestMethod',
  'httpRequestBody',
  'customHttpRequestHeaders',
  'requestCookies',
  'browserHtml',
  'screenshot',
  'javascript',
  'geolocation',
  'ipType',
  'followRedirect',
  'session',
];

const problem = (status: number, title: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'request-id': 'r-1' },
  body: JSON.stringify({ type: '/problem', title, status }),
});

const zyte = (name: string, render: boolean): StandIn => ({
  name,
  kind: 'zyte',
  described: 'https://docs.zyte.com/zyte-api/usage/reference.html',
  settings: { options: { render } },
  tells: { status: true, headers: true, cookies: false, finalUrl: true, credits: null },
  can: {
    post: !render,
    headers: !render,
    binary: !render,
    country: true,
    session: true,
    screenshot: render,
    noRedirects: !render,
    cookies: !render,
    wait: false,
  },
  renders: render,
  async answer(request, fetchTarget) {
    if (request.method !== 'POST' || request.url.pathname !== '/v1/extract')
      throw new Refused('no such endpoint');
    if (request.headers.authorization !== `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`)
      return problem(401, 'Authentication Key Not Found');
    const asked = jsonBody(request, MEMBERS);
    if (asked.httpResponseBody && (asked.browserHtml || asked.screenshot))
      throw new Refused('httpResponseBody and browserHtml exclude each other');
    if (
      asked.browserHtml &&
      (asked.httpRequestMethod || asked.httpRequestBody || asked.customHttpRequestHeaders)
    )
      throw new Refused('browserHtml takes no request method, body and headers');
    if (
      asked.session &&
      !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(asked.session.id)
    )
      throw new Refused('session.id is no UUID of version 4');
    const cookies = (asked.requestCookies ?? [])
      .filter(({ domain }: { domain: string }) => domain === new URL(asked.url).hostname)
      .map(({ name, value }: { name: string; value: string }) => `${name}=${value}`);
    const page = await fetchTarget({
      url: asked.url,
      method: asked.httpRequestMethod,
      headers: {
        ...Object.fromEntries(
          (asked.customHttpRequestHeaders ?? []).map((one: { name: string; value: string }) => [
            one.name,
            one.value,
          ]),
        ),
        ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      },
      body: asked.httpRequestBody === undefined ? null : Buffer.from(asked.httpRequestBody, 'base64'),
      followRedirects: asked.followRedirect,
    });
    return {
      headers: { 'content-type': 'application/json', 'request-id': 'r-1' },
      body: JSON.stringify({
        url: page.finalUrl,
        statusCode: page.status,
        httpResponseHeaders: page.headers.map(([one, value]) => ({ name: one, value })),
        ...(asked.httpResponseBody && { httpResponseBody: page.body.toString('base64') }),
        ...(asked.browserHtml && { browserHtml: page.body.toString() }),
        ...(asked.screenshot && { screenshot: PIXEL.toString('base64') }),
      }),
    };
  },
  troubles: {
    auth: problem(401, 'Authentication Key Not Found'),
    credits: problem(403, 'Account Suspended'),
    throttled: problem(429, 'Too Many Requests'),
    blocked: problem(520, 'Website Ban'),
    unsupported: problem(422, 'Unprocessable Request'),
    protocol: problem(500, 'Internal Server Error'),
  },
  asked(request: ApiRequest) {
    const { geolocation = null, session = null } = JSON.parse(request.body.toString());
    return { country: geolocation, session: session?.id ?? null };
  },
});

export const ZYTE = [zyte('zyte-http', false), zyte('zyte-browser', true)];
