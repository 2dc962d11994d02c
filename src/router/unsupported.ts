import type { Job, ScraperName } from '../domain/job.ts';
import { CAPABILITIES } from './capabilities.ts';

/** Members of the request that no browser honours in this version. */
const NOT_YET = [
  '/page_actions',
  '/screenshot',
  '/scraper_options/screenshot',
  '/scraper_options/device',
  '/scraper_options/geolocation',
  '/scraper_options/capture',
  '/scraper_options/storage_state',
];

/** The pointer of a member of the request that the scraper cannot honour, or null when it can do all. */
export function unsupportedMember(job: Job, scraper: ScraperName): string | null {
  const can = CAPABILITIES[scraper];
  if (!can.browserFields && job.browserOnly.length > 0) return job.browserOnly[0]!;
  if (can.browserFields) {
    const later = job.browserOnly.find((pointer) => NOT_YET.includes(pointer));
    if (later !== undefined) return later;
    if (job.options.http2 !== 'auto') return '/scraper_options/http2';
  }
  if (!can.allMethods && (job.method === 'HEAD' || job.method === 'OPTIONS')) return '/method';
  if (!can.bodyOnGet && job.body !== null && job.method === 'GET') return '/data';
  return null;
}
