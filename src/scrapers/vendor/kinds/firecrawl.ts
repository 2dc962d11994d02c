import type { PooledType } from '../../../domain/task.ts';
import type { VendorKindSpec, VendorReply } from '../vendor-kind.ts';
import {
  answered,
  bearer,
  cookieHeader,
  headersOf,
  member,
  NO_OPTIONS,
  numberOrNull,
  page,
  postJson,
  retryAfterMs,
  statusOrNull,
  textOrNull,
  trouble,
} from './shared.ts';

const PROXIES: Readonly<Partial<Record<PooledType, string>>> = {
  datacenter: 'basic',
  residential: 'enhanced',
};
/** `%PDF-` */
const PDF_IN_BASE64 = 'JVBERi';
/** Of a page by a basic, and by an enhanced proxy. */
const CREDITS = 1;
const ENHANCED_CREDITS = 5;

/**
 * Firecrawl 2, `POST /v2/scrape`: https://docs.firecrawl.dev/api-reference/endpoint/scrape. Of its own host, it needs no key. Its
 * screenshots are left out: the answer has only their URL.
 */
export const FIRECRAWL: VendorKindSpec = {
  baseUrl: 'https://api.firecrawl.dev',
  needsKey: false,
  proxyTypes: ['datacenter', 'residential'],
  options: NO_OPTIONS,
  capabilities: () => ({
    renders: true,
    methods: ['GET'],
    headers: true,
    cookies: true,
    country: true,
    session: false,
    noRedirects: false,
    members: new Set(['/wait_for_timeout_ms']),
  }),
  /** https://docs.firecrawl.dev/billing */
  maxCredits: (_task, proxyType) => (proxyType === 'residential' ? ENHANCED_CREDITS : CREDITS),
  build({ task, settings, proxyType, timeoutMs }) {
    const cookie = cookieHeader(task);
    const headers = { ...headersOf(task), ...(cookie !== null && { Cookie: cookie }) };
    const { waitForTimeoutMs } = task.browser;
    return postJson(
      '/v2/scrape',
      {
        url: task.url,
        formats: ['rawHtml'],
        // A copy is not what the caller asked for, and others must not get this one.
        maxAge: 0,
        storeInCache: false,
        // A PDF as it is: its text is read here, and each of its pages would cost a credit.
        parsers: [],
        proxy: PROXIES[proxyType as PooledType],
        skipTlsVerification: false,
        timeout: timeoutMs,
        ...(waitForTimeoutMs !== null && { waitFor: waitForTimeoutMs }),
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(task.proxy.country !== null && { location: { country: task.proxy.country } }),
      },
      bearer(settings),
    );
  },
  read(reply) {
    const json = reply.json();
    const data = member(json, 'data');
    const metadata = member(data, 'metadata');
    const html = textOrNull(member(data, 'rawHtml'));
    const credits = numberOrNull(member(metadata, 'creditsUsed'));
    const requestId = textOrNull(member(metadata, 'scrapeId'));
    if (reply.status !== 200 || member(json, 'success') !== true) return failed(reply);
    if (html === null) return trouble('protocol', 'answered without the page', { credits, requestId });
    // With `parsers: []`, a PDF comes as it is, in Base64.
    const isPdf = html.startsWith(PDF_IN_BASE64);
    return page(Buffer.from(html, isPdf ? 'base64' : 'utf8'), {
      statusCode: statusOrNull(member(metadata, 'statusCode')),
      finalUrl: textOrNull(member(metadata, 'url')),
      isRendered: !isPdf,
      credits,
      requestId,
    });
  },
};

const BLOCKED = new Set([
  'SCRAPE_ALL_ENGINES_FAILED',
  'SCRAPE_PDF_ANTIBOT_ERROR',
  'SCRAPE_DOCUMENT_ANTIBOT_ERROR',
]);

/** https://docs.firecrawl.dev/api-reference/errors. A failure costs nothing. */
function failed(reply: VendorReply) {
  const { status } = reply;
  const code = textOrNull(member(reply.json(), 'code')) ?? '';
  const text = answered(status, textOrNull(member(reply.json(), 'error')));
  if (status === 401) return trouble('auth', text);
  if (status === 402) return trouble('credits', text);
  if (status === 429 || code === 'CONCURRENCY_QUEUE_TIMEOUT')
    return trouble('throttled', text, { retryAfterMs: retryAfterMs(reply) });
  if (status === 408 || code === 'SCRAPE_TIMEOUT') return trouble('timeout', text);
  if (BLOCKED.has(code)) return trouble('blocked', text);
  // The target cannot be reached, or is not served: no reason to leave the service alone.
  if (status === 400 || status === 403 || code.startsWith('SCRAPE_')) return trouble('unsupported', text);
  return trouble('protocol', text);
}
