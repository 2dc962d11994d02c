import type { FetchedPage } from '../../src/domain/fetched.ts';
import type { JobBody } from '../../src/domain/job.ts';
import type { Scraper } from '../../src/ports/scraper.ts';
import type { Site } from '../site/site.ts';
import { textOf } from './fetch-order.ts';

/** One promise of a scraper, tried on the fixture site. */
export interface Rule {
  readonly title: string;
  readonly run: (scraper: Scraper, site: Site) => Promise<void>;
}

export type AddRule = (title: string, run: Rule['run']) => void;

export const json = (fetched: FetchedPage) => JSON.parse(textOf(fetched));
export const bodyOf = (text: string, contentType: string | null = 'text/plain'): JobBody => ({
  type: 'raw',
  bytes: Buffer.from(text),
  contentType,
});

export function field(headers: readonly (readonly [string, string])[], name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}
