import { Type } from 'typebox';
import type { HeaderList, TargetCookie } from '../../../domain/fetch-result.ts';
import { closed } from '../../../domain/json-schema.ts';
import type { PooledType, Task } from '../../../domain/task.ts';
import type { VendorReason } from '../../../domain/vendors.ts';
import type { VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  countryOf,
  creditsOf,
  headerList,
  member,
  numberHeader,
  numberOrNull,
  page,
  passedHeaders,
  queryOf,
  RENDER_OPTION,
  rendersPages,
  retryAfterMs,
  statusOrNull,
  textOrNull,
  timeoutWithin,
  trouble,
} from './shared.ts';

const POOLS: Readonly<Partial<Record<PooledType, string>>> = {
  datacenter: 'public_datacenter_pool',
  residential: 'public_residential_pool',
};
/** https://scrapfly.io/docs/scrape-api/billing. Large and binary bodies cost more; the cost that is reported counts. */
const CREDITS = { plain: 1, rendered: 6, residential: 25, residentialRendered: 30 };
/** Bounds of `timeout`, which is allowed without the retries of the service: https://scrapfly.io/docs/scrape-api/understand-timeout */
const LEAST_MS = 15_000;
const MOST_MS = 150_000;
/** Time of the service around the scrape. */
const OVERHEAD_MS = 5_000;
/** The target answered with an error: that is its page. */
const TARGET_ERROR = 'ERR::SCRAPE::BAD_UPSTREAM_RESPONSE';

/** Scrapfly, `/scrape`: https://scrapfly.io/docs/scrape-api/getting-started */
export const SCRAPFLY: VendorKindSpec = {
  baseUrl: 'https://api.scrapfly.io',
  needsKey: true,
  proxyTypes: ['datacenter', 'residential'],
  options: closed({
    render: RENDER_OPTION,
    asp: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'The service gets past bot walls, for as many credits as it needs.',
      }),
    ),
  }),
  capabilities: (settings) => ({
    renders: rendersPages(settings),
    methods: rendersPages(settings) ? ['GET'] : ['GET', 'POST', 'PUT', 'PATCH'],
    headers: true,
    cookies: true,
    country: true,
    session: true,
    noRedirects: false,
    members: new Set(rendersPages(settings) ? ['/wait_for_timeout_ms'] : []),
  }),
  maxCredits: (_task, proxyType, settings) =>
    settings.options.asp === true ? null : creditsOf(proxyType, settings, CREDITS),
  build({ task, proxyType, settings, session, timeoutMs }) {
    const query = queryOf({
      key: settings.key,
      url: task.url,
      proxy_pool: POOLS[proxyType as PooledType],
      country: countryOf(task),
      render_js: rendersPages(settings) || undefined,
      rendering_wait: task.browser.waitForTimeoutMs,
      asp: settings.options.asp === true || undefined,
      session,
      retry: false,
      timeout: timeoutWithin(timeoutMs - OVERHEAD_MS, LEAST_MS, MOST_MS),
      ...Object.fromEntries(
        Object.entries(passedHeaders(task)).map(([name, value]) => [`headers[${name}]`, value]),
      ),
    });
    return {
      method: task.method,
      path: `/scrape?${query}`,
      headers: {
        accept: 'application/json',
        ...(task.body?.contentType != null && { 'content-type': task.body.contentType }),
      },
      body: task.body?.bytes ?? null,
    };
  },
  read(reply, { task, settings }) {
    const json = reply.json();
    const result = member(json, 'result');
    const credits =
      numberOrNull(member(member(member(json, 'context'), 'cost'), 'total')) ??
      numberHeader(reply, 'x-scrapfly-api-cost');
    const charge = { credits, isCharged: (credits ?? 0) > 0, requestId: textOrNull(member(json, 'uuid')) };
    const code = codeOf(reply, json);
    const isPage = member(result, 'success') === true || code === TARGET_ERROR;
    if (!isPage) return { ...failed(reply, code), ...charge };
    const content = textOrNull(member(result, 'content'));
    const format = String(member(result, 'format') ?? 'text').toLowerCase();
    if (format === 'clob' || format === 'blob')
      return trouble('unsupported', 'keeps large bodies at another address, which is not fetched', charge);
    if (content === null) return trouble('protocol', 'answered without the page', charge);
    const isText = format !== 'binary';
    return page(Buffer.from(content, isText ? 'utf8' : 'base64'), {
      statusCode: statusOrNull(member(result, 'status_code')),
      headers: inUtf8(headerList(member(result, 'response_headers')), isText),
      finalUrl: textOrNull(member(result, 'url')),
      cookies: cookiesOf(member(result, 'cookies'), task),
      isRendered: isText && rendersPages(settings),
      ...charge,
    });
  },
};

/** The service converts text to UTF-8, but not its `Content-Type`. */
function inUtf8(headers: HeaderList | null, isText: boolean): HeaderList | null {
  if (headers === null || !isText) return headers;
  return headers.map(([name, value]): [string, string] => [
    name,
    name === 'content-type' ? value.replace(/;\s*charset=[^;]*/i, '; charset=utf-8') : value,
  ]);
}

function cookiesOf(value: unknown, { host }: Task): readonly TargetCookie[] | null {
  if (!Array.isArray(value)) return null;
  return value.flatMap((one): readonly TargetCookie[] => {
    const name = textOrNull(member(one, 'name'));
    if (name === null) return [];
    const expires = Date.parse(String(member(one, 'expires') ?? ''));
    return [
      {
        name,
        value: String(member(one, 'value') ?? ''),
        domain: textOrNull(member(one, 'domain')) || host,
        path: textOrNull(member(one, 'path')) || '/',
        expires: Number.isNaN(expires) ? null : Math.floor(expires / 1_000),
        secure: member(one, 'secure') === true,
        httpOnly: member(one, 'http_only') === true,
        sameSite: null,
      },
    ];
  });
}

const codeOf = (reply: VendorReply, json: unknown): string =>
  textOrNull(member(member(member(json, 'result'), 'error'), 'code')) ??
  textOrNull(member(json, 'code')) ??
  reply.header('x-scrapfly-reject-code') ??
  '';

/** https://scrapfly.io/docs/scrape-api/errors */
function failed(reply: VendorReply, code: string) {
  const detail = code || textOrNull(member(reply.json(), 'message'));
  return trouble(reasonOf(reply.status, code), answered(reply.status, detail), {
    retryAfterMs: retryAfterMs(reply),
  });
}

function reasonOf(status: number, code: string): VendorReason {
  if (status === 402 || /QUOTA|CREDIT|PAYMENT|SUSPENDED/.test(code)) return 'credits';
  if (status === 401 || status === 403) return 'auth';
  if (status === 429 || code.startsWith('ERR::THROTTLE::')) return 'throttled';
  if (status === 504 || code.endsWith('TIMEOUT')) return 'timeout';
  if (code.startsWith('ERR::ASP::')) return 'blocked';
  if (status === 400 || /NOT_ALLOWED|NOT_AVAILABLE|CONFIG/.test(code)) return 'unsupported';
  return 'protocol';
}
