import type { ScrapeProgress } from '../../../api/playground.ts';

/** What a running scrape does now, as a sentence without its full stop. */
export function progressText(progress: ScrapeProgress): string {
  const { phase, action } = progress;
  switch (phase) {
    case 'waiting':
      return WAITS[progress.waiting_for!];
    case 'fetching':
      return 'Fetching the page';
    case 'action':
      return `Action ${action!.n} of ${action!.of}: ${action!.type}`;
    case 'reading':
      return 'Reading the page';
  }
}

const WAITS: Readonly<Record<NonNullable<ScrapeProgress['waiting_for']>, string>> = {
  other_request: 'Waiting for a similar request to show which method works',
  site: 'Waiting for a slot at the site',
  retry: 'Pausing before the next attempt',
  proxy: 'Waiting for a free proxy',
  browser: 'Waiting for a browser slot',
  worker: 'Waiting for a worker',
};

/** Which attempt runs, and by which method; null: not known yet. */
export function attemptText({ attempt }: ScrapeProgress): string | null {
  if (attempt === null) return null;
  const { n, of, scraper } = attempt;
  return of === 1 ? `By ${scraper}` : `Attempt ${n} of up to ${of}, by ${scraper}`;
}
