import { PLAIN, scraperContract } from '../../contracts/scraper.ts';
import { impersonateScraper, noBinding } from './kit.ts';

/** What the library hands over as texts, it takes and gives as UTF-8 and ASCII only. */
const SKIPS = {
  "the caller's fields may hold any byte":
    'the library writes values as UTF-8: a lone byte becomes a character',
  'fields of the answer keep bytes beyond ASCII': 'the library leaves out values that are not ASCII',
  'a redirect without a location is a page':
    'it may have one that is not ASCII, and is told as redirect.invalid',
};

if (noBinding === false) {
  scraperContract('http_impersonate', { open: impersonateScraper });
  for (const over of ['https/1.1', 'https/2'] as const) {
    const traits = { ...PLAIN, pace: 2 };
    scraperContract('http_impersonate', { open: impersonateScraper, over, traits, skips: SKIPS });
  }
}
