import type { VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  base64OrNull,
  bearer,
  cookieList,
  cookiesFor,
  member,
  NO_OPTIONS,
  page,
  postJson,
  textOrNull,
  trouble,
} from './shared.ts';

/**
 * FlareSolverr 3, `POST /v1`: https://github.com/FlareSolverr/FlareSolverr. It tells no status and no headers: its `status` is
 * always 200. No sessions are made: each is a browser that the service keeps until it is told to end it. `request.post` is not
 * used: it makes a form of the body, without fields called `submit`. The service itself has no keys; one is sent for a proxy
 * in front of it.
 */
export const FLARESOLVERR: VendorKindSpec = {
  baseUrl: null,
  needsKey: false,
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
    members: new Set(['/screenshot']),
  }),
  maxCredits: () => null,
  build({ task, settings, timeoutMs }) {
    const cookies = cookiesFor(task).map(({ name, value }) => ({ name, value }));
    return postJson(
      '/v1',
      {
        cmd: 'request.get',
        url: task.url,
        maxTimeout: timeoutMs,
        ...(cookies.length > 0 && { cookies }),
        ...(task.browser.screenshot && { returnScreenshot: true }),
      },
      bearer(settings),
    );
  },
  read(reply) {
    const json = reply.json();
    const solution = member(json, 'solution');
    const html = textOrNull(member(solution, 'response'));
    if (reply.status !== 200 || member(json, 'status') !== 'ok') return failed(reply);
    if (html === null) return trouble('protocol', 'answered without the page');
    return page(Buffer.from(html), {
      finalUrl: textOrNull(member(solution, 'url')),
      cookies: cookieList(member(solution, 'cookies')),
      isRendered: true,
      screenshot: base64OrNull(member(solution, 'screenshot')),
    });
  },
};

/** All failures have the status 500, and a text. */
function failed(reply: VendorReply) {
  const detail = textOrNull(member(reply.json(), 'message'));
  const text = answered(reply.status, detail);
  if (reply.status === 401 || reply.status === 403) return trouble('auth', text);
  if (detail === null) return trouble('protocol', text);
  if (/timeout after/i.test(detail)) return trouble('timeout', text);
  if (/has blocked this request|captcha/i.test(detail)) return trouble('blocked', text);
  // The browser could not reach the target: no reason to leave the service alone.
  if (/net::ERR_|invalid cookie|Request parameter/i.test(detail)) return trouble('unsupported', text);
  return trouble('protocol', text);
}
