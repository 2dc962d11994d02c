import { closed } from '../../../domain/json-schema.ts';
import type { Task } from '../../../domain/task.ts';
import type { VendorReason } from '../../../domain/vendors.ts';
import type { VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  countryOf,
  creditsOf,
  numberHeader,
  page,
  passedHeaders,
  queryOf,
  RENDER_OPTION,
  rendersPages,
  retryAfterMs,
  sessionNumber,
  statusOrNull,
  trouble,
} from './shared.ts';

/** https://docs.scraperapi.com/credits-and-requests. Some sites and bot walls cost more; the cost that is reported counts. */
const CREDITS = { plain: 1, rendered: 10, residential: 10, residentialRendered: 25 };
const SESSIONS = 1_000_000_000;

/**
 * ScraperAPI, synchronous API: https://docs.scraperapi.com/synchronous-apis. It takes no time limit, and tries for 70 s. It does not say
 * that bodies which are no text stay as they are. Its screenshots are at another address. For a request with a ceiling, `max_cost` makes
 * it refuse pages that cost more than the table says.
 */
export const SCRAPERAPI: VendorKindSpec = {
  baseUrl: 'https://api.scraperapi.com',
  needsKey: true,
  proxyTypes: ['datacenter', 'residential'],
  options: closed({ render: RENDER_OPTION }),
  capabilities: (settings) => ({
    renders: rendersPages(settings),
    methods: rendersPages(settings) ? ['GET'] : ['GET', 'POST', 'PUT'],
    headers: true,
    cookies: true,
    country: true,
    session: true,
    noRedirects: !rendersPages(settings),
    members: new Set(),
  }),
  maxCredits: (_task, proxyType, settings) => creditsOf(proxyType, settings, CREDITS),
  build({ task, proxyType, settings, session }) {
    const headers = ownHeaders(task);
    const query = queryOf({
      api_key: settings.key,
      url: task.url,
      render: rendersPages(settings) || undefined,
      premium: proxyType !== 'datacenter' || undefined,
      country_code: countryOf(task),
      session_number: sessionNumber(session, SESSIONS),
      keep_headers: Object.keys(headers).length > 0 || undefined,
      follow_redirect: task.allowRedirects ? undefined : false,
      max_cost: task.router.maxCost === null ? undefined : creditsOf(proxyType, settings, CREDITS),
    });
    return { method: task.method as 'GET', path: `/?${query}`, headers, body: task.body?.bytes ?? null };
  },
  read(reply, { settings }) {
    const credits = numberHeader(reply, 'sa-credit-cost');
    const statusCode = statusOrNull(reply.header('sa-statuscode'));
    const isCharged = isPageStatus(reply.status);
    const charge = { credits, isCharged, requestId: null };
    // 404 without the status of the target is the target's, too.
    if (!isCharged && (statusCode === null || reply.status >= 400))
      return { ...failed(reply, statusCode), ...charge };
    return page(reply.body, {
      statusCode: statusCode ?? reply.status,
      contentType: reply.header('content-type'),
      finalUrl: reply.header('sa-final-url'),
      isRendered: rendersPages(settings),
      ...charge,
    });
  },
};

/** Headers with this prefix are parameters of the service, which cost. */
const ownHeaders = (task: Task): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(passedHeaders(task)).filter(([name]) => !/^x-sapi-/i.test(name)));

/** What the service charges: https://docs.scraperapi.com/responses-and-formats/api-status-codes */
const isPageStatus = (status: number): boolean => status === 200 || status === 404;

function failed(reply: VendorReply, statusCode: number | null) {
  const detail =
    statusCode === null ? new TextDecoder().decode(reply.body) : `the site answered ${statusCode}`;
  return trouble(reasonOf(reply.status, statusCode, detail), answered(reply.status, detail), {
    statusCode,
    retryAfterMs: retryAfterMs(reply),
  });
}

function reasonOf(status: number, statusCode: number | null, detail: string): VendorReason {
  if (statusCode !== null && statusCode >= 400) return 'blocked';
  if (status === 403 && /max_cost/.test(detail)) return 'unsupported';
  if (status === 403) return /key/i.test(detail) ? 'auth' : 'credits';
  if (status === 401) return 'auth';
  if (status === 429) return 'throttled';
  if (status === 400) return 'unsupported';
  return 'protocol';
}
