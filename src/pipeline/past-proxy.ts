import { bypasses } from '../base/bypass.ts';
import { portOf } from '../base/port-of.ts';
import type { Fetched } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import type { Upstream } from '../domain/upstream.ts';
import { CAPABILITIES } from '../router/capabilities.ts';

/**
 * Whether all of an attempt went past the proxy of its lease, because the caller's `bypass` says so: then it tells
 * nothing of the proxy, and is paid as a connection of this host's own.
 */
export function wentPast(upstream: Upstream | null, step: Step, job: Job, fetched: Fetched): boolean {
  if (upstream === null || upstream.bypass.length === 0) return false;
  const { bypass } = upstream;
  // What a page needs besides may be anywhere.
  if (CAPABILITIES[step.scraper].engine === 'browser') return bypass.includes('*');
  const { redirects, page } = fetched;
  // Where a redirect would have led that brought no page is not told.
  if (page === null && redirects.length > 0) return bypass.includes('*');
  const urls = [job.url, ...redirects.map(({ url }) => url), page?.finalUrl ?? job.url];
  return urls.map((url) => new URL(url)).every((url) => bypasses(bypass, url.hostname, portOf(url)));
}
