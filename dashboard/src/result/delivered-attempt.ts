import type { Schema } from '../api/client.ts';
import type { AnyScrape } from './scrape.ts';

/**
 * The number of the attempt whose page was delivered, by the rule of contract §8 a; null: there was no page, or the response
 * does not contain attempts.
 */
export function deliveredAttempt({ router, status_code, errors }: AnyScrape): number | null {
  const { attempts, verdict, scraper, proxy_type } = router;
  if (attempts === undefined || router.outcome === 'failed' || router.outcome === 'planned') return null;
  // An error that names an attempt is never about the delivered one.
  const withError = new Set<number | undefined>(errors.map(({ attempt }) => attempt));
  const mayBeDelivered = (attempt: Schema<'Attempt'>) =>
    (attempt.outcome === 'ok' || attempt.outcome === 'rejected') &&
    attempt.scraper === scraper &&
    attempt.proxy_type === proxy_type &&
    (status_code === null || attempt.status_code === status_code);
  const pages = attempts.filter(mayBeDelivered);
  const best =
    pages.findLast(({ outcome }) => outcome === 'ok') ??
    pages.findLast((attempt) => attempt.verdict === verdict?.kind && !withError.has(attempt.n)) ??
    pages.at(-1);
  return best?.n ?? null;
}
