import type { BrowserContext, Page, Request } from 'playwright-core';
import type { Failure } from '../../domain/failure.ts';
import { type CdpSession, NAVIGATION_PATTERNS } from './cdp-session.ts';

/** Judges requests of a browser whose connections the gateway does not check. */
export interface RequestJudge {
  /** Why a request may not be sent; null: it may. */
  readonly judgeUrl: (url: URL) => Failure | null;
  readonly onRefusal: (refusal: { readonly host: string; readonly cause: Failure }) => void;
}

/** @returns whether the request may not be sent */
function isRefused(text: string, { judgeUrl, onRefusal }: RequestJudge): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  const cause = judgeUrl(url);
  if (cause !== null) onRefusal({ host: url.hostname, cause });
  return cause !== null;
}

/** Judges the requests of all pages and frames of a context, except the documents of `page`. Playwright does not report redirects. */
export async function routeJudgedRequests(
  context: BrowserContext,
  page: Page,
  judge: RequestJudge,
): Promise<void> {
  await context.route('**/*', (route) => {
    const request = route.request();
    if (!isDocumentOf(page, request) && isRefused(request.url(), judge))
      return route.abort('blockedbyclient');
    return route.fallback();
  });
}

function isDocumentOf(page: Page, request: Request): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame();
  } catch {
    // The frame of a popup that has no page yet.
    return false;
  }
}

/** Judges also redirects of the requests of a page, except documents. Call it after `enableDomains`. Rejects when the page ends. */
export async function judgeRedirects(session: CdpSession, judge: RequestJudge): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId, resourceType, redirectedRequestId, request }) => {
    if (resourceType === 'Document') return;
    const refused = redirectedRequestId !== undefined && isRefused(request.url, judge);
    const sent = refused
      ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
      : session.send('Fetch.continueRequest', { requestId });
    // The page may have been closed meanwhile.
    sent.catch(() => {});
  });
  await session.send('Fetch.enable', {
    patterns: [...NAVIGATION_PATTERNS, { urlPattern: '*', requestStage: 'Request' }],
    handleAuthRequests: true,
  });
}
