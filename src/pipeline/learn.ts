import type { Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { SCRAPER_OPTIONS } from '../domain/scraper-options.ts';
import type { Experience } from '../router/experience.ts';
import {
  BLOCK,
  CAPTCHA,
  CHALLENGE,
  lastingObservation,
  observationOf,
  SHELL,
} from '../router/observations.ts';
import { measuredEffort, ROUTES, routeIndex } from '../router/routes.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';
import { type AttemptResult, usesClearance } from './attempt-result.ts';

/** Remembers what the last attempt showed of its site. `now`: seconds since the epoch. */
export function learnFromAttempt(
  experience: Experience,
  job: Job,
  tried: readonly AttemptResult[],
  now: number,
): void {
  const last = tried[tried.length - 1]!;
  if (!isInstructive(job, last) || usesClearance(last)) return;
  const key = siteKeyOf(job.url);
  const observation = lastingObservation(last);
  if (observation !== null && !isCausedByBrowserOptions(job, last.step, observation))
    experience.record(key, now, { route: routeIndex(last.step), observation }, effortOfAttempt(last));
  if (last.satisfied && tried.length > 1) learnFromUnmet(experience, job, key, tried, now);
}

/** Units of effort that an attempt took which is paid by the byte; null: it is not, or it reused a part. */
export function effortOfAttempt({ step, fetched, attempt: { reused } }: AttemptResult): number | null {
  return fetched === null || reused.length > 0
    ? null
    : measuredEffort(step, fetched.bytesIn + fetched.bytesOut);
}

/**
 * What a caller accepts tells nothing of the site. But where scripts brought what was missing without them, the site needs
 * scripts.
 */
function learnFromUnmet(
  experience: Experience,
  job: Job,
  key: SiteKey,
  tried: readonly AttemptResult[],
  now: number,
): void {
  const { step } = tried[tried.length - 1]!;
  if (!ROUTES[routeIndex(step)]!.js) return;
  for (const attempt of tried) {
    const route = routeIndex(attempt.step);
    if (
      attempt.unmet &&
      isInstructive(job, attempt) &&
      lastingObservation(attempt) === null &&
      observationOf(attempt) === SHELL &&
      !ROUTES[route]!.js
    )
      experience.record(key, now, { route, observation: SHELL }, null);
  }
}

/** Whether an attempt tells of the site what is true for other callers: a page was asked for, through an exit of ours. */
function isInstructive(
  { method, allowRedirects, proxy, options }: Job,
  { step, fetched, code }: AttemptResult,
): boolean {
  // The caller follows fewer redirects than others do.
  if (code === 'redirect.too_many' && options.maxRedirects < SCRAPER_OPTIONS.max_redirects.default)
    return false;
  if (step.proxyType === 'custom' || proxy.bypass.length > 0) return false;
  if (method !== 'GET' && method !== 'POST') return false;
  const status = fetched?.page?.statusCode ?? 0;
  return allowRedirects || status < 300 || status >= 400;
}

/** What a page shows whose scripts did not do their work, or have not done it yet. */
const SCRIPT_FAILURES: ReadonlySet<number> = new Set([SHELL, CHALLENGE, CAPTCHA, BLOCK]);
/** What a page can do without. */
const DECORATIVE_TYPES: ReadonlySet<string> = new Set(['image', 'media', 'font']);
const WAITS = ['/wait_for_load_state', '/wait_for_selector', '/wait_for_timeout_ms', '/page_actions'];

/** Whether the page lacks what its caller kept the browser from doing, or did not wait for: others would see another page. */
function isCausedByBrowserOptions(job: Job, step: Step, observation: number): boolean {
  if (!SCRIPT_FAILURES.has(observation) || !ROUTES[routeIndex(step)]!.js) return false;
  const { scraper, browser, options, requested } = job;
  const { javascript, block } = options;
  const { waitForLoadState: loadState } = browser;
  const early = loadState === 'commit' || loadState === 'domcontentloaded';
  const blocked = block.urls.length > 0 || block.types.some((type) => !DECORATIVE_TYPES.has(type));
  if (!javascript || early || blocked) return true;
  // Only `auto` waits for what comes after the page is loaded, and only where the caller asks for no other wait.
  return (
    observation === SHELL && (scraper !== 'auto' || requested.some((pointer) => WAITS.includes(pointer)))
  );
}
