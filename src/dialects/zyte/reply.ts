import type { DialectDeps } from '../dialect.ts';
import { contentOf, type ScrapedCookie, type ScrapedPage, screenshotOf } from '../scrape-call.ts';
import type { NetworkFilter } from './actions.ts';
import type { Wanted } from './translate.ts';

/** The answer to a page. A string: what was asked for could not be made, and why. */
export async function extractReply(
  deps: DialectDeps,
  page: ScrapedPage,
  wanted: Wanted,
): Promise<Readonly<Record<string, unknown>> | string> {
  const screenshot = wanted.screenshot ? await screenshotOf(deps, page) : null;
  if (wanted.screenshot && screenshot === null) return 'There is no screenshot: the target is not a page.';
  if (wanted.browserHtml && page.content_encoding !== 'utf-8') return 'The target is not a page, but a file.';
  return {
    url: page.final_url,
    statusCode: page.status_code,
    ...(wanted.httpResponseBody && { httpResponseBody: contentOf(page).toString('base64') }),
    ...(wanted.httpResponseHeaders && { httpResponseHeaders: headerList(page.headers) }),
    ...(wanted.browserHtml && { browserHtml: page.content }),
    ...(screenshot !== null && { screenshot: screenshot.toString('base64') }),
    ...(wanted.responseCookies && { responseCookies: page.cookies.map(theirCookie) }),
    ...(wanted.actions !== null && { actions: actionResults(page, wanted.actions) }),
    ...(wanted.network !== null && { networkCapture: captured(page, wanted.network) }),
    ...wanted.echo,
  };
}

const headerList = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).flatMap(([name, value]) => value.split('\n').map((one) => ({ name, value: one })));

const theirCookie = ({
  name,
  value,
  domain,
  path,
  expires,
  secure,
  http_only,
  same_site,
}: ScrapedCookie) => ({
  name,
  value,
  domain,
  path,
  ...(expires !== null && { expires: Math.floor(expires) }),
  httpOnly: http_only,
  secure,
  ...(same_site !== null && { sameSite: same_site }),
});

interface ActionEntry {
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly duration_ms: number;
  readonly error?: { readonly message: string };
}

/** Each of their actions is one of ours. */
function actionResults(page: ScrapedPage, actions: NonNullable<Wanted['actions']>) {
  const entries = (page.scraper_data.actions as readonly ActionEntry[] | undefined) ?? [];
  return actions.map(({ action, onError }, index) => {
    const entry = entries[index];
    const failed = onError === 'continue' ? 'continued' : 'returned';
    const status = { ok: 'success', failed, skipped: 'notExecuted' }[entry?.status ?? 'skipped'];
    return {
      action,
      elapsedTime: (entry?.duration_ms ?? 0) / 1000,
      status,
      ...(entry?.error !== undefined && { error: entry.error.message }),
    };
  });
}

interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly status: number | null;
  readonly resource_type: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_encoding: 'utf-8' | 'base64' | null;
  readonly truncated: boolean;
}

/** The most that theirs captures. */
const MAX_CAPTURED = 10;

function captured(page: ScrapedPage, filters: readonly NetworkFilter[]) {
  const exchanges = (page.scraper_data.network as readonly Exchange[] | undefined) ?? [];
  return exchanges
    .filter(({ status }) => status !== null)
    .slice(0, MAX_CAPTURED)
    .map((exchange) => {
      const filter = filters.find((one) => matches(one, exchange))?.filter;
      const { body, body_encoding: encoding, truncated } = exchange;
      const isWhole = body !== null && !truncated;
      const asked = filter?.httpResponseBody === true;
      return {
        url: exchange.url,
        statusCode: exchange.status,
        headers: exchange.headers,
        interceptionStatus:
          !asked || isWhole
            ? { status: 'success' }
            : { status: 'error', error: 'The body was not captured.' },
        ...(asked &&
          isWhole && {
            httpResponseBody: Buffer.from(body, encoding === 'base64' ? 'base64' : 'utf8').toString('base64'),
          }),
        filter,
        request: { url: exchange.url, method: exchange.method, headers: exchange.request_headers },
      };
    });
}

function matches({ filter }: NetworkFilter, { url, resource_type: type }: Exchange): boolean {
  if (filter.filterType === 'resourceType') return filter.resourceType === type;
  const value = String(filter.value);
  switch (filter.matchType ?? 'contains') {
    case 'startsWith':
      return url.startsWith(value);
    case 'endsWith':
      return url.endsWith(value);
    case 'exact':
      return url === value;
    default:
      return url.includes(value);
  }
}
