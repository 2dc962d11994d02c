import type { Schema } from '../../api/client.ts';
import type { ScrapeShape } from '../scrape-shape.ts';

/**
 * The number of the attempt whose page was delivered, by the rule of contract §8 a; null: there was no page, or the
 * answer does not tell of attempts.
 */
export function deliveredAttempt({ router, status_code, errors }: ScrapeShape): number | null {
  const { attempts, verdict, scraper, proxy_type } = router;
  if (attempts === undefined || router.outcome === 'failed' || router.outcome === 'planned') return null;
  // An error that names an attempt tells of another one than that.
  const others = new Set<number | undefined>(errors.map(({ attempt }) => attempt));
  const may = (one: Schema<'Attempt'>) =>
    (one.outcome === 'ok' || one.outcome === 'rejected') &&
    one.scraper === scraper &&
    one.proxy_type === proxy_type &&
    (status_code === null || one.status_code === status_code);
  const pages = attempts.filter(may);
  const best =
    pages.findLast(({ outcome }) => outcome === 'ok') ??
    pages.findLast((one) => one.verdict === verdict?.kind && !others.has(one.n)) ??
    pages.at(-1);
  return best?.n ?? null;
}
