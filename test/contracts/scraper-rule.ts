import type { FetchedPage } from '../../src/domain/fetch-result.ts';
import type { Method, TaskBody } from '../../src/domain/task.ts';
import type { Scraper } from '../../src/ports/scraper.ts';
import type { Site } from '../site/site.ts';
import { textOf } from './fetch-order.ts';

/** What scrapers may differ in. */
export interface Traits {
  readonly methods: readonly Method[];
  /** Every time of a case is so many times longer: the one that a fast scraper needs is 1. */
  readonly pace: number;
  /** How many fetches at once are many. */
  readonly many: number;
  /** How long after its deadline it settles at the latest (`Scraper`). */
  readonly lateMs: number;
}

/** One promise of a scraper, tried on the fixture site. */
export interface Rule {
  readonly title: string;
  readonly run: (scraper: Scraper, site: Site, traits: Traits) => Promise<void>;
}

export type AddRule = (title: string, run: Rule['run']) => void;

export const json = (fetched: FetchedPage) => JSON.parse(textOf(fetched));
export const bodyOf = (text: string, contentType: string | null = 'text/plain'): TaskBody => ({
  type: 'raw',
  bytes: Buffer.from(text),
  contentType,
});

export function field(headers: readonly (readonly [string, string])[], name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}
