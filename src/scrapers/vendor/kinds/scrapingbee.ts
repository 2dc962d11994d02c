import { closed } from '../../../domain/json-schema.ts';
import type { ProxyType, Task } from '../../../domain/task.ts';
import type { VendorReason, VendorSettings } from '../../../domain/vendors.ts';
import type { VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  base64OrNull,
  cookieHeader,
  countryOf,
  creditsOf,
  headerList,
  headersBehind,
  headersOf,
  member,
  numberOrNull,
  page,
  queryOf,
  RENDER_OPTION,
  rendersPages,
  retryAfterMs,
  sessionNumber,
  statusOrNull,
  textOrNull,
  timeoutWithin,
  trouble,
} from './shared.ts';

/** https://help.scrapingbee.com/en/article/credit-system-explained-1h2ackp/ */
const CREDITS = { plain: 1, rendered: 5, residential: 10, residentialRendered: 25 };
const GOOGLE_CREDITS = 20;
const SESSIONS = 10_000_000;
const LEAST_MS = 1_000;
const MOST_MS = 140_000;
/** Headers of the service itself; the others with its prefix are the target's. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'cost',
  'initial-status-code',
  'resolved-url',
  'auto-cost',
]);

/**
 * ScrapingBee, HTML API: https://www.scrapingbee.com/documentation/. It sends each body as a form, so that there is no POST. Countries
 * are those of its premium proxies.
 */
export const SCRAPINGBEE: VendorKindSpec = {
  baseUrl: 'https://app.scrapingbee.com/api',
  needsKey: true,
  proxyTypes: ['datacenter', 'residential'],
  options: closed({ render: RENDER_OPTION }),
  capabilities: (settings) => ({
    renders: rendersPages(settings),
    methods: ['GET'],
    headers: true,
    cookies: true,
    country: !settings.proxyTypes.includes('datacenter'),
    session: true,
    noRedirects: false,
    members: new Set(rendersPages(settings) ? ['/screenshot', '/wait_for_timeout_ms'] : []),
  }),
  maxCredits,
  build({ task, proxyType, settings, session, timeoutMs }) {
    const headers = Object.entries(headersOf(task)).map(([name, value]) => [`Spb-${name}`, value]);
    const query = queryOf({
      api_key: settings.key,
      url: task.url,
      render_js: rendersPages(settings),
      wait: task.browser.waitForTimeoutMs,
      premium_proxy: proxyType !== 'datacenter' || undefined,
      country_code: countryOf(task),
      session_id: sessionNumber(session, SESSIONS),
      cookies: cookieHeader(task)?.replaceAll('; ', ';'),
      forward_headers: headers.length > 0 || undefined,
      transparent_status_code: true,
      timeout: timeoutWithin(timeoutMs, LEAST_MS, MOST_MS),
      ...(task.browser.screenshot && { screenshot: true, json_response: true }),
    });
    return { method: 'GET', path: `/v1/?${query}`, headers: Object.fromEntries(headers), body: null };
  },
  read(reply, { task, settings }) {
    const json = task.browser.screenshot ? reply.json() : undefined;
    const tell = (name: string): unknown => reply.header(`spb-${name}`) ?? member(json, name);
    const cost = tell('cost');
    const credits = cost === undefined ? null : numberOrNull(Number(cost));
    const charge = { credits, isCharged: (credits ?? 0) > 0, requestId: null };
    // Without it, the status is that of the service. It is the first of the target's; the last one is the status of the reply.
    if (statusOrNull(tell('initial-status-code')) === null) return { ...failed(reply), ...charge };
    const body = json === undefined ? reply.body : bodyOf(json);
    if (body === null) return trouble('protocol', 'answered without the page', charge);
    return page(body, {
      statusCode: reply.status,
      headers:
        json === undefined
          ? headersBehind(reply, 'spb-').filter(([name]) => !OWN_HEADERS.has(name))
          : headerList(member(json, 'headers')),
      finalUrl: textOrNull(tell('resolved-url')),
      isRendered: rendersPages(settings),
      screenshot: base64OrNull(member(json, 'screenshot')),
      ...charge,
    });
  },
};

function maxCredits({ host }: Task, proxyType: ProxyType, settings: VendorSettings): number {
  const credits = creditsOf(proxyType, settings, CREDITS);
  return /(^|\.)google\.[a-z.]+$/.test(host) ? Math.max(GOOGLE_CREDITS, credits) : credits;
}

function bodyOf(json: unknown): Uint8Array | null {
  const body = member(json, 'body');
  if (body === undefined || body === null) return null;
  if (member(json, 'type') === 'b64_bytes') return base64OrNull(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** https://www.scrapingbee.com/documentation/#response-status-code */
function failed(reply: VendorReply) {
  const json = reply.json();
  const detail = textOrNull(member(json, 'message')) ?? textOrNull(member(json, 'error'));
  return trouble(reasonOf(reply.status, detail ?? ''), answered(reply.status, detail), {
    retryAfterMs: retryAfterMs(reply),
  });
}

function reasonOf(status: number, detail: string): VendorReason {
  if (status === 402 || (status === 401 && /credit|limit/i.test(detail))) return 'credits';
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'throttled';
  if (status === 504 || /time(d )?-?out/i.test(detail)) return 'timeout';
  if (status === 400) return 'unsupported';
  return 'protocol';
}
