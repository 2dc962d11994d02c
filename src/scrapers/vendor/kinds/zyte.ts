import type { HeaderList } from '../../../domain/fetch-result.ts';
import { closed, isObject } from '../../../domain/json-schema.ts';
import type { PooledType } from '../../../domain/task.ts';
import type { VendorCall, VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  ALL_METHODS,
  base64OrNull,
  headersOf,
  member,
  page,
  RENDER_OPTION,
  rendersPages,
  retryAfterMs,
  statusOrNull,
  textOrNull,
  trouble,
} from './shared.ts';

const IP_TYPES: Readonly<Partial<Record<PooledType, string>>> = {
  datacenter: 'datacenter',
  residential: 'residential',
};

/** Zyte API, `POST /v1/extract`: https://docs.zyte.com/zyte-api/usage/reference.html */
export const ZYTE: VendorKindSpec = {
  baseUrl: 'https://api.zyte.com',
  needsKey: true,
  proxyTypes: ['datacenter', 'residential'],
  options: closed({ render: RENDER_OPTION }),
  capabilities: (settings) =>
    rendersPages(settings)
      ? {
          renders: true,
          methods: ['GET'],
          headers: false,
          cookies: false,
          country: true,
          session: true,
          noRedirects: false,
          members: new Set(['/screenshot', '/scraper_options/javascript']),
        }
      : {
          renders: false,
          methods: ALL_METHODS,
          headers: true,
          cookies: true,
          country: true,
          session: true,
          noRedirects: true,
          members: new Set(),
        },
  /** The API tells no cost. */
  maxCredits: () => null,
  build(call) {
    const { settings } = call;
    return {
      method: 'POST',
      path: '/v1/extract',
      headers: {
        authorization: `Basic ${Buffer.from(`${settings.key}:`).toString('base64')}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ ...common(call), ...(rendersPages(settings) ? rendered(call) : plain(call)) }),
    };
  },
  read(reply, { settings }) {
    const requestId = reply.header('request-id');
    if (reply.status !== 200) return { ...failed(reply), requestId };
    const json = reply.json();
    const body = rendersPages(settings)
      ? textOrNull(member(json, 'browserHtml'))
      : base64OrNull(member(json, 'httpResponseBody'));
    if (body === null) return trouble('protocol', 'answered without the page', { requestId });
    return page(typeof body === 'string' ? Buffer.from(body) : body, {
      statusCode: statusOrNull(member(json, 'statusCode')),
      headers: headerPairs(member(json, 'httpResponseHeaders')),
      finalUrl: textOrNull(member(json, 'url')),
      isRendered: rendersPages(settings),
      screenshot: base64OrNull(member(json, 'screenshot')),
      requestId,
    });
  },
};

const common = ({ task, proxyType, session }: VendorCall) => ({
  url: task.url,
  httpResponseHeaders: true,
  ipType: IP_TYPES[proxyType as PooledType],
  ...(task.proxy.country !== null && { geolocation: task.proxy.country }),
  ...(session !== null && { session: { id: sessionId(session) } }),
});

/** The API takes a UUID of version 4 as the name of a session. */
const sessionId = (session: string): string =>
  session.replace(/^(.{8})(.{4}).(.{3})$/, '$1-$2-4$3-8000-000000000000');

const rendered = ({ task: { browser, options } }: VendorCall) => ({
  browserHtml: true,
  screenshot: browser.screenshot || undefined,
  javascript: options.javascript ? undefined : false,
});

const plain = ({ task }: VendorCall) => ({
  httpResponseBody: true,
  httpRequestMethod: task.method,
  followRedirect: task.allowRedirects,
  customHttpRequestHeaders: Object.entries(headersOf(task)).map(([name, value]) => ({ name, value })),
  ...(task.body !== null && { httpRequestBody: Buffer.from(task.body.bytes).toString('base64') }),
  ...(task.cookies.length > 0 && {
    requestCookies: task.cookies.map(({ name, value, domain, path }) => ({
      name,
      value,
      domain: domain ?? task.host,
      path: path ?? '/',
    })),
  }),
});

/** `[{name, value}]`; null: this is something else. */
function headerPairs(value: unknown): HeaderList | null {
  if (!Array.isArray(value)) return null;
  return value.flatMap(
    (one): HeaderList =>
      isObject(one) ? [[String(member(one, 'name')).toLowerCase(), String(member(one, 'value'))]] : [],
  );
}

/** https://docs.zyte.com/zyte-api/usage/errors.html */
function failed(reply: VendorReply) {
  const { status } = reply;
  const detail = textOrNull(member(reply.json(), 'title'));
  const rest = { retryAfterMs: retryAfterMs(reply) };
  const text = `answered ${status}${detail === null ? '' : `: ${detail.slice(0, 200)}`}`;
  if (status === 401) return trouble('auth', text);
  if (status === 403) return trouble(/suspend|credit|balance/i.test(detail ?? '') ? 'credits' : 'auth', text);
  if (status === 429 || status === 503) return trouble('throttled', text, rest);
  if (status === 520 || status === 521) return trouble('blocked', text);
  if (status === 422 || status === 400 || status === 451) return trouble('unsupported', text);
  return trouble('protocol', text);
}
