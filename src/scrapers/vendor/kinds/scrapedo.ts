import type { HeaderList } from '../../../domain/fetch-result.ts';
import { closed } from '../../../domain/json-schema.ts';
import type { Task } from '../../../domain/task.ts';
import type { VendorReason } from '../../../domain/vendors.ts';
import type { VendorCall, VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  base64OrNull,
  countryOf,
  creditsOf,
  member,
  numberHeader,
  page,
  passedHeaders,
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

/** https://scrape.do/documentation/request-costs/. Some sites cost more; the cost that is reported counts. */
const CREDITS = { plain: 1, rendered: 5, residential: 10, residentialRendered: 25 };
const SESSIONS = 1_000_001;
const LEAST_MS = 5_000;
const MOST_MS = 120_000;
const PREFIX = 'scrape.do-';
/** Headers of the connection to the service. */
const NOT_THE_PAGES: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'transfer-encoding',
]);

/** Scrape.do, API mode: https://scrape.do/documentation/ */
export const SCRAPEDO: VendorKindSpec = {
  baseUrl: 'https://api.scrape.do',
  needsKey: true,
  proxyTypes: ['datacenter', 'residential'],
  options: closed({ render: RENDER_OPTION }),
  capabilities: (settings) => ({
    renders: rendersPages(settings),
    methods: rendersPages(settings) ? ['GET'] : ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    headers: true,
    cookies: true,
    country: true,
    session: true,
    noRedirects: !rendersPages(settings),
    members: new Set(rendersPages(settings) ? ['/screenshot', '/wait_for_timeout_ms'] : []),
  }),
  maxCredits: (_task, proxyType, settings) => creditsOf(proxyType, settings, CREDITS),
  build({ task, proxyType, settings, session, timeoutMs }) {
    const headers = extraHeaders(task);
    const query = queryOf({
      token: settings.key,
      url: task.url,
      render: rendersPages(settings) || undefined,
      customWait: task.browser.waitForTimeoutMs,
      super: proxyType !== 'datacenter' || undefined,
      geoCode: countryOf(task),
      sessionId: sessionNumber(session, SESSIONS),
      extraHeaders: Object.keys(headers).length > 0 || undefined,
      disableRedirection: task.allowRedirects ? undefined : true,
      transparentResponse: true,
      timeout: timeoutWithin(timeoutMs, LEAST_MS, MOST_MS),
      ...(task.browser.screenshot && { screenShot: true, returnJSON: true }),
    });
    return {
      method: task.method as 'GET',
      path: `/?${query}`,
      headers: {
        ...headers,
        ...(task.body?.contentType != null && { 'content-type': task.body.contentType }),
      },
      body: task.body?.bytes ?? null,
    };
  },
  read(reply, call) {
    const credits = numberHeader(reply, `${PREFIX}request-cost`);
    const requestId = reply.header(`${PREFIX}request-id`);
    // Only a reply with the page has it. It is the first status of the target's; the last one is the status of the reply.
    if (statusOrNull(reply.header(`${PREFIX}initial-status-code`)) === null)
      return { ...failed(reply), credits, isCharged: (credits ?? 0) > 0, requestId };
    const charge = { credits, isCharged: credits === null ? isCharged(reply) : credits > 0, requestId };
    const json = call.task.browser.screenshot ? reply.json() : undefined;
    const body = json === undefined ? reply.body : contentOf(json);
    if (body === null) return trouble('protocol', 'answered without the page', charge);
    return page(body, {
      statusCode: statusOrNull(member(json, 'statusCode')) ?? reply.status,
      headers: pageHeaders(reply, json !== undefined),
      finalUrl: finalUrl(reply, call),
      isRendered: rendersPages(call.settings),
      screenshot: screenshotOf(json),
      ...charge,
    });
  },
};

const extraHeaders = (task: Task): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(passedHeaders(task)).map(([name, value]) => [`sd-${name}`, value]));

function contentOf(json: unknown): Uint8Array | null {
  const content = textOrNull(member(json, 'content'));
  return content === null ? null : Buffer.from(content);
}

function screenshotOf(json: unknown): Uint8Array | null {
  const screenshots = member(json, 'screenShots');
  return Array.isArray(screenshots) ? base64OrNull(member(screenshots[0], 'image')) : null;
}

/** The target's headers come as they are. A redirect that was not followed is in a header of the service. */
function pageHeaders(reply: VendorReply, isJson: boolean): HeaderList {
  const headers = reply.headers.filter(
    ([name]) => !name.startsWith(PREFIX) && !NOT_THE_PAGES.has(name) && !(isJson && name === 'content-type'),
  );
  const location = reply.header(`${PREFIX}target-redirected-location`);
  return location === null || headers.some(([name]) => name === 'location')
    ? headers
    : [...headers, ['location', location]];
}

const finalUrl = (reply: VendorReply, { task }: VendorCall): string | null =>
  task.allowRedirects ? reply.header(`${PREFIX}resolved-url`) : task.url;

/** https://scrape.do/documentation/api-response/status-codes */
const isCharged = ({ status }: VendorReply): boolean =>
  (status >= 200 && status < 300) || status === 400 || status === 404 || status === 410;

function failed(reply: VendorReply) {
  const message = member(reply.json(), 'Message');
  const detail = Array.isArray(message) ? message.join(' ') : textOrNull(message);
  return trouble(reasonOf(reply.status, detail ?? ''), answered(reply.status, detail), {
    retryAfterMs: retryAfterMs(reply),
  });
}

function reasonOf(status: number, detail: string): VendorReason {
  if (status === 401 && /throttled/i.test(detail)) return 'throttled';
  if (status === 401) return /credit|suspend|subscription/i.test(detail) ? 'credits' : 'auth';
  if (status === 429) return 'throttled';
  if (status === 504 || status === 510 || /time(d )?-?out/i.test(detail)) return 'timeout';
  if (status === 400) return 'unsupported';
  return 'protocol';
}
