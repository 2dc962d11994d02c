import { retryAfterMs } from '../base/retry-after.ts';
import { FAILURES } from '../domain/failure.ts';
import type { Scrape } from '../domain/scrape.ts';

const MINUTE_MS = 60_000;
/** Pauses before the first retry, the second, and all others (contract §13). */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** The same of what a second request often gets, a page that broke off, and of what the whole job waits for. */
const SOON_MS = [0, 5_000] as const;
/** Statuses that often pass. */
const RETRIED_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/** `Retry-After: 0` is no invitation to ask again at once. */
const MIN_RETRY_AFTER_MS = 1_000;
/** A site cannot hold an item for longer than this. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** So soon an item looks again whether its site may be asked, because limits are changed by people. */
const MAX_SITE_WAIT_MS = 5 * MINUTE_MS;

/** How long to wait because the limits of the site allowed no attempt; null: they did. Such a try does not count. */
export function siteWait({ errors, attempts }: Pick<Scrape, 'errors' | 'attempts'>): number | null {
  const error = errors[0];
  if (attempts.length > 0 || error?.code !== 'limit.site') return null;
  return Math.min(Number(error.details!.retry_after_s) * 1_000, MAX_SITE_WAIT_MS);
}

/**
 * How long to wait before the item is tried again; null: trying again would not help.
 * @param tries scrapes so far
 * @param isAwaited nothing else of the job can run before: the first page of a crawl
 */
export function retryPause(scrape: Scrape, tries: number, now: number, isAwaited = false): number | null {
  if (!mayPass(scrape)) return null;
  const pause =
    (brokeOff(scrape) || (isAwaited && !asksForPatience(scrape)) ? SOON_MS[tries - 1] : undefined) ??
    PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1]!;
  const asked = retryAfterMs(scrape.delivered?.page.headers ?? [], now);
  // Whoever says when to come back is not waited for any longer.
  return asked === null ? pause : Math.min(Math.max(asked, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS);
}

/** Whether the delivered page is only the part of it that came before the connection ended. */
const brokeOff = ({ errors }: Scrape): boolean =>
  errors.some(({ code, attempt }) => code === 'content.incomplete' && attempt === undefined);

/** Whether the site has had too many requests. */
const asksForPatience = ({ verdict, delivered }: Scrape): boolean =>
  verdict?.kind === 'rate' || delivered?.page.statusCode === 429;

function mayPass(scrape: Scrape): boolean {
  const { outcome, errors, verdict, delivered } = scrape;
  if (verdict?.kind === 'rate' || brokeOff(scrape)) return true;
  if (delivered !== null && RETRIED_STATUSES.has(delivered.page.statusCode)) return true;
  return outcome === 'failed' && errors.length > 0 && FAILURES[errors[0]!.code].retryable;
}
