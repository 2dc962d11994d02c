import { Type } from 'typebox';
import { closed } from '../../../domain/json-schema.ts';
import { SCRAPER_NAMES } from '../../../domain/scrapers.ts';
import type { Task } from '../../../domain/task.ts';
import { type VendorReason, type VendorSettings, VIA_NAME } from '../../../domain/vendors.ts';
import type { VendorAnswer, VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  ALL_METHODS,
  answered,
  base64OrNull,
  cookieList,
  headerList,
  member,
  numberOrNull,
  page,
  postJson,
  retryAfterMs,
  statusOrNull,
  textOrNull,
  trouble,
} from './shared.ts';

/** What the API takes as `timeout_ms`. */
const MIN_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 300_000;

/**
 * Another Sluice: `POST /api/v1/scrape/` of docs/contract.md. Its `request_cost` is in its own unit, so it counts as credits:
 * `price.per_credit` says what one unit of it is worth here. Screenshots are left out: the answer has only their URL.
 */
export const SLUICE: VendorKindSpec = {
  baseUrl: null,
  needsKey: true,
  proxyTypes: ['datacenter', 'residential', 'mobile'],
  anyProxyType: true,
  options: closed({
    scraper: Type.Optional(
      Type.Enum(['auto', ...SCRAPER_NAMES], { default: 'auto', description: 'scraper of the other Sluice' }),
    ),
  }),
  capabilities: (settings) => ({
    renders: mayRender(settings),
    methods: ALL_METHODS,
    headers: true,
    cookies: true,
    country: true,
    session: true,
    noRedirects: true,
    members: new Set(mayRender(settings) ? ['/wait_for_timeout_ms', '/scraper_options/javascript'] : []),
  }),
  /** The prices of the other Sluice are not known here. */
  maxCredits: () => null,
  build({ task, settings, proxyType, timeoutMs, session }) {
    const { waitForTimeoutMs } = task.browser;
    const { userAgent, javascript } = task.options;
    return postJson(
      '/api/v1/scrape/',
      {
        url: task.url,
        method: task.method,
        headers: headersOf(task),
        ...(task.body !== null && { data: dataOf(task.body) }),
        ...(task.cookies.length > 0 && { cookies: cookiesOf(task) }),
        timeout_ms: Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, timeoutMs)),
        allow_redirects: task.allowRedirects,
        ...(waitForTimeoutMs !== null && { wait_for_timeout_ms: waitForTimeoutMs }),
        scraper: settings.options.scraper ?? 'auto',
        scraper_options: {
          content_encoding: 'base64',
          ...(userAgent !== null && { user_agent: userAgent }),
          ...(!javascript && { javascript }),
        },
        proxy: {
          type: proxyType,
          ...(task.proxy.country !== null && { country: task.proxy.country }),
          ...(session !== null && { session, session_ttl_s: Math.ceil(task.proxy.sessionTtlMs / 1000) }),
        },
        router: { retain: task.router.retain, forward_credentials: task.router.forwardCredentials },
      },
      { authorization: `Api-Key ${settings.key}`, via: `1.1 ${VIA_NAME}` },
    );
  },
  read(reply): VendorAnswer {
    const json = reply.json();
    const credits = numberOrNull(member(member(json, 'router'), 'request_cost'));
    const charge = { credits, requestId: textOrNull(member(json, 'id')) ?? reply.header('x-request-id') };
    if (reply.status !== 200) return { ...failed(reply), ...charge, isCharged: (credits ?? 0) > 0 };
    const statusCode = statusOrNull(member(json, 'status_code'));
    const content = bodyOf(json);
    // Without content, a page of which at least the status is known is the answer to HEAD.
    if (content === null && statusCode === null)
      return trouble('protocol', 'answered without the page', { ...charge, isCharged: (credits ?? 0) > 0 });
    const headers = headerList(member(json, 'headers'));
    const type = headers?.find(([name]) => name === 'content-type')?.[1] ?? 'text/html';
    const scraper = textOrNull(member(member(json, 'router'), 'scraper')) ?? '';
    return page(content ?? new Uint8Array(), {
      ...charge,
      isCharged: credits !== 0,
      statusCode,
      headers,
      finalUrl: textOrNull(member(json, 'final_url')),
      cookies: cookieList(member(json, 'cookies')),
      isRendered: scraper.startsWith('browser') && /html/i.test(type),
    });
  },
};

const mayRender = ({ options }: VendorSettings): boolean =>
  options.scraper !== 'http' && options.scraper !== 'http_impersonate';

/** `{name: [value, …]}`, in the order of the caller. */
function headersOf({ headers }: Task): Readonly<Record<string, readonly string[]>> {
  const all: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    all[name] ??= [];
    all[name].push(value);
  }
  return all;
}

const dataOf = ({ bytes, contentType }: NonNullable<Task['body']>) => ({
  $base64: Buffer.from(bytes).toString('base64'),
  ...(contentType !== null && { content_type: contentType }),
});

const cookiesOf = ({ cookies }: Task) =>
  cookies.map(({ name, value, domain, path, secure, httpOnly, sameSite, expires, hostOnly }) => ({
    name,
    value,
    secure,
    http_only: httpOnly,
    ...(domain !== null && { domain, ...(hostOnly && { hostOnly }) }),
    ...(path !== null && { path }),
    ...(sameSite !== null && { same_site: sameSite }),
    ...(expires !== null && { expires }),
  }));

function bodyOf(json: unknown): Uint8Array | null {
  const content = textOrNull(member(json, 'content'));
  if (content === null) return null;
  return member(json, 'content_encoding') === 'base64' ? base64OrNull(content) : Buffer.from(content);
}

/** Reasons by the beginning of a code of docs/errors.md. `unsupported`: the target failed, or it may not be fetched. */
const REASONS: readonly (readonly [prefix: string, reason: VendorReason])[] = [
  ['auth.', 'auth'],
  ['budget.', 'credits'],
  ['limit.', 'throttled'],
  ['route.paced', 'throttled'],
  ['service.unavailable', 'throttled'],
  ['timeout.', 'timeout'],
  ['target.blocked', 'blocked'],
  ['proxy.failed', 'protocol'],
  ...['request.', 'policy.', 'route.', 'scraper.', 'proxy.'].map(
    (prefix) => [prefix, 'unsupported'] as const,
  ),
  ...['dns.', 'connect.', 'tls.', 'http.', 'redirect.'].map((prefix) => [prefix, 'unsupported'] as const),
];

function failed(reply: VendorReply) {
  const json = reply.json();
  const code = textOrNull(member(json, 'code')) ?? '';
  const reason = REASONS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'protocol';
  return trouble(reason, answered(reply.status, textOrNull(member(json, 'detail'))), {
    statusCode: statusOrNull(member(json, 'status_code')),
    retryAfterMs: reason === 'throttled' ? retryAfterMs(reply) : null,
  });
}
