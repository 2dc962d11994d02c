import { type ApiRequest, type ApiResponse, jsonBody, KEY, Refused, type StandIn } from '../stand-in.ts';

const MEMBERS = [
  'source',
  'url',
  'render',
  'geo_location',
  'user_agent_type',
  'content_encoding',
  'context',
  'browser_instructions',
];
const CONTEXT = [
  'force_headers',
  'force_cookies',
  'headers',
  'cookies',
  'http_method',
  'content',
  'session_id',
  'follow_redirects',
  'successful_status_codes',
];
const USER = 'user:';

const failure = (status: number, message: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});
const result = (status: number, content: string, headers: object | null): ApiResponse => ({
  headers: { 'content-type': 'application/json', 'x-oxylabs-job-id': '7508980357849459714' },
  body: JSON.stringify({
    results: [
      {
        content,
        page: 1,
        job_id: '7508980357849459714',
        is_render_forced: false,
        status_code: status,
        type: 'raw',
        _response: { cookies: [], headers },
      },
    ],
    job: { id: '7508980357849459714', status: status === 613 ? 'faulted' : 'done' },
  }),
});

const contextOf = (list: readonly { key: string; value: unknown }[]) => {
  const unknown = list.map(({ key }) => key).filter((key) => !CONTEXT.includes(key));
  if (unknown.length > 0) throw new Refused(`unknown context: ${unknown.join(', ')}`);
  // biome-ignore lint/suspicious/noExplicitAny: what a wrong type leads to is a failing test
  return Object.fromEntries(list.map(({ key, value }) => [key, value])) as Record<string, any>;
};

const oxylabs = (name: string, render: boolean): StandIn => ({
  name,
  kind: 'oxylabs',
  described:
    'https://developers.oxylabs.io/api-targets/overview and https://developers.oxylabs.io/scraper-apis/web-scraper-api/response-codes',
  settings: { key: `${USER}${KEY}`, options: { render } },
  tells: { status: true, headers: true, cookies: false, finalUrl: false, credits: null },
  can: {
    post: !render,
    headers: true,
    binary: !render,
    country: true,
    session: true,
    screenshot: false,
    noRedirects: true,
    cookies: true,
    wait: false,
  },
  renders: render,
  async answer(request, fetchTarget) {
    if (request.method !== 'POST' || request.url.pathname !== '/v1/queries')
      throw new Refused('no such endpoint');
    if (request.headers.authorization !== `Basic ${Buffer.from(USER + KEY).toString('base64')}`)
      return { status: 401, body: '' };
    const asked = jsonBody(request, MEMBERS);
    if (asked.source !== 'universal') return failure(400, 'Unsupported source.');
    if ((asked.render === 'html') !== render) throw new Refused('render');
    const context = contextOf(asked.context);
    if (context.headers && context.force_headers !== true) throw new Refused('headers without force_headers');
    if (context.cookies && context.force_cookies !== true) throw new Refused('cookies without force_cookies');
    const cookie = (context.cookies ?? [])
      .map((one: { key: string; value: string }) => `${one.key}=${one.value}`)
      .join('; ');
    const page = await fetchTarget({
      url: asked.url,
      method: context.http_method?.toUpperCase(),
      headers: { ...context.headers, ...(cookie !== '' && { cookie }) },
      body: context.content === undefined ? null : Buffer.from(context.content, 'base64'),
      followRedirects: context.follow_redirects,
    });
    return result(
      page.status,
      page.body.toString(asked.content_encoding === 'base64' ? 'base64' : 'utf8'),
      Object.fromEntries(page.headers),
    );
  },
  troubles: {
    auth: { status: 401, body: '' },
    throttled: failure(429, 'Too many requests. (Total Dynamic).'),
    timeout: failure(408, 'Timed out.'),
    blocked: result(613, '', null),
    unsupported: failure(400, 'Parameter `url` has invalid top level domain format.'),
    protocol: failure(500, 'Internal Server Error'),
  },
  asked(request: ApiRequest) {
    const { geo_location: country = null, context } = JSON.parse(request.body.toString());
    return {
      country: country === 'Germany' ? 'DE' : country,
      session: contextOf(context).session_id ?? null,
    };
  },
});

export const OXYLABS = [oxylabs('oxylabs-http', false), oxylabs('oxylabs-browser', true)];
