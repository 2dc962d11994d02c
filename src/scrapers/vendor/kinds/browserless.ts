import type { VendorAnswer, VendorCall, VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  base64OrNull,
  cookieList,
  member,
  NO_OPTIONS,
  page,
  postJson,
  retryAfterMs,
  statusOrNull,
  textOrNull,
  trouble,
} from './shared.ts';

/** A longer URL is cut by the service. */
const MAX_TOLD_URL = 999;

/**
 * browserless 2: https://docs.browserless.io/rest-apis/content. A page comes from `/content`; one with its screenshot from
 * `/scrape`, the endpoint that returns both. Headers are not sent: the service adds them to every request of the page, also to
 * other hosts. Scripts cannot be switched off: the service ignores `setJavaScriptEnabled: false`.
 */
export const BROWSERLESS: VendorKindSpec = {
  /** The hosted service has one for each region. */
  baseUrl: null,
  needsKey: true,
  proxyTypes: ['datacenter'],
  anyProxyType: true,
  options: NO_OPTIONS,
  capabilities: () => ({
    renders: true,
    methods: ['GET'],
    headers: false,
    cookies: true,
    country: false,
    session: false,
    noRedirects: false,
    members: new Set(['/screenshot', '/wait_for_timeout_ms']),
  }),
  maxCredits: () => null,
  build(call) {
    const { task, settings, timeoutMs } = call;
    const query = new URLSearchParams({ token: settings.key ?? '', timeout: String(timeoutMs) });
    const { screenshot, waitForTimeoutMs } = task.browser;
    return postJson(
      `${screenshot ? '/scrape' : '/content'}?${query}`,
      {
        url: task.url,
        gotoOptions: { timeout: timeoutMs },
        ...(waitForTimeoutMs !== null && { waitForTimeout: waitForTimeoutMs }),
        ...(task.cookies.length > 0 && { cookies: cookiesOf(call) }),
        ...(screenshot && { elements: [], debugOpts: { html: true, cookies: true, screenshot: true } }),
      },
      { accept: '*/*' },
    );
  },
  read(reply, { task }): VendorAnswer {
    if (reply.status !== 200) return failed(reply);
    const debug = task.browser.screenshot ? member(reply.json(), 'debug') : null;
    const html = task.browser.screenshot ? textOrNull(member(debug, 'html')) : reply.body;
    const statusCode = statusOrNull(reply.header('x-response-code'));
    const url = reply.header('x-response-url');
    if (html === null || (statusCode === null && !isHtml(reply)))
      return trouble('protocol', 'answered without the page');
    return page(typeof html === 'string' ? Buffer.from(html) : html, {
      statusCode,
      finalUrl: url === null || url.length > MAX_TOLD_URL ? null : url,
      cookies: cookieList(member(debug, 'cookies')),
      isRendered: true,
      screenshot: base64OrNull(member(debug, 'screenshot')),
    });
  },
};

const isHtml = (reply: VendorReply): boolean => /^text\/html/i.test(reply.header('content-type') ?? '');

const cookiesOf = ({ task }: VendorCall) =>
  task.cookies.map(({ name, value, domain, path }) => ({
    name,
    value,
    ...(domain === null ? { url: task.url } : { domain }),
    ...(path !== null && { path }),
  }));

/** https://docs.browserless.io/baas/troubleshooting/http-error-codes */
function failed(reply: VendorReply) {
  const { status } = reply;
  const detail = new TextDecoder().decode(reply.body.subarray(0, 1000));
  const text = answered(status, detail.startsWith('<') ? null : detail);
  if (status === 401 || status === 403) return trouble('auth', text);
  if (status === 402) return trouble('credits', text);
  if (status === 408 || status === 504) return trouble('timeout', text);
  if (status === 429 || status === 503)
    return trouble('throttled', text, { retryAfterMs: retryAfterMs(reply) });
  // `net::ERR_…`: the browser could not reach the target.
  if (status === 400 || detail.includes('net::ERR_')) return trouble('unsupported', text);
  return trouble('protocol', text);
}
