import { closed } from '../../../domain/json-schema.ts';
import type { VendorAnswer, VendorCall, VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  base64OrNull,
  cookiesFor,
  headerList,
  headersOf,
  member,
  page,
  postJson,
  RENDER_OPTION,
  rendersPages,
  retryAfterMs,
  statusOrNull,
  textOrNull,
  trouble,
} from './shared.ts';

/** Statuses of the service in place of that of the target. */
const FAULTED = 613;
const INTERNAL_ERROR = 612;

/**
 * Web Scraper API of Oxylabs, the source `universal`, in real time: https://developers.oxylabs.io/api-targets/overview. The key is
 * `user:password` of an API user. The service chooses its proxies itself. A screenshot would come in place of the page.
 */
export const OXYLABS: VendorKindSpec = {
  baseUrl: 'https://realtime.oxylabs.io',
  needsKey: true,
  proxyTypes: ['residential'],
  options: closed({ render: RENDER_OPTION }),
  capabilities: (settings) => ({
    renders: rendersPages(settings),
    methods: rendersPages(settings) ? ['GET'] : ['GET', 'POST'],
    headers: true,
    cookies: true,
    country: true,
    session: true,
    noRedirects: true,
    members: new Set(),
  }),
  /** Paid by result; the API tells no cost. */
  maxCredits: () => null,
  build(call) {
    const { task, settings } = call;
    return postJson(
      '/v1/queries',
      {
        source: 'universal',
        url: task.url,
        ...(rendersPages(settings) ? { render: 'html' } : { content_encoding: 'base64' }),
        ...(task.proxy.country !== null && { geo_location: countryName(task.proxy.country) }),
        context: contextOf(call).map(([key, value]) => ({ key, value })),
      },
      { authorization: `Basic ${Buffer.from(settings.key ?? '').toString('base64')}` },
    );
  },
  read(reply, { settings }): VendorAnswer {
    const results = member(reply.json(), 'results');
    const result: unknown = Array.isArray(results) ? results[0] : undefined;
    const requestId = textOrNull(member(result, 'job_id')) ?? reply.header('x-oxylabs-job-id');
    if (reply.status !== 200) return { ...failed(reply), requestId };
    const status = member(result, 'status_code');
    if (status === FAULTED)
      return trouble('blocked', 'did not get the page after many tries (613)', { requestId });
    if (status === INTERNAL_ERROR) return trouble('protocol', 'failed (612)', { requestId });
    const content = member(result, 'content');
    const rendered = textOrNull(content);
    const body = rendersPages(settings) ? rendered && Buffer.from(rendered) : base64OrNull(content);
    if (body === null || body === '') return trouble('protocol', 'answered without the page', { requestId });
    return page(body, {
      statusCode: statusOrNull(status),
      headers: headerList(member(member(result, '_response'), 'headers')),
      isRendered: rendersPages(settings),
      requestId,
    });
  },
};

/** https://developers.oxylabs.io/products/web-scraper-api/features/http-context-and-job-management/headers-cookies-method */
function contextOf({ task, session }: VendorCall): readonly (readonly [key: string, value: unknown])[] {
  const headers = headersOf(task);
  const cookies = cookiesFor(task).map(({ name, value }) => ({ key: name, value }));
  return [
    ['follow_redirects', task.allowRedirects],
    ...(session === null ? [] : [['session_id', session] as const]),
    ...(Object.keys(headers).length === 0
      ? []
      : [['force_headers', true] as const, ['headers', headers] as const]),
    ...(cookies.length === 0 ? [] : [['force_cookies', true] as const, ['cookies', cookies] as const]),
    ...(task.method === 'GET' ? [] : [['http_method', task.method.toLowerCase()] as const]),
    ...(task.body === null ? [] : [['content', Buffer.from(task.body.bytes).toString('base64')] as const]),
  ];
}

/** Countries whose name at Oxylabs is not the English one of Unicode. */
const NAMES: Readonly<Record<string, string>> = {
  AX: 'Aaland Islands',
  BN: 'Brunei Darussalam',
  BO: 'Bolivia Plurinational State of',
  CD: 'Congo the Democratic Republic of the',
  CG: 'Congo',
  CI: 'Côte dIvoire',
  CV: 'Cabo Verde',
  HK: 'Hong Kong',
  IR: 'Iran Islamic Republic of',
  VA: 'Holy See',
};
const ENGLISH = new Intl.DisplayNames('en', { type: 'region' });

/** https://developers.oxylabs.io/products/web-scraper-api/features/localization/proxy-location */
const countryName = (code: string): string => NAMES[code] ?? ENGLISH.of(code) ?? code;

/** https://developers.oxylabs.io/scraper-apis/web-scraper-api/response-codes */
function failed(reply: VendorReply) {
  const { status } = reply;
  const text = answered(status, textOrNull(member(reply.json(), 'message')));
  if (status === 401 || status === 403) return trouble('auth', text);
  if (status === 402) return trouble('credits', text);
  if (status === 429) return trouble('throttled', text, { retryAfterMs: retryAfterMs(reply) });
  if (status === 408 || status === 524) return trouble('timeout', text);
  if (status === 400 || status === 422) return trouble('unsupported', text);
  return trouble('protocol', text);
}
