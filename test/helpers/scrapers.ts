import { chromiums } from '../adapters/browser/stage.ts';

/** The scrapers that work on this machine without a vendor. */
export const SCRAPERS: readonly string[] = [
  'http',
  'http_impersonate',
  ...((await chromiums()).length > 0 ? ['browser'] : []),
];

/**
 * The scrapers that take a case: the browser only every third one, by the place of the case in its list, and all with LONG=1. A page in a
 * browser costs more than all else of most cases.
 */
export const scrapersOf = (place: number): readonly string[] =>
  SCRAPERS.filter((name) => name !== 'browser' || place % 3 === 0 || process.env.LONG === '1');
