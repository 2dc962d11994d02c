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

/** https://scrape.do/documentation/ */
const PARAMETERS = [
  'token',
  'url',
  'super',
  'render',
  'device',
  'sessionId',
  'geoCode',
  'regionalGeoCode',
  'waitUntil',
  'customWait',
  'waitSelector',
  'width',
  'height',
  'returnJSON',
  'blockResources',
  'screenShot',
  'fullScreenShot',
  'customHeaders',
  'extraHeaders',
  'forwardHeaders',
  'setCookies',
  'disableRedirection',
  'timeout',
  'retryTimeout',
  'disableRetry',
  'transparentResponse',
  'pureCookies',
];
/** https://scrape.do/documentation/api-response/post-put-request */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'HEAD', 'DELETE'];

function costOf({ render, super: isSuper }: Readonly<Record<string, string>>): number {
  if (isSuper === 'true') return render === 'true' ? 25 : 10;
  return render === 'true' ? 5 : 1;
}

const failed = (status: number, message: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    StatusCode: status,
    Message: [message],
    URL: 'x',
    PossibleCauses: [],
    ErrorType: 'x',
  }),
});

function refuse(asked: Readonly<Record<string, string>>, render: boolean): void {
  if ((asked.render === 'true') !== render) throw new Refused('render is not what the operator set');
  if (asked.super === 'true') throw new Refused('super was not asked for');
  if (asked.setCookies !== undefined && asked.extraHeaders === 'true')
    throw new Refused('setCookies and extraHeaders exclude each other');
  if (asked.returnJSON === 'true' && !render) throw new Refused('returnJSON needs render');
  if (asked.screenShot === 'true' && asked.returnJSON !== 'true')
    throw new Refused('screenShot needs returnJSON');
  if (
    asked.sessionId !== undefined &&
    !(/^\d+$/.test(asked.sessionId) && Number(asked.sessionId) <= 1_000_000)
  )
    throw new Refused('sessionId is no number up to 1000000');
  if (asked.timeout !== undefined && (Number(asked.timeout) < 5_000 || Number(asked.timeout) > 120_000))
    throw new Refused('timeout is not within 5000 and 120000');
}

function answerOf(
  page: TargetResponse,
  first: TargetResponse,
  asked: Readonly<Record<string, string>>,
): ApiResponse {
  const location = page.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const json = asked.returnJSON === 'true';
  return {
    status: page.status,
    headers: {
      ...Object.fromEntries(
        page.headers.filter(([name]) => !/^(connection|content-length|location|transfer-)/i.test(name)),
      ),
      ...(json && { 'Content-Type': 'application/json' }),
      ...(location !== undefined && { 'Scrape.do-Target-Redirected-Location': location }),
      'Scrape.do-Initial-Status-Code': String(first.status),
      'Scrape.do-Resolved-Url': page.finalUrl,
      'Scrape.do-Target-Url': asked.url!,
      'Scrape.do-Request-Cost': String(costOf(asked)),
      'Scrape.do-Remaining-Credits': '1000',
      'Scrape.do-Request-Id': 'r-1',
    },
    body: json
      ? JSON.stringify({
          statusCode: page.status,
          content: page.body.toString(),
          networkRequests: [],
          screenShots: [{ type: 'ScreenShot', image: PIXEL.toString('base64'), error: null }],
        })
      : page.body,
  };
}

const scrapedo = (name: string, render: boolean): StandIn => ({
  name,
  kind: 'scrapedo',
  described: 'https://scrape.do/documentation/',
  settings: { options: { render } },
  tells: {
    status: true,
    headers: true,
    cookies: false,
    finalUrl: true,
    credits: costOf({ render: String(render) }),
  },
  can: {
    post: !render,
    headers: true,
    binary: !render,
    country: true,
    session: true,
    screenshot: render,
    noRedirects: !render,
    cookies: true,
    wait: render,
  },
  renders: render,
  async answer(request, fetchTarget) {
    if (!METHODS.includes(request.method) || request.url.pathname !== '/')
      throw new Refused('no such endpoint');
    const asked = query(request, PARAMETERS);
    if (asked.token !== KEY) return failed(401, 'Your token is invalid');
    refuse(asked, render);
    const target = {
      url: asked.url!,
      method: request.method,
      headers: asked.extraHeaders === 'true' ? headersOf(request) : {},
      body: request.method === 'GET' ? null : request.body,
    };
    const first = await fetchTarget({ ...target, followRedirects: false });
    const page =
      asked.disableRedirection === 'true' || first.status < 300 ? first : await fetchTarget(target);
    if (asked.transparentResponse !== 'true' && page.status >= 400) return failed(502, 'Request has failed');
    return answerOf(page, first, asked);
  },
  troubles: {
    auth: failed(401, 'Your token is invalid'),
    credits: failed(401, 'You have no credits or your subscription has been suspended'),
    throttled: failed(429, 'You are sending requests too quickly'),
    timeout: failed(510, 'The request was canceled'),
    unsupported: failed(400, 'Bad request: geoCode is not supported'),
    protocol: failed(502, 'Request has failed. Please try again'),
  },
  asked({ url }: ApiRequest) {
    return { country: url.searchParams.get('geoCode'), session: url.searchParams.get('sessionId') };
  },
});

/** Headers with the prefix `sd-`, without it. */
function headersOf({ headers }: ApiRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      name.startsWith('sd-') ? [[name.slice(3), String(value)]] : [],
    ),
  );
}

export const SCRAPEDO = [scrapedo('scrapedo-http', false), scrapedo('scrapedo-browser', true)];
