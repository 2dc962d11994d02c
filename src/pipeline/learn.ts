import type { Step } from '../domain/scrape.ts';
import { SCRAPER_OPTIONS } from '../domain/scraper-options.ts';
import { isBrowser, isVendor } from '../domain/scrapers.ts';
import type { Task } from '../domain/task.ts';
import type { Experience } from '../router/experience.ts';
import {
  BLOCK,
  CAPTCHA,
  CHALLENGE,
  lastingObservation,
  observationOf,
  SHELL,
} from '../router/observations.ts';
import { measuredEffort, routeIndex } from '../router/routes.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';
import { type AttemptResult, usesClearance } from './attempt-result.ts';

/**
 * Records what the last attempt showed about its site.
 * @param tried the attempts of the scrape so far
 * @param now seconds since the epoch
 */
export function learnFromAttempt(
  experience: Experience,
  task: Task,
  tried: readonly AttemptResult[],
  now: number,
): void {
  const last = tried[tried.length - 1]!;
  const key = siteKeyOf(task.url);
  const route = routeIndex(last.step, experience.routes);
  if (last.fetched?.vendorFailed === true && route >= 0) experience.recordVendorFailure(key, now, route);
  if (!isInstructive(task, last) || usesClearance(last)) return;
  const observation = isRefusedVendor(last) ? BLOCK : lastingObservation(last);
  if (observation !== null && route >= 0 && !isCausedByBrowserOptions(task, last.step, observation))
    experience.record(key, now, { route, observation }, effortOfAttempt(last));
  if (last.satisfied && tried.length > 1) learnFromUnmet(experience, task, key, tried, now);
}

/** Whether the vendor says that the site refused it. */
const isRefusedVendor = ({ code, errors }: AttemptResult): boolean =>
  code === 'vendor.failed' && errors[0]?.details?.reason === 'blocked';

/**
 * Units of effort that an attempt took, by what the vendor charged, or by its traffic. null: they are not known, the traffic
 * of this step is free, or the attempt reused something, so that it took less than usual.
 */
export function effortOfAttempt({ step, fetched, attempt: { reused } }: AttemptResult): number | null {
  if (fetched === null || reused.length > 0) return null;
  return fetched.vendor?.effort ?? measuredEffort(step, fetched.bytesIn + fetched.bytesOut);
}

/**
 * The conditions of a caller (`accept`) say nothing about the site. But if a page meets them only after its scripts ran, the
 * site needs scripts: the attempts without scripts are recorded as such.
 */
function learnFromUnmet(
  experience: Experience,
  task: Task,
  key: SiteKey,
  tried: readonly AttemptResult[],
  now: number,
): void {
  const { step } = tried[tried.length - 1]!;
  if (!isBrowser(step.scraper)) return;
  for (const attempt of tried) {
    if (
      attempt.unmet &&
      isInstructive(task, attempt) &&
      lastingObservation(attempt) === null &&
      observationOf(attempt) === SHELL &&
      !isBrowser(attempt.step.scraper) &&
      !isVendor(attempt.step.scraper)
    )
      experience.record(key, now, { route: routeIndex(attempt.step), observation: SHELL }, null);
  }
}

/** Whether the attempt shows something that holds for other callers: it requested a page, through an exit of the service. */
function isInstructive(
  { method, allowRedirects, proxy, options }: Task,
  { step, fetched, code }: AttemptResult,
): boolean {
  // The caller allows fewer redirects than others do.
  if (code === 'redirect.too_many' && options.maxRedirects < SCRAPER_OPTIONS.max_redirects.default)
    return false;
  if (step.proxyType === 'custom' || proxy.bypass.length > 0) return false;
  if (method !== 'GET' && method !== 'POST') return false;
  const status = fetched?.page?.statusCode ?? 0;
  return allowRedirects || status < 300 || status >= 400;
}

/** Observations at a page whose scripts did not run, or were not finished yet. */
const SCRIPT_FAILURES: ReadonlySet<number> = new Set([SHELL, CHALLENGE, CAPTCHA, BLOCK]);
/** Types of resources that a page does not need to show its text. */
const DECORATIVE_TYPES: ReadonlySet<string> = new Set(['image', 'media', 'font']);
/** Members of the request that make the browser wait. */
const WAIT_POINTERS = ['/wait_for_load_state', '/wait_for_selector', '/wait_for_timeout_ms', '/page_actions'];

/** Whether the caller's options may be the cause: the browser blocked something, or did not wait. Others get another page. */
function isCausedByBrowserOptions(task: Task, step: Step, observation: number): boolean {
  if (!SCRIPT_FAILURES.has(observation) || !isBrowser(step.scraper)) return false;
  const { scraper, browser, options, requested } = task;
  const { javascript, block } = options;
  const { waitForLoadState: loadState } = browser;
  const readEarly = loadState === 'commit' || loadState === 'domcontentloaded';
  const blocked = block.urls.length > 0 || block.types.some((type) => !DECORATIVE_TYPES.has(type));
  if (!javascript || readEarly || blocked) return true;
  // After the page is loaded, only `auto` waits for late content, and only if the caller requests no other wait.
  return (
    observation === SHELL &&
    (scraper !== 'auto' || requested.some((pointer) => WAIT_POINTERS.includes(pointer)))
  );
}
