import { DEFAULT_MAX_REDIRECTS, type Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { effortPaid } from '../router/effort.ts';
import type { Experience } from '../router/experience.ts';
import { BLOCK, CAPTCHA, CHALLENGE, lessonOf, SHELL, signOf } from '../router/signs.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';
import { WAYS, wayOf } from '../router/ways.ts';
import type { Tried } from './attempt.ts';
import { usesPass } from './pass.ts';

/** Remembers what an attempt showed of its target. `now`: seconds since the epoch. */
export function learn(experience: Experience, job: Job, tried: readonly Tried[], now: number): void {
  const last = tried[tried.length - 1]!;
  if (!teaches(job, last) || usesPass(last)) return;
  const key = siteKeyOf(job.url);
  const sign = lessonOf(last);
  if (sign !== null && !isOfBrowserAsk(job, last.step, sign))
    experience.note(key, now, { way: wayOf(last.step), sign }, paidFor(last));
  if (last.satisfied && tried.length > 1) learnFromUnmet(experience, job, key, tried, now);
}

/** Units that an attempt took of what is paid by the byte; null: nothing is, or it was spared a part. */
export function paidFor({ step, fetched, attempt: { reused } }: Tried): number | null {
  return fetched === null || reused.length > 0 ? null : effortPaid(step, fetched.bytesIn + fetched.bytesOut);
}

/** What a caller accepts is the caller's own; but where scripts have brought it, the site needs scripts. */
function learnFromUnmet(
  experience: Experience,
  job: Job,
  key: SiteKey,
  tried: readonly Tried[],
  now: number,
): void {
  const { step } = tried[tried.length - 1]!;
  if (!WAYS[wayOf(step)]!.js) return;
  for (const one of tried) {
    const way = wayOf(one.step);
    if (one.unmet && teaches(job, one) && lessonOf(one) === null && signOf(one) === SHELL && !WAYS[way]!.js)
      experience.note(key, now, { way, sign: SHELL }, null);
  }
}

/** What was asked tells of pages, and by an exit of ours: what may have gone past it tells of none. */
function teaches({ method, allowRedirects, proxy, options }: Job, { step, fetched, code }: Tried): boolean {
  // The caller follows fewer than others do.
  if (code === 'redirect.too_many' && options.maxRedirects < DEFAULT_MAX_REDIRECTS) return false;
  if (step.proxyType === 'custom' || proxy.bypass.length > 0) return false;
  if (method !== 'GET' && method !== 'POST') return false;
  const status = fetched?.page?.statusCode ?? 0;
  return allowRedirects || status < 300 || status >= 400;
}

/** Signs of a page whose scripts did not do their work, or have not done it yet. */
const UNDONE: ReadonlySet<number> = new Set([SHELL, CHALLENGE, CAPTCHA, BLOCK]);
/** What pages do without. */
const ORNAMENT: ReadonlySet<string> = new Set(['image', 'media', 'font']);
const WAITS = ['/wait_for_load_state', '/wait_for_selector', '/wait_for_timeout_ms', '/page_actions'];

/**
 * The page lacks what its caller kept the browser from doing, or did not wait for: others, and `auto` by itself, would
 * see another one.
 */
function isOfBrowserAsk({ scraper, browser, browserOnly }: Job, step: Step, sign: number): boolean {
  if (!UNDONE.has(sign) || !WAYS[wayOf(step)]!.js) return false;
  const { javascript, block, loadState } = browser;
  const early = loadState === 'commit' || loadState === 'domcontentloaded';
  const barred = block.urls.length > 0 || block.types.some((type) => !ORNAMENT.has(type));
  if (!javascript || early || barred) return true;
  // Only `auto` waits for what comes after the page is loaded, and only where it is told nothing else.
  return sign === SHELL && (scraper !== 'auto' || browserOnly.some((pointer) => WAITS.includes(pointer)));
}
