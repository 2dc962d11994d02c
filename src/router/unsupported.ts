import type { Job, ScraperName } from '../domain/job.ts';
import { CAPABILITIES } from './capabilities.ts';

/** The pointer of a member of the request that the scraper cannot honour, or null when it can do all. */
export function unsupportedMember(job: Job, scraper: ScraperName): string | null {
  const can = CAPABILITIES[scraper];
  if (!can.browserFields && job.browserOnly.length > 0) return job.browserOnly[0]!;
  if (can.browserFields && job.options.http2 !== 'auto') return '/scraper_options/http2';
  if (!can.impersonates && job.options.impersonate !== null) return '/scraper_options/impersonate';
  if (!can.allMethods && (job.method === 'HEAD' || job.method === 'OPTIONS')) return '/method';
  if (!can.bodyOnGet && job.body !== null && job.method === 'GET') return '/data';
  return null;
}
