import { type ApiRequest, type ApiResponse, jsonBody, KEY, Refused, type StandIn } from '../stand-in.ts';

/** `ScrapeOptions`, and those of the endpoint. */
const MEMBERS = [
  'url',
  'formats',
  'onlyMainContent',
  'includeTags',
  'excludeTags',
  'maxAge',
  'headers',
  'waitFor',
  'mobile',
  'skipTlsVerification',
  'timeout',
  'parsers',
  'actions',
  'location',
  'removeBase64Images',
  'blockAds',
  'proxy',
  'storeInCache',
  'zeroDataRetention',
];

const json = (status: number, body: object): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const firecrawl = (name: string, isCloud: boolean): StandIn => ({
  name,
  kind: 'firecrawl',
  described:
    'https://docs.firecrawl.dev/api-reference/v2-openapi.json and https://github.com/firecrawl/firecrawl: apps/api/src/controllers/v2/scrape.ts',
  ...(!isCloud && { settings: { key: undefined } }),
  tells: { status: true, headers: false, cookies: false, finalUrl: true, credits: isCloud ? 1 : null },
  can: {
    post: false,
    headers: true,
    binary: false,
    pdf: true,
    country: true,
    session: false,
    screenshot: false,
    noRedirects: false,
    cookies: true,
    wait: true,
  },
  renders: true,
  async answer(request, fetchTarget) {
    if (request.method !== 'POST' || request.url.pathname !== '/v2/scrape')
      throw new Refused('no such endpoint');
    if (request.headers.authorization !== (isCloud ? `Bearer ${KEY}` : undefined))
      return json(401, { success: false, error: 'Unauthorized: Invalid token' });
    const asked = jsonBody(request, MEMBERS);
    if (JSON.stringify(asked.formats) !== '["rawHtml"]') throw new Refused('other formats than rawHtml');
    if (asked.maxAge !== 0 || asked.storeInCache !== false) throw new Refused('the cache is not off');
    if (!['basic', 'enhanced', 'auto'].includes(asked.proxy)) throw new Refused('no such proxy');
    if (!Number.isInteger(asked.timeout)) throw new Refused('timeout is no integer');
    const page = await fetchTarget({ url: asked.url, headers: asked.headers });
    const isPdf = page.body.subarray(0, 5).toString() === '%PDF-';
    if (isPdf && asked.parsers?.length !== 0) throw new Refused('each page of a PDF would cost a credit');
    return json(200, {
      success: true,
      data: {
        rawHtml: page.body.toString(isPdf ? 'base64' : 'utf8'),
        metadata: {
          sourceURL: asked.url,
          url: page.finalUrl,
          statusCode: page.status,
          proxyUsed: 'basic',
          cacheState: 'miss',
          scrapeId: 's-1',
          ...(isCloud && { creditsUsed: 1 }),
        },
      },
    });
  },
  troubles: {
    auth: json(401, { success: false, error: 'Unauthorized: Invalid token' }),
    credits: json(402, { success: false, error: 'Payment required to access this resource.' }),
    throttled: json(429, {
      success: false,
      error: 'Request rate limit exceeded. Please wait and try again later.',
    }),
    timeout: json(408, { success: false, code: 'SCRAPE_TIMEOUT', error: 'The scrape operation timed out.' }),
    blocked: json(500, {
      success: false,
      code: 'SCRAPE_ALL_ENGINES_FAILED',
      error: 'All scraping engines failed.',
    }),
    unsupported: json(200, {
      success: false,
      code: 'SCRAPE_DNS_RESOLUTION_ERROR',
      error: 'DNS resolution failed.',
    }),
    protocol: json(500, {
      success: false,
      code: 'UNKNOWN_ERROR',
      error: 'An unexpected error occurred on the server.',
    }),
  },
  asked(request: ApiRequest) {
    return { country: JSON.parse(request.body.toString()).location?.country ?? null, session: null };
  },
});

export const FIRECRAWL = [firecrawl('firecrawl-cloud', true), firecrawl('firecrawl-own', false)];
