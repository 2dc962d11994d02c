import { SMALL_BYTES } from '../base/byte-room.ts';
import type { FetchedPage } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { CAPABILITIES } from '../router/capabilities.ts';
import type { Tried } from './attempt.ts';
import { usesPass } from './pass.ts';

/**
 * The document of the attempt before that a browser can show without fetching it again: it came whole, lacks nothing but
 * its scripts, and would be asked for in the same way.
 */
export function reusableDocument(job: Job, step: Step, last: Tried | undefined): FetchedPage | null {
  if (last === undefined || job.method !== 'GET' || job.body !== null || job.browserOnly.length > 0)
    return null;
  if (CAPABILITIES[step.scraper].engine !== 'browser' || !job.browser.javascript) return null;
  if (CAPABILITIES[last.step.scraper].engine !== 'http' || last.step.proxyType !== step.proxyType)
    return null;
  if (last.verdictFull.kind !== 'js_shell' || last.fetched === null || last.fetched.page === null)
    return null;
  // What it loads would have to bring the same cookies.
  if (usesPass(last)) return null;
  const { page } = last.fetched;
  // The memory of a large body may be gone.
  const there = page.body.length > 0 && page.body.length <= SMALL_BYTES;
  const whole = page.cut === null && !page.undecoded;
  return there && whole && page.statusCode < 300 ? last.fetched : null;
}
