import { closed } from '../../../domain/json-schema.ts';
import type { VendorReason } from '../../../domain/vendors.ts';
import type { VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  countryOf,
  creditsOf,
  headersBehind,
  member,
  numberHeader,
  page,
  passedHeaders,
  queryOf,
  RENDER_OPTION,
  rendersPages,
  retryAfterMs,
  sessionNumber,
  textOrNull,
  trouble,
} from './shared.ts';

/** https://docs.zenrows.com/first-steps/pricing */
const CREDITS = { plain: 1, rendered: 5, residential: 10, residentialRendered: 25 };
const SESSIONS = 99_999;
/** Errors of the target that its page is wanted of. Blocks are not among them: the service tries those again, and charges none. */
const PAGE_STATUSES = '400,401,404,405,406,409,410,415,451';
/** Headers of the service itself; the others with its prefix are the target's. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['final-url', 'cookies']);

/**
 * ZenRows: https://docs.zenrows.com/universal-scraper-api/api-reference. It takes no time limit. Countries are those of its premium
 * proxies.
 */
export const ZENROWS: VendorKindSpec = {
  baseUrl: 'https://api.zenrows.com',
  needsKey: true,
  proxyTypes: ['datacenter', 'residential'],
  options: closed({ render: RENDER_OPTION }),
  capabilities: (settings) => ({
    renders: rendersPages(settings),
    methods: rendersPages(settings) ? ['GET'] : ['GET', 'POST', 'PUT'],
    headers: true,
    cookies: true,
    country: !settings.proxyTypes.includes('datacenter'),
    session: true,
    noRedirects: false,
    members: new Set(rendersPages(settings) ? ['/wait_for_timeout_ms'] : []),
  }),
  maxCredits: (_task, proxyType, settings) => creditsOf(proxyType, settings, CREDITS),
  build({ task, proxyType, settings, session }) {
    const headers = passedHeaders(task);
    const query = queryOf({
      apikey: settings.key,
      url: task.url,
      js_render: rendersPages(settings) || undefined,
      wait: task.browser.waitForTimeoutMs,
      premium_proxy: proxyType !== 'datacenter' || undefined,
      proxy_country: countryOf(task),
      session_id: sessionNumber(session, SESSIONS),
      custom_headers: Object.keys(headers).length > 0 || undefined,
      original_status: true,
      allowed_status_codes: PAGE_STATUSES,
    });
    return { method: task.method as 'GET', path: `/v1/?${query}`, headers, body: task.body?.bytes ?? null };
  },
  read(reply, { settings }) {
    // `X-Request-Cost` is in dollars.
    const credits = numberHeader(reply, 'x-request-credits');
    const requestId = reply.header('x-request-id');
    const headers = headersBehind(reply, 'zr-');
    const code = errorCode(reply);
    if (code !== null || headers.length === 0)
      return { ...failed(reply, code), credits, isCharged: isTargetCode(code), requestId };
    return page(reply.body, {
      statusCode: reply.status,
      headers: headers.filter(([name]) => !OWN_HEADERS.has(name)),
      finalUrl: reply.header('zr-final-url'),
      isRendered: rendersPages(settings),
      credits,
      requestId,
    });
  },
};

/** The code of an error of the service; null: this is none. */
function errorCode(reply: VendorReply): string | null {
  if (reply.status < 400) return null;
  const code = textOrNull(member(reply.json(), 'code'));
  return code !== null && /^[A-Z]{3,4}\d{3,4}$/.test(code) ? code : null;
}

/** There is no such page or host, which is charged. */
const isTargetCode = (code: string | null): boolean => code === 'RESP002' || code === 'RESP007';

/** https://docs.zenrows.com/api-error-codes */
function failed(reply: VendorReply, code: string | null) {
  const json = reply.json();
  const title = textOrNull(member(json, 'title')) ?? textOrNull(member(json, 'message'));
  const detail = code === null ? null : title === null ? code : `${code}, ${title}`;
  return trouble(reasonOf(reply.status, code ?? ''), answered(reply.status, detail), {
    statusCode: code === 'RESP002' ? 404 : null,
    retryAfterMs: retryAfterMs(reply),
  });
}

const REASONS: readonly (readonly [codes: RegExp, reason: VendorReason])[] = [
  [/^AUTH0(04|11)$/, 'credits'],
  [/^(AUTH0(06|08)|BLK)/, 'throttled'],
  [/^AUTH01[02]$/, 'unsupported'],
  [/^AUTH/, 'auth'],
  [/^RESP00[16]$/, 'blocked'],
  [/^(REQS|RESP)/, 'unsupported'],
  [/^CTX/, 'timeout'],
];

function reasonOf(status: number, code: string): VendorReason {
  const found = REASONS.find(([codes]) => codes.test(code));
  if (found !== undefined) return found[1];
  if (status === 401) return 'auth';
  if (status === 402) return 'credits';
  if (status === 429) return 'throttled';
  if (status === 504) return 'timeout';
  return 'protocol';
}
