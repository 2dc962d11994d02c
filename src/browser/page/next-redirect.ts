import { type Failure, failure } from '../../domain/failure.ts';
import type { Task } from '../../domain/task.ts';
import { changesMethodToGet, escapeLocation } from '../../http-client/redirects.ts';
import type { Navigation } from './navigation.ts';
import { type CallerRequest, redirectCallerRequest } from './request-overrides.ts';
import { headerValue, type NavigationResponse } from './response.ts';

/** Chromium follows at most 20 redirects in one navigation. Before it fails, a new navigation continues the chain. */
const MAX_BROWSER_REDIRECTS = 19;

/** How a redirect is followed. */
interface NextRedirect {
  /** null: the page has started the navigation, so nothing of the caller is added. */
  readonly callerRequest: CallerRequest | null;
  /** The browser cannot follow more redirects in this navigation. Only the caller's navigations are continued by another. */
  readonly needsNewNavigation: boolean;
}

/** How to follow a redirect, or why it cannot be followed. */
export function nextRedirect(
  nav: Navigation,
  { status, method, headers }: NavigationResponse,
  location: string,
  { options }: Task,
): NextRedirect | Failure {
  const url = URL.parse(escapeLocation(location), nav.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return failure('redirect.invalid', 'The location of a redirect is not an http or https URL.');
  // A location without a fragment inherits that of the previous URL (Fetch, "HTTP-redirect fetch"). `hash` cannot tell an
  // empty fragment from none.
  if (!url.href.includes('#')) url.hash = new URL(nav.url).hash;
  if (nav.redirects.length > options.maxRedirects)
    return failure('redirect.too_many', `There were more than ${options.maxRedirects} redirects.`);
  // With another cookie, the target may answer the same URL differently.
  if (headerValue(headers, 'set-cookie') !== null) nav.redirectLoop.clear();
  const loop = nav.redirectLoop.check(nav.url, method);
  if (loop !== null) return loop;
  const { callerRequest } = nav;
  if (callerRequest === null) return { callerRequest: null, needsNewNavigation: false };
  const next = redirectCallerRequest(callerRequest, url, changesMethodToGet(status, method) ? 'GET' : method);
  return { callerRequest: next, needsNewNavigation: nav.followedRedirects >= MAX_BROWSER_REDIRECTS };
}
