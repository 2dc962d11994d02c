import { t } from '@lingui/core/macro';
import type { ScrapeProgress } from '../../../api/playground.ts';

/** What a running scrape does now, as a sentence without its full stop. */
export function progressText(progress: ScrapeProgress): string {
  const { phase, action } = progress;
  switch (phase) {
    case 'waiting':
      return WAITS[progress.waiting_for!];
    case 'fetching':
      return t`Fetching the page`;
    case 'action':
      return t`Action ${action!.n} of ${action!.of}: ${action!.type}`;
    case 'reading':
      return t`Reading the page`;
  }
}

const WAITS: Readonly<Record<NonNullable<ScrapeProgress['waiting_for']>, string>> = {
  other_request: t`Waiting for a similar request to show which method works`,
  site: t`Waiting for a slot at the site`,
  retry: t`Pausing before the next attempt`,
  proxy: t`Waiting for a free proxy`,
  browser: t`Waiting for a browser slot`,
  worker: t`Waiting for a worker`,
};

/** Which attempt runs, and by which method; null: not known yet. */
export function attemptText({ attempt }: ScrapeProgress): string | null {
  if (attempt === null) return null;
  const { n, of, scraper } = attempt;
  return of === 1 ? t`By ${scraper}` : t`Attempt ${n} of up to ${of}, by ${scraper}`;
}
