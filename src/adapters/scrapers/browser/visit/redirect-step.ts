import { type Failure, failure } from '../../../../domain/failure.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';
import type { Job } from '../../../../domain/job.ts';
import { becomesGet, escaped } from '../../http/redirect.ts';
import type { Answer } from './answer.ts';
import { fieldOf } from './header-lines.ts';
import type { Navigation } from './navigation.ts';
import { type Outgoing, redirectedTo } from './outgoing.ts';

/** Chromium follows 20 in one navigation, and at the next says no more than that: before, the rest is begun anew. */
const MOST_IN_ONE = 19;

/** Where the redirect leads: `anew`: by a navigation of its own. */
export interface RedirectStep {
  readonly outgoing: Outgoing | null;
  readonly anew: boolean;
}

/** What is to be done with a redirect that is followed, or why it cannot be. */
export function redirectStep(
  nav: Navigation,
  { status, method, headers }: Answer,
  location: string,
  { options }: Job,
): RedirectStep | Failure {
  const url = URL.parse(escaped(location), nav.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return failure('redirect.invalid', 'The location of a redirect is not an http or https URL.');
  // Only a location without any fragment takes over the one before; `hash` cannot tell none from an empty one.
  if (!url.href.includes('#')) url.hash = new URL(nav.url).hash;
  if (nav.redirects.length > options.maxRedirects)
    return failure('redirect.too_many', `There were more than ${options.maxRedirects} redirects.`);
  if (fieldOf(headers, 'set-cookie') !== null) nav.loop.clear();
  const circle = nav.loop.failureOf(nav.url, method);
  if (circle !== null) return circle;
  const { outgoing } = nav;
  if (outgoing === null) return { outgoing: null, anew: false };
  const next = redirectedTo(outgoing, url, becomesGet(status, method) ? 'GET' : method);
  return { outgoing: next, anew: nav.hops >= MOST_IN_ONE };
}

/** A redirect to https that the browser made by itself (RFC 6797 §8.3): no target gave it. */
export function isHsts({ url, tapped }: Navigation, status: number, headers: HeaderList): boolean {
  return (
    status === 307 &&
    tapped !== null &&
    tapped.head === null &&
    fieldOf(headers, 'non-authoritative-reason') !== null &&
    URL.parse(fieldOf(headers, 'location') ?? '', url)?.protocol === 'https:'
  );
}
